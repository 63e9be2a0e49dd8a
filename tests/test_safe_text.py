import pytest

from webecho.safe_text import formula_again, lacks_secrets, no_formula, plain, without_secrets


def test_plain_text_has_nothing_that_a_terminal_obeys() -> None:
    assert plain("Ünïcode, 漢字, 😀") == "Ünïcode, 漢字, 😀"
    assert plain("\x1b[31mred\x07\r\n\t\x00\u202e\u200b") == "�[31mred" + "�" * 7
    assert plain("del\x7f c1\x9b31m bidi\u2066\u2069") == "del� c1�31m bidi��"


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("https://user:pa:ss@h.org/a?x=1", "https://user:***@h.org/a?x=1"),
        ("https://user:p@ss@h.org/a", "https://user:***@h.org/a"),
        ("https://ghp_token@h.org/a", "https://***@h.org/a"),
        ("ftp://u:p@h/a.warc.gz", "ftp://u:***@h/a.warc.gz"),
        ("s3://KEY:SECRET@bucket/a", "s3://KEY:***@bucket/a"),
        (
            "simplecache::https://h/a?X-Amz-Credential=b&X-Amz-Signature=c&versionId=1",
            "simplecache::https://h/a?X-Amz-Credential=***&X-Amz-Signature=***&versionId=1",
        ),
        ("https://h/a?sv=2020&sig=a%2Fb%3D", "https://h/a?sv=2020&sig=***"),
        ("https://h/a?page=1&access_token=x#part", "https://h/a?page=1&access_token=***#part"),
        ("https://h/a?API_KEY=x&key=y", "https://h/a?API_KEY=***&key=***"),
    ],
)
def test_secrets_are_taken_out(address: str, stored: str) -> None:
    assert without_secrets(address) == stored
    assert without_secrets(f"403, url='{address}' (no)") == f"403, url='{stored}' (no)"
    assert without_secrets(stored) == stored
    assert lacks_secrets(stored)
    assert not lacks_secrets(address)


@pytest.mark.parametrize(
    "address",
    [
        *("abfs://container@account.dfs.core.windows.net/a", "sftp://user@host/a"),
        *("hf://datasets/a/b@main/c.parquet", "s3://bucket/key=1/token=2/a.parquet"),
        *("https://h.org/a@b/c:d@e", "https://h.org/?page=token", "a:b@c", "/a/user:pass@b"),
    ],
)
def test_what_is_no_secret_stays(address: str) -> None:
    assert without_secrets(address) == address
    assert not lacks_secrets(address)


def test_cells_that_are_no_formulas() -> None:
    for cell in ("=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"):
        assert no_formula(cell) == f"'{cell}"
        assert formula_again(f"'{cell}") == formula_again(cell) == cell
    # What is such a cell already, and is meant so.
    for quotes in range(4):
        text = "'" * quotes + "=1+1"
        assert formula_again(str(no_formula(text))) == text != no_formula(text)
    for other in ("a=1", "", " =1", -1, -1.5, None):
        assert no_formula(other) == other
    for same in ("'quoted'", "", "'", "a"):
        assert formula_again(same) == same


def test_bytes_of_names_that_are_not_utf8_are_spelt_out() -> None:
    assert plain("caf\udce9 \udcff\udc80") == "caf\\xe9 \\xff\\x80"
    # Other halves of characters are no bytes.
    assert plain("\ud800 \udc7f \udd00") == "\ufffd \ufffd \ufffd"
