"""A forged index with correct checksums: its answers are right or say that it is damaged, quickly
and within the bounds.
"""

from __future__ import annotations

import base64
import json
import random
import shutil
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson
import pytest

from generator.reader.deployment import Deployment
from generator.search.blocks import slots_for
from generator.search.format import with_seal
from generator.search.manifest import packed_checks
from support import commands, index_files, registries
from support.answers import asked, served

ROOT = "/api/index/projects"
MANIFEST = f"{ROOT}/manifest.json"
SMALL = "rows/0"
TARGETS = [
    "/api/projects?mode=page&q=kite+spare",
    "/api/projects?mode=page&tag_topic=space&sort=-year",
    "/api/projects?mode=page&q=kite&year=2004&sort=name",
    "/api/projects?mode=count&q=kite&by=tag_topic,team_size,location&level=city",
    "/api/projects?mode=page&team_size=3..&year=2002..2005",
    "/api/projects?mode=page&q=kiet+spare&status=active",
]
PROJECTS = {
    f"kite-{n:02}": {
        "name": f"Kite {n:02}",
        "summary": "Spare sails",
        "year": 2000 + n % 7,
        "tags": {"topic": ["space", "health"][: 1 + n % 2]},
        "team_size": n % 5 or None,
        "locations": [{"country": "KE", "city": ["Nairobi", "Mombasa"][n % 2]}],
    }
    for n in range(90)
}
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    made = registries.write(
        folder / "content", registries.content(projects=PROJECTS, registry={"page_size": 20})
    )
    return commands.build(made, folder / "build", "--as-of", commands.TODAY)


def manifest(site: Path, **other: Any) -> Files:
    """The manifest with other values and its own correct check."""
    found = {**json.loads((site / MANIFEST[1:]).read_bytes()), **other}
    found.pop("check")
    return {MANIFEST: with_seal(orjson.dumps(found, option=orjson.OPT_NON_STR_KEYS))}


def part(site: Path, kind: str, number: int) -> Path:
    (found,) = (site / ROOT[1:] / kind).glob(f"{number}-*.txt")
    return found


def packed_blocks(site: Path) -> bytes:
    return base64.b64decode(json.loads((site / MANIFEST[1:]).read_bytes())["blocks"])


def read_block(site: Path) -> int:
    """A block that contains most of the first rows."""
    sizes = index_files.blocks(packed_blocks(site)).sizes
    return max(range(4), key=sizes.__getitem__)


def slot_of(site: Path, block: int) -> int:
    return index_files.blocks(packed_blocks(site)).slots[block]


def replaced(site: Path, kind: str, number: int, data: bytes) -> Files:
    """A file of the index replaced by another, with a matching manifest. A small file of rows has
    its own check and is named by the check of its group, which changes too.
    """
    packed = json.loads((site / MANIFEST[1:]).read_bytes())["files"]
    checks = array("I", base64.b64decode(packed[kind]))
    check = crc32(data)
    if kind != SMALL:
        checks[number] = check
        files = {f"{ROOT}/{kind}/{number}-{check:08x}.txt": data}
    else:
        blocks = index_files.blocks(packed_blocks(site))
        group, own, files = blocks.group_of(number), blocks.slots[number], {}
        checks[group] = check
        for block, slot in enumerate(blocks.slots):
            if blocks.group_of(block) == group:
                rows = data + b"%08x\n" % check
                if slot != own:
                    rows = part(site, kind, slot).read_bytes()
                files[f"{ROOT}/{kind}/{slot}-{check:08x}.txt"] = rows
    return files | manifest(site, files={**packed, kind: packed_checks(checks)})


def answers_of(site: Path, cases: list[Files]) -> list[tuple[int, bytes]]:
    """The answers to each of TARGETS in each case."""
    opened, found = Deployment.open(site), []
    for changed in cases:

        def read(paths: Sequence[str], changed: Files = changed) -> list[bytes | None]:
            return [changed[p] if p in changed else opened.files([p])[0] for p in paths]

        found += asked(replace(opened, files=read), *TARGETS)
    return found


