"""What came of records, put together as it comes from whoever read them."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from generator.api.diagnostic import Diagnostic
from generator.build import read
from generator.build.executors import Packs
from generator.build.report import Progress
from generator.build.runs import Postings, Stretch
from generator.records.checks import Mark
from generator.records.folder import STREAMED
from generator.tables.table import Batch, TableBuilder


class Words(Protocol):
    """Takes the words that each record is found by (see generator.search.terms)."""

    def add(self, slug: str, terms: str, /) -> None: ...


class Marks(Mapping[str, Mark]):
    """What checks across records look at, packed until they do: in memory, or of so many that it
    lies in a file of a folder.  Beside it are numbers that tell where each is.
    """

    def __init__(self, folder: str | None = None):
        self._packs, self._hashes, self._ends = Packs(folder), array("q"), [0]
        self._in_memory = folder is None

    def add(self, slugs: Iterable[str], packed: bytes) -> None:
        """Take those of some records, a list of (slug, mark) that is packed."""
        self._packs.add(packed)
        self._hashes.extend(map(hash, slugs))
        self._ends.append(len(self._hashes))

    def known(self) -> Mapping[str, Mark]:
        """All of them, where there is room for that as they are looked at."""
        return dict(self.items()) if self._in_memory else self

    def items(self) -> Any:
        return iter(self._packs)

    def __iter__(self) -> Iterator[str]:
        return (slug for slug, _ in self._packs)

    def __len__(self) -> int:
        return len(self._hashes)

    @cached_property
    def _order(self) -> array[int]:
        return array("I", sorted(range(len(self)), key=self._hashes.__getitem__))

    def __getitem__(self, slug: str) -> Mark:
        wanted, order = hash(slug), self._order
        place = bisect_left(order, wanted, key=self._hashes.__getitem__)
        while place < len(order) and self._hashes[order[place]] == wanted:
            which = bisect_right(self._ends, order[place]) - 1
            known, mark = self._packs.at(which)[order[place] - self._ends[which]]
            if known == slug:
                found: Mark = mark
                return found
            place += 1
        raise KeyError(slug)


@dataclass(slots=True)
class Gathered:
    """What came of records of one collection, as it comes; `words` takes what they are found by,
    where that is asked for.
    """

    words: Words | None = None
    rows: TableBuilder = field(default_factory=TableBuilder)
    marks: Marks = field(default_factory=Marks)
    seen: Packs = field(default_factory=Packs)  # read.Seen
    written: Packs = field(default_factory=Packs)  # write.Written
    sizes: tuple[int, int] = (0, 0)  # how many were written, and their bytes

    def add(
        self, rows: Batch, terms: Iterable[str], stretch: Stretch | None = None
    ) -> Sequence[str]:
        """Some records; their slugs.  Where a `stretch` has rows and words, only what is asked of
        all rows is taken of them.
        """
        if stretch is not None and isinstance(self.words, Postings):
            self.words.keep(stretch)
        kept = (stretch.fields, stretch.summaries) if stretch is not None else None
        slugs = self.rows.add(rows, kept)
        if self.words is not None:
            for slug, held in zip(slugs, terms, strict=True):
                self.words.add(slug, held)
        return slugs


def gather(
    results: Iterable[list[tuple[Any, ...]]],
    words: Mapping[str, Words],
    total: int,
    progress: Progress = lambda name, done, total: None,
    scratch: str | None = None,
) -> tuple[dict[str, Gathered], list[Diagnostic]]:
    """Put together what came of records (see generator.build.read), as it comes; with the
    problems.  What is only looked at later lies in the folder `scratch`, where there is one.
    """
    gathered = {
        name: Gathered(
            words.get(name), marks=Marks(scratch), seen=Packs(scratch), written=Packs(scratch)
        )
        for name in STREAMED
    }
    problems: list[Diagnostic] = []
    count = 0
    for result in results:
        for fields in result:
            done = read.Streamed(*fields)
            into = gathered[done.collection]
            stretch = Stretch(*done.run) if done.run else None
            into.marks.add(into.add(Batch(*done.rows), done.terms, stretch), done.marks)
            into.seen.add(done.seen)
            into.written.add(done.written)
            into.sizes = into.sizes[0] + done.sizes[0], into.sizes[1] + done.sizes[1]
            problems += map(Diagnostic.unpack, done.problems)
            count += len(done.terms)
        progress("records", count, total)
    return gathered, problems
