"""Golden vectors: what each version of each recipe gives, value by value.

A value that changes makes a new version of the recipe: raise `version` in `settings.py` and pin the
new values here. The values were checked against `tests/kernel/reference.py`, as they are below.
"""

from dataclasses import dataclass

import pytest

from tests.kernel import kernels, reference
from webecho.settings import HENZINGER_2006, RECIPES, recipe

URL = "http://www.example.com/docs/index.html"
# Name: whether it is markup, and the page.
PAGES = {
    "ascii": (
        False,
        "The Web repeats itself: pages are copied, mirrored, moved, and copied again. "
        "See http://www.example.com/a-b?c=1 for 42 more; the web repeats itself.",
    ),
    "accents": (
        False,
        "Crème brûlée à la carte, Straße und Größe; ΣΊΣΥΦΟΣ, ЁЛКА, İstanbul, E\u0301cole nº 7.",
    ),
    "chinese": (False, "网页会重复：同样的内容出现在许多地方。2024年，東京でデータを集めた。"),
    "short": (False, "Not found"),
    "formatting": (
        True,
        "<!doctype html><title>H<sub>2</sub>O &amp; co</title><p>W<b>a</b>ter is H<sub>2</sub>O, "
        "<a href=x>li</a>nked<br>and <i>br</i>oken.<script>no()</script><p>caf&eacute;&nbsp;noir",
    ),
    "images": (
        True,
        "<h1>Our Shop</h1><img src='/img/logo.gif?v=2'>sells <img src=//ads.example.net/b.gif>"
        "echoes<img src='http://www.example.com/x/y.png'> of all kinds <img alt=none> here",
    ),
}


@dataclass(frozen=True)
class Pinned:
    """Sizes, then 64-bit values in hexadecimal: all, or of the 84 features the first three."""

    tokens: int
    shingles: int
    text_digest: str
    digest: str
    features: str
    supershingles: str
    projection: str


