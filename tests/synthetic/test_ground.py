"""Pages beside those of the plan: numbers and hosts of their own."""

from webecho.synthetic.ground import Ground
from webecho.synthetic.web import Web

WEB = Web(pages=10, words=60)


def test_pages_and_hosts_are_numbered_on() -> None:
    ground = Ground(WEB, 10, 50)
    assert (ground.host(), ground.host()) == (50, 51)
    said = ground.said(50, "one")
    first = ground.page("popular", "http://a.example/x", 50, said)
    second = ground.page("popular", "https://b.example/y?z=1", 51, said, original=10)
    assert (first.truth["page"], second.truth["page"]) == (10, 11)
    assert (first.truth["host"], second.truth["host"]) == ("a.example", "b.example")
    assert first.truth["ip"] == ground.ip(50) != second.truth["ip"] == ground.ip(51)
    assert (first.truth["original"], first.truth["resemblance"]) == (None, None)
    assert (second.truth["original"], second.truth["resemblance"]) == (10, 1.0)


def test_another_key_is_another_text_and_the_same_key_the_same() -> None:
    ground = Ground(WEB, 10, 50)
    assert ground.said(50, "one") == Ground(WEB, 99, 99).said(50, "one")
    assert ground.said(50, "one").paragraphs != ground.said(50, "two").paragraphs
