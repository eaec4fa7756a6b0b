"""A build log is believed in nothing: with right checksums it may still say anything, and then a
whole build is made.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import sys
import zlib
from array import array
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.build import build
from generator.build import head as head_of_log
from generator.build.inventory import INPUT, OUTPUT, Folder
from generator.build.plain import (
    SHOWN,
    LogDamaged,
    inventory_pieces,
    joined,
    parted,
    parted_inventory,
    shaped,
)
from generator.build.provenance import Moment
from generator.build.report import Nothing, Report, Whole
from generator.disk.below import is_below
from support import registries
from support.commands import build as build_command
from support.commands import differing, files, run_forked

MOMENT = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), date(2026, 6, 1), None)


def state(out: Path) -> Path:
    return out.parent / ".registry" / out.name / "log"


class Forger:
    """Changes a build log and makes its checksums right again."""

    def __init__(self, log: Path):
        self.log = log
        self.head: dict[str, Any] = orjson.loads(
            (log / "head").read_bytes()[len(head_of_log._MAGIC) + 4 :]
        )

    def sealed(self) -> None:
        for name, (file, _, _) in self.head["parts"].items():
            raw = (self.log / file).read_bytes() if (self.log / file).exists() else b""
            self.head["parts"][name] = [file, len(raw), zlib.crc32(raw)]
        self.write_head(orjson.dumps(self.head))

    def write_head(self, body: bytes) -> None:
        (self.log / "head").write_bytes(
            head_of_log._MAGIC + zlib.crc32(body).to_bytes(4, "big") + body
        )

    def rows(self, collection: str, change: Callable[[bytearray], None]) -> None:
        """Change the rows of a table, with the checksums that its places have of them."""
        file = self.log / self.head["rows"][collection][0]
        data = bytearray(file.read_bytes())
        change(data)
        file.write_bytes(data)
        places = self.log / self.head["parts"][f"places-{collection}"][0]
        head, (numbers,) = parted(places.read_bytes(), type(None))
        found = list(memoryview(numbers).cast("Q"))
        for i in range(0, len(found), 3):
            start, length = found[i : i + 2]
            found[i + 2] = zlib.crc32(data[start : start + length])
        places.write_bytes(joined(head, [array("Q", found).tobytes()]))


STRANGE = [
    "",
    "..",
    "../../../victim",
    "/etc/passwd",
    "a\0b",
    "\x1b]0;x\x07",
    "x" * 5000,
    0,
    -1,
    1,
    2**63,
    1.5,
    None,
    True,
    [],
    {},
    ["a"],
    {"a": 1},
]


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value of JSON with a key of it."""
    if isinstance(value, dict):
        return [(value, key) for key in value] + [
            pair for inner in value.values() for pair in places_in(inner)
        ]
    if isinstance(value, list):
        return [(value, i) for i in range(len(value))] + [
            pair for inner in value for pair in places_in(inner)
        ]
    return []


def forge(log: Path, chance: random.Random) -> str:
    """One change of a log; what it was."""
    forger = Forger(log)
    kind = chance.choice(
        ["bytes", "bytes", "json of a part", "head", "head", "head's bytes", "rows", "cut", "long"]
    )
    part = log / chance.choice(sorted(forger.head["parts"].values()))[0]
    raw = bytearray(part.read_bytes())
    if kind == "bytes":
        for _ in range(chance.choice([1, 3, 30])):
            raw[chance.randrange(len(raw))] = chance.choice([0, 1, 0x2E, 0x2F, 0x7F, 0x80, 0xFF])
        part.write_bytes(raw)
    elif kind == "json of a part":
        count = int.from_bytes(raw[:8], sys.byteorder)
        sizes = array("Q", raw[8 : 16 + 8 * count])
        end = 16 + 8 * count + sizes[0]
        value = [orjson.loads(raw[16 + 8 * count : end])]
        container, key = chance.choice(places_in(value))
        container[key] = chance.choice(STRANGE)
        made = json.dumps(value[0]).encode()
        part.write_bytes(array("Q", [count, len(made), *sizes[1:]]).tobytes() + made + raw[end:])
    elif kind == "head":
        container, key = chance.choice(places_in(forger.head))
        if isinstance(container, dict) and chance.random() < 0.3:
            container[str(chance.choice(STRANGE))] = container.pop(key)
        else:
            container[key] = chance.choice(STRANGE)
        forger.write_head(json.dumps(forger.head).encode())
        return f"{kind}: {key}"
    elif kind == "head's bytes":
        body = bytearray(orjson.dumps(forger.head))
        for _ in range(chance.choice([1, 2, 20])):
            body[chance.randrange(len(body))] = chance.choice(b'0123456789[]{},:"./-ae')
        forger.write_head(bytes(body))
        return kind
    elif kind == "rows":
        collection = chance.choice(
            sorted(name for name, (_, size) in forger.head["rows"].items() if size)
        )

        def change(data: bytearray) -> None:
            for _ in range(chance.choice([1, 5, 50])):
                data[chance.randrange(len(data))] = chance.choice(b'0129[]{},:"./-ae\xff')

        forger.rows(collection, change)
    elif kind == "cut":
        part.write_bytes(raw[: chance.randrange(len(raw))])
    else:
        part.write_bytes(raw + bytes(chance.randrange(1, 100)))
    forger.sealed()
    return f"{kind}: {part.name}"