# By recipe, version and page.
PINNED = {
    ("webecho", 2, "ascii"): Pinned(
        28,
        24,
        "d907c466387be1f8c6b354ff2fd9106a",
        "fcdd1c017da703f4fc69036587225cf0",
        "e937567a08b4608c 19afff766b1d20c3 6e92315a5b58079e",
        "b076f297f4a4d1f9 92ee0a11df16c3fc 99a9d5492d69070d "
        "031b449bb410f2f7 d6b0032c41463800 6f281ee649055c43",
        "0868013db4037aae db8c8ef2a31327d8 9b01418f0a022c77 "
        "1a980bf1ac42b378 69f6c2d51a528d1e 3cc7874010266b2e",
    ),
    ("webecho", 2, "accents"): Pinned(
        14,
        10,
        "43229c0aff39010ad9f7f8d47c822ea3",
        "6036cb3f74988f11ac89721cad4bdf7d",
        "bab3a3c2314461a6 253231888045d374 3a61511a5ad3cb6d",
        "c02ea7e0958ec918 a3898334d75839ad 5ad70bcdf1fda4f9 "
        "42d7745cfa82b674 833a178604bb0609 33eaacb7afa50103",
        "35817a3e9e46b787 adcf31a5bc9b27b0 64a8cd08d1697de8 "
        "479531306cc24205 535832ae0be8498e 000b264126020e96",
    ),
    ("webecho", 2, "chinese"): Pinned(
        28,
        24,
        "10b8b080e9cbf6ac940b97f1e0831653",
        "84c7fd4b5eed18403b7ccbe8cfe93e64",
        "89bfa9583c58b8c4 6faf110a9a35d8f4 4c59579176a24abe",
        "dc36345f97d7493e 5b67d19942ddc882 71e4bd4b14a7047d "
        "82b8fe76d9c505c2 6ea03f9f99d5b402 93758a607cb64dff",
        "57d00f493562421d 452c142835bc07ad b4245263e9a30e50 "
        "b42b3b3f24d6caf6 9f94de2a9c6860cc 59880b416d39a12a",
    ),
    ("webecho", 2, "short"): Pinned(
        2,
        1,
        "e4cd56cd8918f1e8b349a01b94c0c007",
        "0d62f92945322d352bc0e77ec224e671",
        "2e73c6e236bdf943 2e73c6e236bdf943 2e73c6e236bdf943",
        "6f00f42dd9537452 6f00f42dd9537452 6f00f42dd9537452 "
        "6f00f42dd9537452 6f00f42dd9537452 6f00f42dd9537452",
        "2108402c920920a1 58040000409034c0 00816e2588084080 "
        "7014a82095100021 10e0801621831012 82a4e22a824c826c",
    ),
    ("webecho", 2, "formatting"): Pinned(
        15,
        11,
        "ad69b19a19e50d4ea894e3abe2b18e45",
        "e3d9591f9706eaf91799218eae22dc5a",
        "3b7980295ff1b3a8 3b7980295ff1b3a8 de3e17e01fa69ff9",
        "8975f4b9767c8940 62c3c3eb45548c5b 2253a67fe143b98a "
        "2907107aff0f31cf 6f974f93cf146ce7 27a83f4a7ee290ea",
        "a9b807420b3e180b 480cfbbf5b4668a8 79ed8acd4801487b "
        "0e09dfae832c8c5f b5b07ff5ac11e00e a5468b6b9d294d1a",
    ),
    ("webecho", 2, "images"): Pinned(
        8,
        4,
        "c262358b1982221dd493cecafec13315",
        "ca95dfeb7ec5c26959a8cdeb216f191a",
        "b86306b2a888d766 960a8822005de0fb b86306b2a888d766",
        "3c96fd6ed6a22f8d 789987604ecba015 c6437c9d22f00f49 "
        "f05e1b4e2d5e58ec b3b616b5fc6f1eee bfd0622a6ee5f975",
        "48f341449828284a c102210118914540 d60ce184596c5056 "
        "e40710172c28819a 7168ba74b24d4ca7 9a3d8572ef40160a",
    ),
    ("fetterly2004", 2, "ascii"): Pinned(
        28,
        28,
        "d907c466387be1f8c6b354ff2fd9106a",
        "d48057bb2cc50d37d74e390396573b9d",
        "ac45ace14a43371d f8ab73a85ef4d63a ac45ace14a43371d",
        "72010288bfc0d765 a1e29505ea8b1200 744fc7e713964424 "
        "d021a8714cc87db8 d2b9c87b05025752 6465cf711a4aebd3",
        "8d951a20328a7e0c 6792b2e9350a1329 3134ca3f92589f50 "
        "29f0e0208907414a e4952c6e0d4f1444 8926aa3717bb0b4f",
    ),
    ("fetterly2004", 2, "accents"): Pinned(
        14,
        14,
        "43229c0aff39010ad9f7f8d47c822ea3",
        "ce57861914ce14b3b42362e0a7dae994",
        "c9548100a6e4d64e 9c699963bc418231 38d72a5a8b4c8aa7",
        "d1586c111fe33bbc 57b553f80685ec18 d4deea80fd6572bb "
        "8127d9818b25d408 c55d37536aa80338 8513e2d0dc0a8c46",
        "9ea20c0040015154 c694056020b08131 e544428b0600c017 "
        "cd0b8185580ff162 8065661cf444ab18 22a8980689042743",
    ),
    ("fetterly2004", 2, "chinese"): Pinned(
        4,
        4,
        "10b8b080e9cbf6ac940b97f1e0831653",
        "04010f91ca9525d10fdbc06f1acb6f68",
        "5f7c5d1539cf005b e1106b1f43a09cc1 e1106b1f43a09cc1",
        "1cbca00205075d17 c0cad79062b02e3c bab12f6fcdfde233 "
        "4348a46f4adadf08 9facac722bb2f934 f07ecedc44bebb10",
        "6a100008434c2211 66006c918d9d4caa 032608ed0bc00050 "
        "01030288000eb220 520c351d14c54131 9c8a4c0091040212",
    ),
    ("fetterly2004", 2, "short"): Pinned(
        2,
        2,
        "e4cd56cd8918f1e8b349a01b94c0c007",
        "912cc06f2a1de8c7fc3d624093e0302f",
        "11061c39881258d0 36de6340da88235c 11061c39881258d0",
        "57c3e4c84e0d6e02 338b3548ad81c6c8 f54a6988efc8c3dd "
        "22386cbee1ab0743 307a469df17a678a 45b1d48df4a44b17",
        "70a1065302284402 09120100408a4060 0100800b00502a00 "
        "2404181061906820 0a5d447a8804841e 8c5205b900142a0c",
    ),
    ("fetterly2004", 2, "formatting"): Pinned(
        20,
        20,
        "806ad9021b28f08af1ad4ae389a7d665",
        "850fb82a18669d610911b64f1afaab68",
        "095e5baba06f0a88 23f9f9cf215aebab 7cc6c80da049d1bb",
        "6df5c9490b65020d 30ca138ae01322d6 cd40fbee512d4ccf "
        "d7778fa8c1adb5e1 490487af0752ac11 59029fb101206a5d",
        "4c15ed7b82f60188 0e4cc721a7506591 cf18a04d4a50be53 "
        "bda3b61200415439 95d2f840b4695a18 976af0eb949f9d5e",
    ),
    ("fetterly2004", 2, "images"): Pinned(
        8,
        8,
        "c262358b1982221dd493cecafec13315",
        "c72622f9b7ce4ea6639a0a18e3e3d289",
        "e81756a49edc3ccb e81756a49edc3ccb dde5db2a5e761f55",
        "c2ccfab0505a68a3 08085349005b0232 70a4a6b5386d9aef "
        "abe9bb8ab06fbbb4 3acb34b0b6c71cb3 1f534d1a5251ff1c",
        "092b8d41c023297e cdfc320490020025 49c21d50c7d1848b "
        "56a022a54e851f56 b1a58505cd4e0077 40d6c91411838263",
    ),
    ("henzinger2006", 2, "ascii"): Pinned(
        28,
        21,
        "d907c466387be1f8c6b354ff2fd9106a",
        "d48057bb2cc50d37d74e390396573b9d",
        "396913954c36e78d 396913954c36e78d 35cd0055c846ecf6",
        "7c249d417b5b0735 7feeeea200429aa2 6dbc3e74a3e7f675 "
        "15983b2d7ce52f99 66151b36ef965cbe e760e12e96224b08",
        "8d951a20328a7e0c 6792b2e9350a1329 3134ca3f92589f50 "
        "29f0e0208907414a e4952c6e0d4f1444 8926aa3717bb0b4f",
    ),
    ("henzinger2006", 2, "accents"): Pinned(
        14,
        7,
        "43229c0aff39010ad9f7f8d47c822ea3",
        "ce57861914ce14b3b42362e0a7dae994",
        "9d2c857b999014bb c39ab3560953a800 0e336eae829e3abf",
        "0fa0080a910e0dd8 0908ce630ec5ef77 f40ae091cb6b0c28 "
        "95d82f9071cf9780 9d2a7061a86d5e4c bb592f099efdbe0d",
        "9ea20c0040015154 c694056020b08131 e544428b0600c017 "
        "cd0b8185580ff162 8065661cf444ab18 22a8980689042743",
    ),
    ("henzinger2006", 2, "chinese"): Pinned(
        4,
        1,
        "10b8b080e9cbf6ac940b97f1e0831653",
        "04010f91ca9525d10fdbc06f1acb6f68",
        "948d1ba07ae2264a 948d1ba07ae2264a 948d1ba07ae2264a",
        "0a4d5b29130995f5 0a4d5b29130995f5 0a4d5b29130995f5 "
        "0a4d5b29130995f5 0a4d5b29130995f5 0a4d5b29130995f5",
        "6a100008434c2211 66006c918d9d4caa 032608ed0bc00050 "
        "01030288000eb220 520c351d14c54131 9c8a4c0091040212",
    ),
    ("henzinger2006", 2, "short"): Pinned(
        2,
        1,
        "e4cd56cd8918f1e8b349a01b94c0c007",
        "912cc06f2a1de8c7fc3d624093e0302f",
        "9858536f81d47616 9858536f81d47616 9858536f81d47616",
        "944f1758d4bdf79e 944f1758d4bdf79e 944f1758d4bdf79e "
        "944f1758d4bdf79e 944f1758d4bdf79e 944f1758d4bdf79e",
        "70a1065302284402 09120100408a4060 0100800b00502a00 "
        "2404181061906820 0a5d447a8804841e 8c5205b900142a0c",
    ),
    ("henzinger2006", 2, "formatting"): Pinned(
        15,
        8,
        "ad69b19a19e50d4ea894e3abe2b18e45",
        "8ade8149bc97e3ad62cb33adfb91179f",
        "2e0991c353a178f2 a6e677f8970cd581 ae64b266fd65f82e",
        "dab36770b3f3a737 42760a853a77f30e 41faf59921f03b81 "
        "5cc5bde7962de10e 0cd0f866b841dc42 490d366c2e427927",
        "0695ad74e3a60d08 1e88c73505706dd1 8f5ea84dd05aba57 "
        "ffa3b61300401429 93d3fc007ccb5e99 df6af2e2149fbf5c",
    ),
    ("henzinger2006", 2, "images"): Pinned(
        11,
        4,
        "c262358b1982221dd493cecafec13315",
        "29079186298d6d98bdcdd1160b4771a6",
        "aa42eea58c826acc aa42eea58c826acc 4b36049b8eab77d0",
        "9c0d79c4b51673b4 6495a0d68fbc39f1 bc00e0840a86e31f "
        "7df8da6192bcfbb3 a825487f133feabc 26a4b5129c93f726",
        "092bcd68dc372bfe cdfc2604902301bd 69d61d5ac7d587ab "
        "d7ea23a54e871f56 bd258c85cdcf41d7 49deed5c5b1b8b63",
    ),
    ("webecho+symbols", 2, "ascii"): Pinned(
        44,
        40,
        "d907c466387be1f8c6b354ff2fd9106a",
        "33b1a9d53d83d20477cce6629d639626",
        "01f78ea49b1ac7d2 7423b12b34679ac3 c690481476d2e23a",
        "c9aa7ff9c878f683 49a4e12e0a7875b6 01bf0106e02d6b93 "
        "655b5dda579e6a70 d5039276fc826ac8 4fcbbeb9caac8fe2",
        "0840119c8a9fbaa8 78949f71aa8bb7fa 96515583ca2a0826 "
        "079a4fa7a4629374 adf6bb9c7ee38c56 3cc685420a27772e",
    ),
    ("webecho+symbols", 2, "accents"): Pinned(
        20,
        16,
        "43229c0aff39010ad9f7f8d47c822ea3",
        "bdb1cdeeac653de8df72c8cb4009459f",
        "1ff879bcf6730239 7207648c1a64c115 3a61511a5ad3cb6d",
        "518a2181e0e6f7d1 29602c63ef6b0743 9774d9be74efb11b "
        "4267b8380eb0ab62 ac03baa3fa2d7512 12ab72dad815da13",
        "03013e1a9e76bba0 cc8b3991b78b27b8 c6e31580512851a2 "
        "8ec263ba86528705 4550b3ae3b6a12c6 042f84032e3c260e",
    ),
    ("webecho+symbols", 2, "chinese"): Pinned(
        32,
        28,
        "10b8b080e9cbf6ac940b97f1e0831653",
        "3f8e19e4084360f4c1c66ff032a1f5e8",
        "89bfa9583c58b8c4 03d03e768313f53b 3355aedd3f850dab",
        "24fbe836fa2c42e1 0a0da66dce3fc4ea 383270611f64919b "
        "56f4651b81374bad a4fa00446d254a4f 5b8f15a86af27ef6",
        "57780e4735623029 44a48008b5ba17ad b624626369a32e54 "
        "722b3b3f2dd64a7c 8f67d628dc6862cc f5880b416d71a10a",
    ),
    ("webecho+symbols", 2, "short"): Pinned(
        2,
        1,
        "e4cd56cd8918f1e8b349a01b94c0c007",
        "0d62f92945322d352bc0e77ec224e671",
        "2e73c6e236bdf943 2e73c6e236bdf943 2e73c6e236bdf943",
        "6f00f42dd9537452 6f00f42dd9537452 6f00f42dd9537452 "
        "6f00f42dd9537452 6f00f42dd9537452 6f00f42dd9537452",
        "2108402c920920a1 58040000409034c0 00816e2588084080 "
        "7014a82095100021 10e0801621831012 82a4e22a824c826c",
    ),
    ("webecho+symbols", 2, "formatting"): Pinned(
        23,
        19,
        "ad69b19a19e50d4ea894e3abe2b18e45",
        "2ade507c0958491be30bad5e263dda5e",
        "0274dcaf42094456 2b68c1c87825f5b5 06d7c6ab74cd6b84",
        "44aa15ed1fec3cea 5d518a9b3bb5dff9 20d99b4e8925e064 "
        "7dc5413ac3504840 3be56f5e5759d4ff 7947547043d5f823",
        "a3701fca8bbe98b1 5814af595fe240f8 34ff8cc658076c69 "
        "0e12568e022c9f3f adf07d24ae11601e 9f4481388d214f5a",
    ),
    ("webecho+symbols", 2, "images"): Pinned(
        8,
        4,
        "c262358b1982221dd493cecafec13315",
        "ca95dfeb7ec5c26959a8cdeb216f191a",
        "b86306b2a888d766 960a8822005de0fb b86306b2a888d766",
        "3c96fd6ed6a22f8d 789987604ecba015 c6437c9d22f00f49 "
        "f05e1b4e2d5e58ec b3b616b5fc6f1eee bfd0622a6ee5f975",
        "48f341449828284a c102210118914540 d60ce184596c5056 "
        "e40710172c28819a 7168ba74b24d4ca7 9a3d8572ef40160a",
    ),
}

