"""Groups of hosts that repeat each other: which pages, under which paths, on which machines."""

from collections import Counter, defaultdict

from webecho.synthetic.evolving.lives import Address
from webecho.synthetic.evolving.mirrored import FOLDERS, WAYS, Relation, plant_mirrored
from webecho.synthetic.evolving.versions import url_of
from webecho.synthetic.hosts import SECTIONS, path
from webecho.synthetic.web import Web

WEB = Web(snapshots=4, mirrors=len(WAYS), seed=6)


def planted() -> tuple[dict[str, list[Address]], list[Relation]]:
    """The URLs of each way, and what the hosts are to each other."""
    relations: list[Relation] = []
    found = list(plant_mirrored(WEB, 500, 90, relations))
    assert [each.number for each in found] == list(range(500, 500 + len(found)))
    assert len({url_of(WEB, each) for each in found}) == len(found)
    ways = {host: each.way for each in relations for host in (each.host, each.of)}
    by_way = defaultdict(list)
    for each in found:
        by_way[ways[each.host]].append(each)
    return by_way, relations


FOUND, RELATIONS = planted()


def pages(way: str) -> dict[tuple[int, int], set[tuple[int, int, int]]]:
    """Of each name of a host in a group the families, folders and places."""
    by_host = defaultdict(set)
    for each in FOUND[way]:
        by_host[each.host, each.name].add((each.family, each.folder, each.place))
    return by_host


def test_every_way_is_planted_in_its_turn() -> None:
    assert list(FOUND) == [way.name for way in WAYS]
    kinds = Counter(relation.kind for relation in RELATIONS)
    assert kinds == {"mirror": 10, "subtree": 3, "alias": 3, "auto-mirror": 1, "template-mate": 2}
    assert [each.lag for each in RELATIONS if each.way == "group of four"] == [0, 1, 0]


def test_mirrors_have_the_same_pages_under_the_same_paths() -> None:
    for way in ("mirror", "mirror behind by 2", "mirror, no addresses", "alias without www"):
        first, second = pages(way).values()
        assert first == second
        assert 12 <= len(first) <= 30
        home, copy = ([each for each in FOUND[way] if each.member == member] for member in (0, 1))
        assert {(each.born, each.dies) for each in home} == {
            (each.born, each.dies) for each in copy
        }
    assert len(pages("group of four")) == 4
    assert len({frozenset(each) for each in pages("group of four").values()}) == 1


def test_a_mirror_with_gaps() -> None:
    first, second = pages("mirror with gaps").values()
    assert len(second - first) == 6
    assert 0.05 < len(first - second) / len(first) < 0.5


def test_subtrees_lie_below_other_paths() -> None:
    first, second = pages("subtree").values()
    below = {(family, place) for family, folder, place in first if folder}
    assert below == {(family, place) for family, folder, place in second if folder}
    assert len(first) - len(below) == len(second) - len(below) == 10
    [relation] = [each for each in RELATIONS if each.way == "subtree"]
    assert (FOLDERS[relation.folder], FOLDERS[relation.of_folder]) == (
        *("/pub/mirror/handbook", "/handbook"),
    )
    # No ordinary page lies below one of the folders.
    assert not {f"/{section}" for section in SECTIONS} & set(FOLDERS)


def test_machines() -> None:
    machines = {
        way: [{each.machine for each in FOUND[way] if each.member == of} for of in (0, 1)]
        for way in FOUND
    }
    for way in ("mirror", "alias without www, other machine"):
        first, second = machines[way]
        assert first != second
        assert -1 not in first | second
    for way in ("alias on one machine", "alias without www", "auto-mirror"):
        first, second = machines[way]
        assert first == second
    assert machines["mirror, no addresses"] == [{-1}, {-1}]
    first, second = machines["mirror, one address"]
    assert second == {-1} != first


def test_names() -> None:
    urls = {way: {url_of(WEB, each).split("/")[2] for each in FOUND[way]} for way in FOUND}
    for way in ("alias without www", "alias without www, other machine"):
        long, short = sorted(urls[way], key=len, reverse=True)
        assert long == f"www.{short}"
    assert len(urls["auto-mirror"]) == 1


def test_template_mates_are_no_mirrors() -> None:
    first, second = pages("one template").values()
    assert len({family for family, _, _ in first} & {family for family, _, _ in second}) == 1
    assert len({each.home for each in FOUND["one template"]}) == 1
    first, second = pages("common page").values()
    [common] = {family for family, _, _ in first} & {family for family, _, _ in second}
    paths = [
        {path(place) for family, _, place in each if family == common} for each in (first, second)
    ]
    assert [len(each) for each in paths] == [12, 12]
    assert not paths[0] & paths[1]


def test_a_mirror_of_few_pages() -> None:
    first, second = pages("mirror of few pages").values()
    assert (len(first & second), len(first), len(second)) == (6, 16, 16)
