"""An index that somebody made up, with right checksums: both engines say the same of it, soon and
within their bounds.
"""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
import time
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson
import pytest

from generator.api.listing import rows_in
from generator.api.paths import SEARCH_SCRIPT
from generator.reader.site import Site
from generator.search.format import sealed
from generator.search.index import packed_checks
from generator.serve.answer import answer
from support import commands, registries
from support.engines import need

ROOT = "/api/index/projects"
MANIFEST = f"{ROOT}/manifest.json"
TARGETS = [
    "/api/projects?mode=page&q=kite+spare",
    "/api/projects?mode=page&tag_topic=space&sort=-year",
    "/api/projects?mode=page&q=kite&year=2004&sort=name",
]
PROJECTS = {
    f"kite-{n:02}": {
        "name": f"Kite {n:02}",
        "summary": "Spare sails",
        "year": 2000 + n % 7,
        "tags": {"topic": ["space"]},
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
    """The manifest with other values, and the right check of its own."""
    found = {**json.loads((site / MANIFEST[1:]).read_bytes()), **other}
    found.pop("check")
    return {MANIFEST: sealed(orjson.dumps(found, option=orjson.OPT_NON_STR_KEYS))}


def part(kind: str, number: int) -> str:
    return f"{ROOT}/{kind}/{number}.{'txt' if kind == 'rows' else 'bin'}"


def replaced(site: Path, kind: str, number: int, data: bytes) -> Files:
    """A file of the index in place of another, and a manifest that means it."""
    packed = json.loads((site / MANIFEST[1:]).read_bytes())["checks"]
    checks = array("I", base64.b64decode(packed[kind]))
    checks[number] = crc32(rows_in(data) if kind == "pages" else data)
    path = (
        f"/api/projects/page/{number + 1}.json"
        if kind == "pages"
        else f"{ROOT}/{kind}/{number}.{'txt' if kind == 'rows' else 'bin'}"
    )
    return {path: data, **manifest(site, checks={**packed, kind: packed_checks(checks)})}


def in_python(site: Path, cases: list[Files]) -> list[tuple[int, bytes]]:
    found = []
    for changed in cases:

        class Changed(Site):
            def read(self, path: str, held: Mapping[str, bytes] = changed) -> bytes | None:
                return held[path] if path in held else super().read(path)

        opened = Site.open(site)
        own = Changed(opened.out, opened.grammar, opened.problems)
        found += [
            (given.status, given.body)
            for given in (answer("GET", target, own) for target in TARGETS)
        ]
    return found


def in_javascript(site: Path, cases: list[Files]) -> list[tuple[int, bytes]]:
    need()
    encoded = [
        {path: base64.b64encode(data).decode() for path, data in changed.items()}
        for changed in cases
    ]
    script = (site / SEARCH_SCRIPT[1:]).read_text()
    given = json.dumps({"script": script, "site": str(site), "targets": TARGETS, "cases": encoded})
    command = ["node", "--max-old-space-size=160", str(Path(__file__).with_name("hostile.mjs"))]
    run = subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, timeout=120
    )
    assert (run.returncode, run.stderr) == (0, "")
    return [(status, base64.b64decode(body)) for status, body in json.loads(run.stdout)]


def both(site: Path, cases: list[Files]) -> list[tuple[int, bytes]]:
    """What both say of each case, to each of TARGETS."""
    wanted, found = in_python(site, cases), in_javascript(site, cases)
    pairs = zip(found, wanted, strict=True)
    assert [
        (i // len(TARGETS), i % len(TARGETS), f, w) for i, (f, w) in enumerate(pairs) if f != w
    ][:3] == []
    return wanted


WRONG: dict[str, list[Any]] = {
    "kind": ["project_list", None],
    "format": [1, 3, "2", None, -1, 1e9, 2.5, [], "\x1b]0;x"],
    "unicode": ["14.0", None, "\x1b]0;x", 17, ""],
    "collection": ["programs", None],
    "count": [0, 1, 89, 91, 10**6, 2**40, -1, 90.5, None, "90", [90], True, 1e300],
    "size": [0, -20, 1, 100, 2**31, None, "20"],
    "as_of": [20260801, "today", "2026-08-01T00:00", "\x1b]0;x", {}],
    "shards": [0, 3, 2**20, 2**31, -1, None, "1"],
    "split": [None, {}, [1], "abc", [[]]],
    "sorts": [
        None, [], {}, {"-year": None}, {"-year": [2]}, {"-year": [0, 1]}, {"-year": [3, 16384]},
        {"-year": [4, 16384]},
        {"-year": [2, 0]}, {"-year": [2, 7]}, {"-year": [2, -1]}, {"-name": [2, 16384]},
        {"-year": [2, 16384], "height": [2, 16384]},
    ],
    "rows": [0, 1, 15, 17, 20, -16, 2**31, None, "16"],
    "pages_a_block": [1, -1, 5, None, 2**31],
    "block_bytes": [None, [1], {}, ["1"]],
    "checks": [None, [], {}, {"keys": "AAAA"}, {"keys": 1}, {"keys": "é"}],
}  # fmt: skip


def test_a_manifest_that_contradicts_itself_is_damaged(site: Path) -> None:
    cases = [manifest(site, **{key: value}) for key, values in WRONG.items() for value in values]
    cases += [_without(site, key) for key in WRONG]
    found = both(site, cases)
    good = both(site, [manifest(site)])
    said = [json.loads(body)["detail"] for status, body in found if status == 503]
    assert {status for status, _ in good} == {200}
    # What has the right number of everything is found out where it is used; what does not use it is
    # answered rightly.
    assert [
        i for i, given in enumerate(found) if given[0] != 503 and given != good[i % len(TARGETS)]
    ] == []
    assert len(said) > len(found) - 20
    kinds = (
        "damaged: its manifest is not one",
        "damaged: a file of it is not one",
        "has the format",
        "was made by Unicode 14.0; ",
    )
    assert [text for text in said if not any(kind in text for kind in kinds)] == []
    assert not any("\x1b" in text for text in said)


def _without(site: Path, key: str) -> Files:
    found = json.loads((site / MANIFEST[1:]).read_bytes())
    del found[key], found["check"]
    return {MANIFEST: sealed(orjson.dumps(found))}


@pytest.mark.parametrize("key", ["count", "size", "shards", "rows", "sorts", "split"])
def test_a_manifest_that_was_changed_without_its_check_is_damaged(key: str, site: Path) -> None:
    found = json.loads((site / MANIFEST[1:]).read_bytes())
    found[key] = {
        "count": 80,
        "size": 19,
        "shards": 2,
        "rows": 15,
        "sorts": {"-year": [2, 100]},
        "split": ["kit"],
    }[key]
    assert {status for status, _ in both(site, [{MANIFEST: orjson.dumps(found) + b"\n"}])} == {503}


def varint(number: int) -> bytes:
    return bytes((number,)) if number < 128 else bytes((number & 127 | 128,)) + varint(number >> 7)


def entry(key: bytes, body: bytes) -> bytes:
    return varint(len(key)) + key + varint(len(body)) + body


HEAD = bytes((0 | 4 << 2,))  # class 0, gaps of four bytes
SHARDS: dict[str, bytes] = {
    "a varint without an end": b"\xff" * 40_000,
    "a long varint": b"\x80" * 2000 + b"\x01",
    "a key past the end": varint(2**31) + b"kite",
    "a body past the end": varint(4) + b"kite" + varint(2**31),
    "an empty key": entry(b"", b""),
    "keys in another order": entry(b"kite", b"\x04\x01\x01") + entry(b"kit", b"\x04\x01\x01"),
    "a key twice": entry(b"kite", b"\x04\x01\x01") * 2,
    "class 3": entry(b"kite", b"\x07\x01\x01"),
    "width 3": entry(b"kite", b"\x0c\x01\x01\x01\x01"),
    "width 60": entry(b"kite", bytes((60 << 2,)) + b"\x01" + b"\x01" * 60),
    "an empty list": entry(b"kite", b"\x04\x00"),
    "a class twice": entry(b"kite", b"\x04\x01\x01\x04\x01\x02"),
    "classes in another order": entry(b"kite", b"\x05\x01\x01\x04\x01\x02"),
    "a list past the end": entry(b"kite", b"\x04\x7f\x01"),
    "a position past the end": entry(b"kite", HEAD + b"\x01" + (2**32 - 1).to_bytes(4, "little")),
    "positions past the end": entry(b"kite", b"\x04\x02\x50\x50"),
    "more positions than records": entry(b"kite", b"\x04" + varint(200_000) + b"\x00" * 200_000),
    "a bitmap past the end": entry(b"kite", b"\x00\x10" + b"\xff" * 16),
    "a large bitmap": entry(b"kite", b"\x00" + varint(2_000_000) + b"\x00" * 1_999_999 + b"\x01"),
    "half an entry": entry(b"kite", b"\x04\x01\x01")[:-1],
    "no UTF-8": entry(b"\xff\xfe", b"\x04\x01\x01"),
}


def test_a_shard_that_no_build_writes_is_damaged(site: Path) -> None:
    assert json.loads((site / MANIFEST[1:]).read_bytes())["shards"] == 1
    found = both(site, [replaced(site, "keys", 0, data) for data in SHARDS.values()])
    first = found[:: len(TARGETS)]
    said = {name: (status, body) for name, (status, body) in zip(SHARDS, first, strict=True)}
    fine = said.pop("no UTF-8")
    assert fine[0] == 200 and json.loads(fine[1])["data"] == []
    assert {
        name: given for name, given in said.items() if given[0] != 503 or b"damaged" not in given[1]
    } == {}


def test_rows_and_numbers_are_as_many_as_there_are_records(site: Path) -> None:
    rows = (site / f"{ROOT[1:]}/rows/0.txt").read_bytes()
    numbers = (site / f"{ROOT[1:]}/sort/-year/0.bin").read_bytes()
    cases = [
        replaced(site, "rows", 0, data)
        for data in (
            b"",
            b"\n",
            rows[:-1] + b"\n\n",
            rows.partition(b"\n")[2],
            rows + rows,
            b"\n" * 10**6,
        )
    ]
    cases += [
        replaced(site, "sort/-year", 0, data)
        for data in (b"", numbers[:-1], numbers[:-2], numbers + b"\0\0")
    ]
    found = both(site, cases)
    for i, needed in enumerate([0] * 6 + [1] * 4):
        status, body = found[i * len(TARGETS) + needed]
        assert (status, b"damaged" in body) == (503, True), i


def mutants(site: Path, number: int, seed: int) -> list[Files]:
    """Files of the index with a few bytes, or the manifest with a few values, that are others; with
    right checksums.
    """
    rng = random.Random(seed)
    parts = [("keys", 0), ("rows", 0), ("rows", 2), ("sort/-year", 0)]
    found = []
    known = json.loads((site / MANIFEST[1:]).read_bytes())
    odd: list[Callable[[Any], Any]] = [
        lambda v: None, lambda v: [v], lambda v: {"a": v}, lambda v: str(v), lambda v: -1,
        lambda v: 0, lambda v: 2**31,
        lambda v: 2**63, lambda v: 1e308, lambda v: [[]] * 500,
        lambda v: v + 1 if isinstance(v, int) else v * 2 if isinstance(v, str | list) else v,
    ]  # fmt: skip
    for _ in range(number):
        if rng.random() < 0.3:
            key = rng.choice([key for key in known if key != "check"])
            found.append(manifest(site, **{key: rng.choice(odd)(known[key])}))
            continue
        kind, n = rng.choice(parts)
        data = bytearray((site / part(kind, n)[1:]).read_bytes())
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


def test_both_engines_say_the_same_of_what_was_changed_anywhere(site: Path) -> None:
    start = time.monotonic()
    found = both(site, mutants(site, 400, seed=5))
    assert {status for status, _ in found} <= {200, 404, 503}
    assert {200, 503} <= {status for status, _ in found}
    assert time.monotonic() - start < 60


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
def test_a_page_that_is_lost_is_told_as_that(
    path: str, target: str, status: int, site: Path, tmp_path: Path
) -> None:
    need()
    copy = shutil.copytree(site, tmp_path / "copy")
    (copy / "api/projects" / path).unlink()
    wanted = answer("GET", target, Site.open(copy))
    given = json.dumps(
        {
            "script": (copy / SEARCH_SCRIPT[1:]).read_text(),
            "site": str(copy),
            "targets": [target],
            "cases": [{}],
        }
    )
    command = ["node", str(Path(__file__).with_name("hostile.mjs"))]
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    [[found, body]] = json.loads(run.stdout)
    assert (found, base64.b64decode(body)) == (wanted.status, wanted.body)
    assert wanted.status == status, wanted.body
    assert status != 503 or b"is missing. Build it again." in wanted.body
