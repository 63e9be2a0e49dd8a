from bench import environments


def test_what_cannot_be_installed_is_told_with_its_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(environments, "REQUIREMENTS", tmp_path)
    monkeypatch.setattr(environments, "ENVIRONMENTS", tmp_path / "environments")
    missing = tmp_path / "nowhere-1.0-py3-none-any.whl"
    (tmp_path / "nowhere.txt").write_text(f"{missing}\n")
    found = environments.environment("nowhere")
    assert found.python == ""
    assert found.failure.startswith("not installed: ")
    assert "nowhere-1.0" in found.failure


def test_the_version_is_the_one_that_is_pinned(tmp_path):
    (tmp_path / "text-dedup.txt").write_text("a==1\ntext-dedup==0.4.0\nother-text-dedup==9\n")
    assert environments.pinned(tmp_path / "text-dedup.txt", "text-dedup") == "0.4.0"


def test_every_script_of_a_peer_has_pins_that_name_its_library():
    from bench.contest import PEERS
    from bench.html import EXTRACTORS

    libraries = {peer.library for peer in PEERS} | {library for _, library, *_ in EXTRACTORS}
    for library in libraries - {environments.OURS}:
        assert environments.pinned(environments.REQUIREMENTS / f"{library}.txt", library), library
    for script in [*(peer.script for peer in PEERS), *(script for script, *_ in EXTRACTORS)]:
        assert (environments.HERE / "peers" / f"{script}.py").is_file()
