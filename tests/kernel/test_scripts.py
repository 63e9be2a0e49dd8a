"""Pages in scripts of all kinds, and very short pages: merged when equal, never otherwise.

The traps: characters in another order, words that differ in a vowel sign only, pages of two or
three words. Every rule must keep them apart, and join each with its copy.
"""

import itertools
import unicodedata

import pyarrow as pa
import pytest

import webecho

# Under these even short texts that differ by little are told apart.
STRICT = ("tokens", "very-similar", "virtually-identical", "similar")
# Each page of a group differs from each other in the group, by little.
GROUPS = {
    "Chinese in another order": [
        "中国大学生的学习生活",
        "大中国学生的学习生活",
        "中国大学生的生活学习",
        "学生大国中的习学活生",
    ],
    "Chinese, one character": ["我们明天去北京开会", "我们明天去南京开会", "我们昨天去北京开会"],
    "Chinese years": ["二〇一〇年报告", "二〇〇一年报告", "二一年报告"],
    "Japanese": [
        "東京は日本の首都です",
        "京都は日本の首都です",
        "東京は日本の首都でした",
        "データ",
        "デタ",
    ],
    "Thai": [
        "ภาษาไทยเป็นภาษาที่ใช้ในประเทศไทย",
        "ภาษาลาวเป็นภาษาที่ใช้ในประเทศลาว",
        "เสื้อ",
        "เสือ",
        "เสื่อ",
    ],
    "Lao, Khmer, Burmese": ["ພາສາລາວ", "ພາສາໄທ", "ភាសាខ្មែរ", "ភាសាថៃ", "မြန်မာဘာသာ", "မြန်မာစာ"],
    "Hindi vowel signs": ["दिन", "दीन", "दान", "दून", "दन", "वह दिन भर सोया", "वह दीन भर सोया"],
    "Hindi": ["भारत एक विशाल देश है", "भारत एक विशाल देश था", "भारती एक विशाल देश है"],
    "Arabic": ["كتب الطالب الدرس", "كاتب الطالب الدرس", "كتب الطالب الدروس", "عَلِمَ", "عَلَّمَ"],
    "Hangul": ["나는 학교에 간다", "나는 학교에 갔다", "너는 학교에 간다", "사람", "사랑"],
    "Hebrew, Greek, Cyrillic": ["שלום עולם", "שלום עולמי", "καλημέρα", "привет мир", "привет миру"],
    "two or three words": [
        "not found",
        "page not found",
        "not found page",
        "found not",
        "access denied",
        "hello world",
        "hello world again",
    ],
    "one word": ["a", "b", "1", "2", "é", "e", "о", "o"],
    "a number": ["Slide 58", "Slide 59", "Slide 5 8"],
}  # fmt: skip
RESEMBLANCES = {"similar": 0.8}


def clusters(texts: list[str], rule: str) -> list[int]:
    table = pa.table({"text": texts})
    found = webecho.clusters(table, rule, RESEMBLANCES.get(rule))
    return found["cluster"].to_pylist()


def lengthened(texts: list[str]) -> list[str]:
    """Pages of many such sentences, in which every sentence differs from page to page."""
    return [" ".join(f"{number} {text}." for number in range(40)) for text in texts]


@pytest.mark.parametrize("rule", STRICT)
@pytest.mark.parametrize("group", GROUPS)
def test_pages_that_differ_stay_apart_and_copies_join(group: str, rule: str) -> None:
    texts = GROUPS[group]
    assert clusters(texts, rule) == list(range(len(texts)))
    # The second half are copies, in other white space and punctuation.
    copies = [f"\n {text.replace(' ', '  ')} !\t" for text in texts]
    assert clusters(texts + copies, rule) == list(range(len(texts))) * 2


@pytest.mark.parametrize("rule", STRICT)
def test_pages_of_all_scripts_together(rule: str) -> None:
    texts = list(itertools.chain.from_iterable(GROUPS.values()))
    assert len(set(texts)) == len(texts)
    assert clusters(texts, rule) == list(range(len(texts)))


@pytest.mark.parametrize("rule", STRICT)
@pytest.mark.parametrize("group", ["Chinese, one character", "Hindi", "Thai", "Arabic", "Hangul"])
def test_longer_pages_that_differ_in_every_sentence(group: str, rule: str) -> None:
    texts = lengthened(GROUPS[group])
    assert clusters(texts, rule) == list(range(len(texts)))
    assert clusters([*texts, texts[0]], rule) == [*range(len(texts)), 0]


@pytest.mark.parametrize("recipe", ["webecho", "fetterly2004", "henzinger2006"])
def test_no_recipe_gives_two_such_pages_one_digest(recipe: str) -> None:
    texts = list(itertools.chain.from_iterable(GROUPS.values()))
    table = webecho.sketch(pa.table({"text": texts}), recipe=recipe)
    digests = table["digest"].to_pylist()
    assert None not in digests
    assert len(set(digests)) == len(texts)


def test_the_same_text_composed_and_decomposed_is_one_page() -> None:
    text = "한국어 café ΐ"
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    assert len(set(forms)) == 2
    assert clusters(forms, "tokens") == [0, 0]


@pytest.mark.parametrize("rule", STRICT)
def test_pages_without_tokens_join_only_with_the_same_bytes(rule: str) -> None:
    assert clusters(["😀", "😁", "", "", "😀", "…", " "], rule) == [0, 1, 2, 3, 0, 5, 6]
