"""What came of records, put together as it comes from whoever read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Gathered:
    """What came of records of one collection, as it comes; `words` takes what they are found by,
    where that is asked for.
    """

    words: Words | None = None
    rows: TableBuilder = field(default_factory=TableBuilder)
    marks: dict[str, Mark] = field(default_factory=dict)
    seen: Packs = field(default_factory=Packs)  # read.Seen
    written: Packs = field(default_factory=Packs)  # write.Written
    _alike: dict[str, str] = field(default_factory=dict)

    def add(
        self,
        rows: Batch,
        terms: Iterable[str],
        marks: Iterable[Mark],
        stretch: Stretch | None = None,
    ) -> None:
        """Some records; where a `stretch` has rows and words, only what is asked of all rows is
        taken of them.
        """
        if stretch is not None and isinstance(self.words, Postings):
            self.words.keep(stretch)
        kept = (stretch.fields, stretch.summaries) if stretch is not None else None
        keys, alike = self.rows.keys, self._alike.setdefault
        first = len(keys)
        added = enumerate(self.rows.add(rows, kept), first)
        for (number, slug), held, mark in zip(added, terms, marks, strict=True):
            name, website, countries, turns = mark
            if name == keys[number][0]:
                name = keys[number][0]  # one text in place of two
            countries, turns = alike(countries, countries), alike(turns, turns)
            self.marks[slug] = name, website, countries, turns
            if self.words is not None:
                self.words.add(slug, held)


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
        name: Gathered(words.get(name), seen=Packs(scratch), written=Packs(scratch))
        for name in STREAMED
    }
    problems: list[Diagnostic] = []
    count = 0
    for result in results:
        for fields in result:
            done = read.Streamed(*fields)
            into = gathered[done.collection]
            stretch = Stretch(*done.run) if done.run else None
            into.add(Batch(*done.rows), done.terms, done.marks, stretch)
            into.seen.extend(done.seen)
            into.written.extend(done.written)
            problems += map(Diagnostic.unpack, done.problems)
            count += len(done.terms)
        progress("records", count, total)
    return gathered, problems