WRONG: dict[str, list[Any]] = {
    "kind": ["project_list", None],
    "format": [1, 4, 6, "4", None, -1, 1e9, 2.5, [], "\x1b]0;x"],
    "unicode": ["14.0", None, "\x1b]0;x", 17, ""],
    "collection": ["programs", None],
    "count": [0, 1, 89, 91, 10**6, 2**40, -1, 90.5, None, "90", [90], True, 1e300],
    "size": [0, -20, 101, 2**31, None, "20"],
    "as_of": [20260801, "today", "2026-08-01T00:00", "\x1b]0;x", {}],
    "shards": [0, 3, 2**20, 2**31, -1, None, "1"],
    "split": [None, {}, [1], "abc", [[]]],
    "language": [None, "", 17, "e", "en us", ["en"], "\x1b]0;x"],
    "row_bytes": [-1, None, 2**31, 0.5, "400"],
    "columns": [None, [], {}, {"year": None}],
    "files": [None, [], {}, {"keys": "AAAA"}, {"keys": 1}, {"keys": "é"}],
}  # fmt: skip
#: Cases of one column.
SPECS: dict[str, list[Any]] = {
    "type": ["date", None, "number"],
    "values": [0, 6, 8, -1, 2**31, 2**30, None, "7"],
    "width": [0, 2, 3, 4, 8, None, "1"],
    "counts": [1, 2, 3, 4, -1, None, "0"],
    "chunk": [0, 1, 89, 2**31, -1, None, "65536"],
}


def of_column(site: Path, name: str, **other: Any) -> Files:
    columns = json.loads((site / MANIFEST[1:]).read_bytes())["columns"]
    return manifest(site, columns={**columns, name: {**columns[name], **other}})


def test_an_inconsistent_manifest_is_damaged(site: Path) -> None:
    cases = [manifest(site, **{key: value}) for key, values in WRONG.items() for value in values]
    cases += [
        of_column(site, name, **{key: value})
        for name in ("year", "team_size", "tag_topic")
        for key, values in SPECS.items()
        for value in values
    ]
    cases += [_without(site, key) for key in WRONG]
    found = answers_of(site, cases)
    good = answers_of(site, [manifest(site)])
    details = [json.loads(body)["detail"] for status, body in found if status == 503]
    assert {status for status, _ in good} == {200}
    # Content errors with correct counts are found when the values are used; other queries are
    # answered correctly.
    others = [(i, each) for i, each in enumerate(found) if each[0] != 503]
    assert [i for i, each in others if each != good[i % len(TARGETS)]] == []
    assert len(details) > 0.9 * len(found)
    kinds = (
        "damaged: its manifest has an unexpected form",
        "damaged: one of its files has an unexpected form",
        *(f"The search index {how}" for how in ("has the format ", "has Unicode 14.0; ")),
        "of projects has other columns than this program knows (tag_topic, ",
    )
    assert [text for text in details if not any(kind in text for kind in kinds)] == []
    assert not any("\x1b" in text for text in details)


def _without(site: Path, key: str) -> Files:
    found = json.loads((site / MANIFEST[1:]).read_bytes())
    del found[key], found["check"]
    return {MANIFEST: with_seal(orjson.dumps(found))}


@pytest.mark.parametrize(
    "wrong", [{"count": 80}, {"size": 19}, {"shards": 2}, {"split": ["kit"]}], ids=str
)
def test_a_manifest_with_a_wrong_check_is_damaged(wrong: dict[str, Any], site: Path) -> None:
    found = json.loads((site / MANIFEST[1:]).read_bytes()) | wrong
    answers = answers_of(site, [{MANIFEST: orjson.dumps(found) + b"\n"}])
    assert {status for status, _ in answers} == {503}


def varint(number: int) -> bytes:
    return bytes((number,)) if number < 128 else bytes((number & 127 | 128,)) + varint(number >> 7)


def entry(key: bytes, body: bytes) -> bytes:
    return varint(len(key)) + key + varint(len(body)) + body


HEAD = bytes((0 << 3 | 4,))  # level 0, gaps of four bytes
SHARDS: dict[str, bytes] = {
    "a varint without an end": b"\xff" * 40_000,
    "a long varint": b"\x80" * 2000 + b"\x01",
    "a key past the end": varint(2**31) + b"kite",
    "a body past the end": varint(4) + b"kite" + varint(2**31),
    "an empty key": entry(b"", b""),
    "keys in another order": entry(b"kite", b"\x01\x01\x01") + entry(b"kit", b"\x01\x01\x01"),
    "a key twice": entry(b"kite", b"\x01\x01\x01") * 2,
    "width 3": entry(b"kite", b"\x03\x01\x01\x01\x01"),
    "width 7": entry(b"kite", b"\x07\x01" + b"\x01" * 7),
    "an empty list": entry(b"kite", b"\x01\x00"),
    "a level twice": entry(b"kite", b"\x01\x01\x01\x01\x01\x02"),
    "levels in another order": entry(b"kite", b"\x09\x01\x01\x01\x01\x02"),
    "a list past the end": entry(b"kite", b"\x01\x7f\x01"),
    "an id past the end": entry(b"kite", HEAD + b"\x01" + (2**32 - 1).to_bytes(4, "little")),
    "ids past the end": entry(b"kite", b"\x01\x02\xfe\x50"),
    "more ids than records": entry(b"kite", b"\x01" + varint(200_000) + b"\x01" * 200_000),
    "ids of no block": entry(b"kite", b"\x00\x20" + b"\xff" * 32),
    "a bitmap past the end": entry(b"kite", b"\x00\x21" + b"\x00" * 32 + b"\x01"),
    "a large bitmap": entry(b"kite", b"\x00" + varint(2_000_000) + b"\x00" * 1_999_999 + b"\x01"),
    "half an entry": entry(b"kite", b"\x01\x01\x01")[:-1],
    "no UTF-8": entry(b"\xff\xfe", b"\x01\x01\x01"),
}


