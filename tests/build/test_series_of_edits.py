"""After any edits, an incremental build writes the bytes of a clean build and reports the problems
of a full check.

An author (support/edits.py) makes the edits. `tests/frozen.py` compares long series with committed
digests; these tests compare short series with a clean build after each turn. They also make several
steps before a build, remove the state of the last build half way, damage the output and the state,
and divide the search index like that of a large registry.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from generator.build import build, load, read
from generator.build.options import BuildOptions
from generator.build.provenance import Moment
from generator.build.report import FullBuild, PartialBuild, Report
from generator.dialect.folder import STREAMED
from generator.search import blocks, columns, js, level_bitmaps, vocabulary
from generator.search import format as postings
from support import caches, own_fields, part
from support.commands import files
from support.corpora import CORPORA, SIGNING_KEY, write_records
from support.edits import Author, Chance

pytestmark = pytest.mark.slow

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
TURNS = 8
#: A copy of the output loses the state of its last build at this turn.
HALF = 4


class Case(NamedTuple):
    """A registry and its build options; `fine` divides its search index like that of a large
    registry."""

    write: Callable[[Path], object]
    options: Mapping[str, object]
    fine: bool = False


def _part(folder: Path) -> object:
    return part.copy(folder / "content", one_in=3)


def _own(folder: Path) -> None:
    """A fourth of the registry with own fields: several pages and parts of each collection."""
    whole = own_fields.content()
    kept = {name: dict(list(whole[name].items())[: len(whole[name]) // 4]) for name in STREAMED}
    write_records(folder / "content", {**whole, **kept})


API = {"site": False}
CASES = {
    "golden": Case(CORPORA["golden"].write, {"precompress": ("gzip",)}),
    "german": Case(CORPORA["german"].write, {"signing_key": SIGNING_KEY}),
    "part of content, API, finely divided": Case(_part, API, fine=True),
    "own fields, API": Case(_own, API),
    "own fields, API, finely divided": Case(_own, API, fine=True),
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small registries are read in several parts, as larger ones are."""
    monkeypatch.setattr(read, "_ONE_IN", 8)


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Divide the search index finely: several groups, blocks of rows and files of numbers."""

    def divide(fine: bool) -> None:
        if not fine:
            return
        monkeypatch.setattr(vocabulary, "GROUP_WEIGHT", 150)
        monkeypatch.setattr(postings, "SHARD_WEIGHT", 2000)
        monkeypatch.setattr(columns, "_CHUNK", 16)
        for module in (blocks, level_bitmaps, js):
            monkeypatch.setattr(module, "BLOCK", 4)
        sizes = {"GROUP": 2, "MAX_GROUPS": 3, "MAX_LARGE_FILES": 3, "MAX_LARGER_FILES": 2}
        for name, value in sizes.items():
            monkeypatch.setattr(blocks, name, value)

    return divide


class Series:
    """One author and the outputs under test. `kept` always has its state; `deleted` is a copy whose
    state is removed at turn HALF.
    """

    def __init__(self, case: Case, seed: int, folder: Path):
        case.write(folder)
        self.content = folder / "content"
        self.kept, self.deleted = folder / "kept" / "build", folder / "deleted" / "build"
        # A registry without pages never loads the broken template, so it would report no problem.
        self.author = Author(self.content, seed, without=("fault_of_template",))
        self.chance = Chance(seed)
        self._case, self._clean = case, folder / "clean"
        assert not self.run(self.kept).failed

    @property
    def outs(self) -> list[Path]:
        return [self.kept, self.deleted] if self.deleted.exists() else [self.kept]

    def run(self, out: Path, **more: object) -> Report:
        moment = Moment(AT, date.fromisoformat(self.author.day), None)
        options = {"loss": "allow", **self._case.options, **more}
        return build(str(self.content), out, moment, BuildOptions(**options))  # type: ignore[arg-type]

    def edit(self, number: int) -> tuple[list[str], bool]:
        """Make some steps and return their names, and whether the content has an error now."""
        steps = [self.author.step() for _ in range(self.chance.one((1, 1, 2, 5)))]
        if number == HALF:
            shutil.copytree(self.kept, self.deleted, symlinks=True)
        return [step.what for step in steps], steps[-1].faulty

    def clean(self) -> dict[str, bytes]:
        """The output of a build without cache and state."""
        shutil.rmtree(self._clean, ignore_errors=True)
        with caches.none():
            report = self.run(self._clean / "out", jobs=1)
        assert not report.failed, report.problems
        return files(self._clean / "out")

    def checked(self) -> list[str]:
        """The problems of the records, by a full check."""
        found = load.check(str(self.content), date.fromisoformat(self.author.day))
        return self.of_records(found.problems)

    @staticmethod
    def of_records(problems: object) -> list[str]:
        """All problems except those of registry.yaml, which may be about the output."""
        return [str(p) for p in problems if not p.path.endswith("registry.yaml")]  # type: ignore[attr-defined]


def assert_same(out: Path, wanted: Mapping[str, bytes], steps: object) -> None:
    found = files(out)
    assert sorted(found) == sorted(wanted), steps
    assert [path for path in wanted if found[path] != wanted[path]] == [], steps


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("golden", 1),
        ("part of content, API, finely divided", 4),
        ("own fields, API, finely divided", 7),
    ],
)
def test_any_edits_lead_to_the_output_of_a_clean_build(
    name: str, seed: int, divided: Callable[[bool], None], tmp_path: Path
) -> None:
    """With the state of the last build kept, and with the state removed half way."""
    divided(CASES[name].fine)
    series, parts = Series(CASES[name], seed, tmp_path), 0
    for number in range(TURNS):
        steps, faulty = series.edit(number)
        wanted = files(series.kept) if faulty else series.clean()
        checked = series.checked()
        for out in series.outs:
            report = series.run(out)
            assert report.failed == faulty, (steps, [str(p) for p in report.problems])
            assert isinstance(report.outcome, FullBuild) or out == series.kept or number != HALF
            parts += report.outcome == PartialBuild()
            assert_same(out, wanted, steps)
            assert series.of_records(report.problems) == checked, steps
            again = series.run(out)
            assert again.failed == faulty and not again.written and not again.removed, steps
    assert parts >= TURNS // 2, "hardly anything was built in part"


# --- accidents ---


def accident(out: Path, chance: Chance) -> str:
    """Damage the output or the state of its last build."""
    pages = sorted((out / "api").rglob("*.json"))
    page, seed = chance.one(pages), Random(chance.below(1 << 30))

    def replace_by_link() -> None:
        page.unlink()
        page.symlink_to("/dev/null")

    accidents: dict[str, Callable[[], object]] = {
        "a strange file": lambda: (page.parent / "strange").write_text("x"),
        "a deleted file": page.unlink,
        "a shorter file": lambda: os.truncate(page, 5),
        "a link": replace_by_link,
        "a deleted folder": lambda: shutil.rmtree(out / "api" / "programs", ignore_errors=True),
        "a damaged cache": lambda: caches.damage(seed),
        "a part of the cache that is lost": lambda: caches.lose_a_part(seed),
    }
    kind = chance.one(sorted(accidents))
    accidents[kind]()
    return kind


@pytest.mark.parametrize(("name", "seed"), [("part of content, API, finely divided", 1),
                                            ("german", 2), ("own fields, API", 3)])  # fmt: skip
def test_any_edits_and_accidents_lead_to_the_output_of_a_clean_build(
    name: str, seed: int, tmp_path: Path
) -> None:
    """Accidents damage the output and the state of the last build, with and without that state."""
    series = Series(CASES[name], seed, tmp_path)
    for number in range(TURNS):
        steps, faulty = series.edit(number)
        done = []
        if not faulty:
            done = [accident(series.kept, series.chance) for _ in range(1 + series.chance.below(2))]
            wanted = series.clean()
        for out in series.outs:
            report = series.run(out)
            assert report.failed == faulty, (steps, done, [str(p) for p in report.problems])
            if not faulty:
                assert_same(out, wanted, (steps, done))
    if not faulty:
        assert not any(series.run(out).written for out in series.outs)