# It differs in its chunks alone, which tests/kernel/test_chunks.py pins.
PINNED |= {("shivakumar1998", 1, page): PINNED["webecho", 2, page] for page in PAGES}


def hexadecimal(values: list[int]) -> str:
    return " ".join(f"{value:016x}" for value in values)


def test_every_recipe_is_pinned() -> None:
    recipes = [*RECIPES.values(), recipe("webecho+symbols")]
    versions = {(each.name, each.version) for each in recipes}
    assert {(name, version) for name, version, _ in PINNED} == versions
    assert {page for *_, page in PINNED} == set(PAGES)
    assert len(PINNED) == len(versions) * len(PAGES)


@pytest.mark.parametrize(("name", "version", "page"), PINNED, ids=str)
def test_the_kernel_gives_the_pinned_values(name: str, version: int, page: str) -> None:
    chosen, (markup, source) = recipe(name), PAGES[page]
    row = kernels.row(source, chosen, markup=markup, urls=[URL])
    assert chosen.version == version
    assert PINNED[name, version, page] == Pinned(
        row["tokens"],
        len(row["shingles"]),
        row["text_digest"].hex(),
        row["digest"].hex(),
        hexadecimal(row["features"][:3]),
        hexadecimal(row["supershingles"]),
        hexadecimal(row["projection"]),
    )


