"""Charset: bytes mean what they say they mean, and Python's codecs agree."""

import unicodedata
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import webencodings
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels
from webecho.settings import WEBECHO

LABELS = sorted({webencodings.lookup(label).name for label in webencodings.LABELS})
# Of the basic plane; beyond it only the charsets of all characters have any.
LETTERS = [c for c in map(chr, range(0x10000)) if unicodedata.category(c)[0] in "LN"]
TEXTS = {
    "windows-1251": "Программа установки задаёт вопросы и копирует файлы на диск.",
    "koi8-r": "Программа установки задаёт вопросы и копирует файлы на диск.",
    "shift_jis": "インストーラは質問をして、ファイルをディスクにコピーします。",
    "euc-jp": "インストーラは質問をして、ファイルをディスクにコピーします。",
    "iso-2022-jp": "インストーラは質問をして、ファイルをディスクにコピーします。",
    "gbk": "安装程序会提出问题,并将文件复制到磁盘。",
    "big5": "安裝程式會提出問題,並將檔案複製到磁碟。",
    "euc-kr": "설치 프로그램이 질문을 하고 파일을 디스크에 복사합니다.",
    "windows-1252": "Le programme d’installation posera des questions détaillées à l’écran.",
    "windows-1253": "Το πρόγραμμα εγκατάστασης θέτει ερωτήσεις και αντιγράφει αρχεία.",
}


def text(body: bytes, charset: str | None = None, *, markup: bool = False) -> str:
    return kernels.sketcher(WEBECHO).text(body, markup, charset)


def encode(characters: str, label: str) -> bytes:
    return webencodings.lookup(label).codec_info.encode(characters)[0]


@pytest.mark.parametrize("label", [label for label in LABELS if label != "replacement"])
def test_every_letter_and_digit_of_every_charset(label: str) -> None:
    codec = webencodings.lookup(label).codec_info
    lines = []
    for letter in LETTERS:
        # Where Python's table is older than the web's, which has no ḿ here.
        if (label, letter) == ("gb18030", "ḿ"):
            continue
        try:
            encoded = codec.encode(letter)[0]
        except UnicodeError:
            continue
        # Some of Python's encoders give what is nearest, so its decoder has the last word.
        lines.append((encoded, codec.decode(encoded)[0]))
    assert len(lines) >= 62
    end = codec.encode("\n")[0]
    found = text(b"".join(encoded + end for encoded, _ in lines), label)
    assert found == "".join(f"{letter}\n" for _, letter in lines)


@given(st.binary())
def test_any_bytes_as_utf_8_as_python_replaces_them(body: bytes) -> None:
    if not body.startswith((b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")):
        assert text(body, "utf-8") == body.decode("utf-8", errors="replace")


@given(st.binary(), st.none() | st.sampled_from([*LABELS, "no such charset", ""]), st.booleans())
def test_any_bytes_have_text_and_its_tokens(body: bytes, label: str | None, markup: bool) -> None:
    characters = text(body, label, markup=markup)
    tokens = kernels.tokens(body, WEBECHO, markup=markup, charset=label)
    assert tokens == kernels.tokens(characters, WEBECHO)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_needs_no_label(characters: str) -> None:
    if characters.isascii() or characters.startswith("\ufeff"):
        return
    assert text(characters.encode()) == characters


def test_a_byte_order_mark_goes_before_the_header() -> None:
    assert text(b"\xef\xbb\xbf" + "é".encode(), "windows-1251") == "é"
    assert text(b"\xff\xfe" + "é漢".encode("utf-16-le"), "utf-8") == "é漢"
    assert text(b"\xfe\xff" + "é漢".encode("utf-16-be"), "utf-8") == "é漢"


def test_the_header_goes_before_the_markup_and_that_before_a_guess() -> None:
    page = '<meta charset="windows-1251">Привет'.encode("windows-1251")
    assert text(page, markup=True) == "Привет"
    assert text(page, "koi8-r", markup=True) == encode("Привет", "windows-1251").decode("koi8-r")
    assert text(page, "no such charset", markup=True) == "Привет"
    # Plain text has no markup to say anything.
    assert text(b'<meta charset="koi8-r">' + encode("Привет", "windows-1251")).endswith("Привет")


@pytest.mark.parametrize(
    "head",
    [
        b"<meta charset=windows-1251>",
        b"<META CHARSET = 'Windows-1251' >",
        b"<meta http-equiv='Content-Type' content='text/html; charset=cp1251'>",
        b'<meta content="text/html; charset; charset = cp1251 ; x" http-equiv=content-type>',
        b"<!-- <meta charset=koi8-r> --><meta charset=windows-1251>",
        b"<p title='<meta charset=koi8-r>'><meta charset=windows-1251>",
        b"<?xml version='1.0' encoding='windows-1251'?>",
        b"<meta charset=unknown><meta charset=windows-1251>",
    ],
)
def test_labels_in_the_markup(head: bytes) -> None:
    assert text(head + encode("Привет, мир", "windows-1251"), markup=True).strip() == "Привет, мир"


def test_a_label_means_what_it_means_to_browsers() -> None:
    assert text(b"\x93quoted\x94 \x80", "iso-8859-1") == "“quoted” €"
    assert text(b"\x93quoted\x94", "us-ascii") == "“quoted”"
    assert text(encode("한국어", "euc-kr"), "ks_c_5601-1987") == "한국어"
    assert text(encode("汉字", "gbk"), "gb2312") == "汉字"


@pytest.mark.parametrize("label", TEXTS)
def test_without_a_label_the_letters_tell(label: str) -> None:
    characters = TEXTS[label] * 5
    assert text(encode(characters, label)) == characters


@pytest.mark.data
def test_real_pages_that_are_not_utf_8(data: Path) -> None:
    """Slides in French, German and Spanish, hardly any with a label: all were windows-1252."""
    table = pq.read_table(data / "snapshots" / "1.parquet", columns=["html"])
    right = wrong = 0
    for body in table["html"].to_pylist():
        try:
            body.decode()
        except UnicodeDecodeError:
            expected = kernels.tokens(body, WEBECHO, markup=True, charset="windows-1252")
            if kernels.tokens(body, WEBECHO, markup=True, charset=None) == expected:
                right += 1
            else:
                wrong += 1
    # One slide with two accents in all is taken for Polish.
    assert (right, wrong) == (52, 1)