EDITS: list[Callable[[dict[str, Any]], object]] = [
    lambda c: c["projects"]["bloom"].update(name="Zinnia", summary="Other words."),
    lambda c: c["projects"].pop("cairn"),
    lambda c: c["projects"].update(
        delta={"name": "Delta", "year": 1999, "aliases": ["delta-works"]}
    ),
    lambda c: c["programs"]["launch"].update(name="Lift-off"),
    lambda c: c["events"]["harbour-2020"].update(due="2027-03-01"),
    lambda c: None,
]


@pytest.mark.parametrize("seed", range(6))
def test_a_forged_log_with_right_checksums_ends_in_a_right_build(seed: int, tmp_path: Path) -> None:
    """Fifty changes of a log each; no exception, no file outside, no more memory than a build
    takes.
    """
    chance = random.Random(seed)
    before, content, out = (
        tmp_path / "before",
        tmp_path / "site" / "content",
        tmp_path / "site" / "out",
    )
    registries.write(content)
    records = registries.content()
    EDITS[seed](records)
    after = tmp_path / "after"
    registries.write(after, records)
    (tmp_path / "victim").write_text("mine")
    assert not build(str(content), out, MOMENT).failed
    shutil.copytree(out.parent, before, symlinks=True, copy_function=shutil.copy2)
    shutil.rmtree(content)
    shutil.copytree(after, content)
    assert not build(str(content), tmp_path / "fresh", MOMENT).failed
    wanted = files(tmp_path / "fresh")
    most, whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0
    for _ in range(50):
        shutil.rmtree(out.parent)
        shutil.copytree(before, out.parent, symlinks=True, copy_function=shutil.copy2)
        shutil.rmtree(content)
        shutil.copytree(after, content)
        what = forge(state(out), chance)
        report: Report = build(str(content), out, MOMENT)
        assert not report.failed, what
        whole += isinstance(report.outcome, Whole)
        # What a log says of bytes that it alone has can be wrong, and no more than that.
        found = files(out)
        if isinstance(report.outcome, Whole):
            assert differing(found, wanted) == [], what
        assert {path.name for path in tmp_path.iterdir()} == {
            "before",
            "after",
            "site",
            "fresh",
            "victim",
            ".registry",
        }, what
        assert {path.name for path in out.parent.iterdir()} == {"content", "out", ".registry"}, what
        assert (tmp_path / "victim").read_text() == "mine"
    # Not all that is forged is read where little changed.
    assert whole > 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < most + 200_000  # KiB


@pytest.mark.parametrize("name", ["head", "head.new", "inputs.9", "rows-projects.1"])
def test_where_a_link_in_the_log_leads_is_not_written(name: str, tmp_path: Path) -> None:
    content, out = registries.write(tmp_path / "content"), tmp_path / "out"
    build(str(content), out, MOMENT)
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (state(out) / name).unlink(missing_ok=True)
    (state(out) / name).symlink_to(victim)
    (content / "projects" / "new.yaml").write_text("name: New\n")
    assert not build(str(content), out, MOMENT).failed
    assert victim.read_text() == "mine"
    assert build(str(content), out, MOMENT).outcome == Nothing()