def test_a_shard_that_no_build_writes_is_damaged(site: Path) -> None:
    assert json.loads((site / MANIFEST[1:]).read_bytes())["shards"] == 1
    found = answers_of(site, [replaced(site, "keys", 0, data) for data in SHARDS.values()])
    first = found[:: len(TARGETS)]
    answers = dict(zip(SHARDS, first, strict=True))
    status, body = answers.pop("no UTF-8")
    assert status == 200 and json.loads(body)["data"] == []
    for name, (status, body) in answers.items():
        assert status == 503 and b"damaged" in body, name


def test_rows_and_columns_match_the_number_of_records(site: Path) -> None:
    block = read_block(site)
    rows = part(site, SMALL, slot_of(site, block)).read_bytes()[:-9]
    years = part(site, "columns/year", 0).read_bytes()
    topics = part(site, "columns/tag_topic", 0).read_bytes()
    sizes = part(site, "columns/team_size/values", 0).read_bytes()
    places = part(site, "columns/location/values", 0).read_bytes()
    #: Kind and number of a file, the number of a query that needs it, and other bytes.
    cases: list[tuple[str, int, int, list[bytes]]] = [
        (SMALL, block, 0, [
            b"", b"\n", rows[:-1] + b"\n\n", rows.partition(b"\n")[2], rows + rows, b"\n" * 10**6,
        ]),
        ("columns/year", 0, 1, [
            b"", years[:-1], years + b"\0", b"\xff" * 90, years[:-1] + b"\x08",
        ]),
        ("columns/tag_topic", 0, 3, [
            topics[:-1], topics + b"\1", b"\xff" + topics[1:], topics[:-1] + b"\0",
        ]),
        ("columns/team_size/values", 0, 4, [
            b"", sizes[:-1], sizes + sizes, sizes.replace(b"\t", b" "), sizes + b"9\t9\t1\n",
            *(sizes.replace(old, new, 1) for old, new in (
                (b"1\t", b"4\t"), (b"1\t", b"\t"), (b"1\t", b"one\t"), (b"1\t", b"\xff\t"),
                (b"\n", b"\t\n"), (b"\n", b"0000\n"), (b"\t1\t", b"\t1\t-"),
            )),
        ]),
        ("columns/location/values", 0, 3, [
            places.replace(b"\t8\n", level, 1)
            for level in (b"\n", b"\t\n", b"\tg\n", b"\t08\n", b"\t-8\n", b"\t8\t8\n")
        ]),
    ]  # fmt: skip
    for kind, number, query, variants in cases:
        found = answers_of(site, [replaced(site, kind, number, data) for data in variants])
        for data, (status, body) in zip(variants, found[query :: len(TARGETS)], strict=True):
            assert (status, b"damaged" in body) == (503, True), (kind, data[:40])


def test_blocks_match_the_records_and_the_files_of_rows(site: Path) -> None:
    """Each block has its own slot, and the blocks together have the number of records."""
    data = packed_blocks(site)
    number = len(data) // 3
    slots, sizes = data[: 2 * number], bytearray(data[2 * number :])
    full, other = ([sizes[0] & 15, *sizes[1:]], [*sizes[:1], sizes[1] ^ 16, *sizes[2:]])
    more = [sizes[0] ^ 1, *sizes[1:]]
    beyond = slots_for(number).to_bytes(2, "little") + slots[2:] + bytes(sizes)
    wrong = [b"", b"\0", beyond, data[:-1], data + b"\0", data * 2, b"\0" * 15, slots + bytes(more),
             slots + bytes(full), slots + bytes(other), slots + bytes((sizes[0] | 64, *sizes[1:])),
             slots[:2] + slots[:-2] + sizes, b"\xff\xff" + slots[2:] + sizes, b"\xff" * 300_000,
             b"\0" * 500_000]  # fmt: skip
    found = answers_of(
        site, [manifest(site, blocks=base64.b64encode(variant).decode()) for variant in wrong]
    )
    assert {status for status, _ in found} == {503}
    assert all(b"damaged: its manifest" in body for _, body in found)