@pytest.mark.parametrize(("name", "version", "page"), PINNED, ids=str)
def test_the_pinned_values_are_those_of_the_definitions(name: str, version: int, page: str) -> None:
    chosen, (markup, source) = recipe(name), PAGES[page]
    sketch = reference.sketch(source, markup, chosen, URL)
    pinned = PINNED[name, version, page]
    assert (pinned.tokens, pinned.shingles) == (
        len(sketch.token_prints),
        len(sketch.shingles or []),
    )
    assert pinned.features == hexadecimal((sketch.features or [])[:3])
    assert pinned.supershingles == hexadecimal(sketch.supershingles or [])
    assert pinned.projection == hexadecimal(sketch.projection or [])


def test_an_images_address_is_the_same_however_it_is_spelled() -> None:
    spelled = ("//ads.example.net/b.gif", "http://ads.example.net/b.gif",
               "https://ADS.example.net:443/b.gif")  # fmt: skip
    pages = [f"<p>one page of <img src='{source}'> words" for source in spelled]
    rows = [kernels.row(page, HENZINGER_2006, markup=True, urls=[URL]) for page in pages]
    assert rows[0]["digest"] == rows[1]["digest"] == rows[2]["digest"]
    for page, row in zip(pages, rows, strict=True):
        assert row["projection"] == reference.sketch(page, True, HENZINGER_2006, URL).projection
    # Another path, or a port that says something, is another image.
    for other in ("//ads.example.net/B.gif", "//ads.example.net:8080/b.gif"):
        page = f"<p>one page of <img src='{other}'> words"
        assert (
            kernels.row(page, HENZINGER_2006, markup=True, urls=[URL])["digest"]
            != (rows[0]["digest"])
        )


def test_raw_bytes_and_title_are_the_same_in_every_recipe() -> None:
    markup, source = PAGES["formatting"]
    for each in RECIPES.values():
        row = kernels.row(source, each, markup=markup)
        assert row["markup_digest"].hex() == "515425c3ca5e1acbe66f28ce27fad681"
        assert row["title"] == "H<sub>2</sub>O & co"