def test_a_folder_in_the_place_of_the_head_is_replaced(tmp_path: Path) -> None:
    content, out = registries.write(tmp_path / "content"), tmp_path / "out"
    build(str(content), out, MOMENT)
    (state(out) / "head").unlink()
    (state(out) / "head" / "more").mkdir(parents=True)
    assert isinstance(build(str(content), out, MOMENT).outcome, Whole)
    assert build(str(content), out, MOMENT).outcome == Nothing()


def test_a_content_folder_whose_name_is_no_text_is_built(tmp_path: Path) -> None:
    content = registries.write(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")))
    for _ in range(2):
        assert run_forked("build", "--content", content, "--out", tmp_path / "out").status == 0
    build_command(registries.write(tmp_path / "other"), tmp_path / "fresh", site=True)
    assert differing(files(tmp_path / "out"), files(tmp_path / "fresh")) == []


# --- the form of what is kept ---

SHAPE = {"a": [(str, int)], "b": {str: (str, ...)}, "c": str | None, "d": SHOWN}
GOOD = {"a": [["x", 1], ["y", 0]], "b": {"k": ["v"], "l": []}, "c": None, "d": "Bergen"}


def test_json_comes_back_in_the_form_asked_for() -> None:
    assert shaped(GOOD, SHAPE) == {
        "a": [("x", 1), ("y", 0)],
        "b": {"k": ("v",), "l": ()},
        "c": None,
        "d": "Bergen",
    }
    assert parted(joined(GOOD, [b"", b"\0\xff"]), SHAPE)[1] == [b"", b"\0\xff"]


OTHERS: list[dict[str, Any]] = [
    *({"a": value} for value in ([["x"]], [["x", -1]], [["x", True]], [["x", 1.0]], {})),
    *({"b": value} for value in ({"k": "v"}, [])),
    *({"c": 1}, {"d": "\x1b[2J"}, {"e": 1}),
]


@pytest.mark.parametrize("other", OTHERS)
def test_another_form_is_damage(other: dict[str, Any]) -> None:
    with pytest.raises(LogDamaged):
        shaped(GOOD | other, SHAPE)


NESTED = b"[" * 100_000


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0" * 7,
        b"\xff" * 8,
        joined(1)[:-1],
        joined(1) + b"x",
        array("Q", [0, len(NESTED)]).tobytes() + NESTED,
    ],
)
def test_bytes_that_were_not_joined_are_damage(raw: bytes) -> None:
    with pytest.raises(LogDamaged):
        parted(raw, int)


NUMBERS = bytes(8 * INPUT)


@pytest.mark.parametrize("folder", ["../x", "/x", "x/", "x//y", "a/../../b", "."])
def test_no_folder_of_an_inventory_leads_elsewhere(folder: str) -> None:
    with pytest.raises(LogDamaged):
        parted_inventory(b"".join(inventory_pieces({folder: Folder(b"name", NUMBERS)})), INPUT)


@pytest.mark.parametrize(
    "name", [b"..", b".", b"../x", b"a\0..", b"a\0\0b", b"a/b", b"/a", b"a\0/", b"../"]
)
@pytest.mark.parametrize("width", [INPUT, OUTPUT])
def test_no_name_of_an_inventory_leads_elsewhere(name: bytes, width: int) -> None:
    with pytest.raises(LogDamaged):
        held = Folder(name, bytes(8 * width) * (name.count(b"\0") + 1))
        parted_inventory(b"".join(inventory_pieces({"x": held})), width)


def test_an_inventory_comes_back_as_it_was() -> None:
    had = {
        "": Folder(b"a.yaml\0b/\0c//", NUMBERS * 3, bytes(60)),
        "x/\udcff": Folder(b"", b""),
        "y": Folder(b"..a\0.b\0c.", NUMBERS * 3),
    }
    assert parted_inventory(b"".join(inventory_pieces(had)), INPUT) == had
    assert parted_inventory(b"".join(inventory_pieces({})), OUTPUT) == {}


@pytest.mark.parametrize(
    ("path", "fine"),
    [
        ("a/b", True),
        ("a..b/.c", True),
        ("a/../b", False),
        ("", False),
        ("a//b", False),
        ("a\0", False),
    ],
)
def test_a_path_below_a_folder(path: str, fine: bool) -> None:
    assert is_below(path) is fine