def test_invalid_suggestion_words_are_damaged(site: Path) -> None:
    spelled = part(site, "spell", 0).read_bytes()
    wrong = [b"kite\t0\n", b"kite\t-1\n", b"kite\t1\t1\n", b"\xff\n", b"kite\tsome\n"]
    odd = [b"", b"\n\n", b"k i t e\nkite'\nKITE\n\t\n", b"!!!!\n----\n", spelled * 50]
    found = answers_of(site, [replaced(site, "spell", 0, data) for data in (*wrong, *odd)])
    answers = found[len(TARGETS) - 1 :: len(TARGETS)]
    assert all(status == 503 and b"damaged" in body for status, body in answers[: len(wrong)])
    assert all(status == 200 for status, _ in answers[len(wrong) :])


def test_pages_that_do_not_match_are_ignored(site: Path) -> None:
    """Their rows are read from files of rows instead."""
    good = answers_of(site, [{}])
    used = "/api/projects/sort/-year/page/1.json"
    page = (site / used[1:]).read_bytes()
    others = [page.replace(b"Kite", b"Kits"), b"", b"\n\n\n"]
    assert answers_of(site, [{used: other} for other in others]) == good * 3


def mutants(site: Path, number: int, seed: int) -> list[Files]:
    """The index with a few bytes of a file or a few values of the manifest changed, with correct
    checksums.
    """
    rng = random.Random(seed)
    parts = [("keys", 0), ("spell", 0), (SMALL, read_block(site))]
    for name in ("year", "team_size", "tag_topic", "location"):
        parts += [(f"columns/{name}", 0), (f"columns/{name}/values", 0)]
    found = []
    original = json.loads((site / MANIFEST[1:]).read_bytes())
    odd: list[Callable[[Any], Any]] = [
        lambda v: None, lambda v: [v], lambda v: {"a": v}, str, lambda v: -1, lambda v: 0,
        lambda v: 2**31, lambda v: 2**63, lambda v: 1e308, lambda v: [[]] * 500,
        lambda v: v + 1 if isinstance(v, int) else v * 2 if isinstance(v, str | list) else v,
    ]  # fmt: skip
    for _ in range(number):
        if rng.random() < 0.3:
            key = rng.choice([key for key in original if key != "check"])
            found.append(manifest(site, **{key: rng.choice(odd)(original[key])}))
            continue
        kind, n = rng.choice(parts)
        data = bytearray(part(site, kind, slot_of(site, n) if kind == SMALL else n).read_bytes())
        if kind == SMALL:
            del data[-9:]
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    data[at] = rng.randrange(256)
                case 1:
                    data[at] ^= 1 << rng.randrange(8)
                case 2:
                    del data[at : at + rng.randint(1, 9)]
                case _:
                    data[at:at] = rng.randbytes(rng.randint(1, 9))
        found.append(replaced(site, kind, n, bytes(data)))
    return found


def test_every_change_has_an_answer(site: Path) -> None:
    start = commands.cpu()
    found = answers_of(site, mutants(site, 100, seed=5))
    assert {200, 503} <= {status for status, _ in found} <= {200, 404, 503}
    assert commands.cpu() - start < 60


@pytest.mark.parametrize(
    ("path", "target", "status"),
    [
        ("page/1.json", "/api/projects?mode=page", 503),
        ("page/3.json", "/api/projects?mode=page&page=3", 503),
        ("sort/-year/page/1.json", "/api/projects?mode=page&sort=-year", 503),
        ("page/1.json", "/api/projects?mode=page&page=2", 200),
        ("page/1.json", "/api/projects?mode=page&page=9", 503),
        ("page/2.json", "/api/projects?mode=page&page=9", 404),
        ("page/2.json", "/api/projects?mode=page&year=1801", 404),
    ],
)
def test_a_lost_page_is_reported(
    path: str, target: str, status: int, site: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(site, tmp_path / "copy")
    (copy / "api/projects" / path).unlink()
    [(found, body)] = served(copy, target)
    assert found == status, body
    assert status != 503 or b"is missing. Build it again." in body
