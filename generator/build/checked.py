"""Records -> what a check of all content looks at in them; nothing is rendered or written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from generator.api.diagnostic import Diagnostic, Packed
from generator.build.read import marked, read_good
from generator.build.rows import labels
from generator.records.checks import Mark
from generator.records.folder import STREAMED, Content, Source
from generator.records.kinds import KINDS
from generator.records.symbols import Symbols
from generator.tables.coverage import covers

#: A check does this part of a build's work on a record, so several processes pay from more on.
SHARE = 1 / 4


class Checked(NamedTuple):
    """What came of some records that nothing refers to, as plain data: of those without error slugs
    and marks, numbers of records by facet, labels of places, aliases by slug and how many cover
    what; and problems.
    """

    collection: str
    slugs: list[str]
    marks: list[Mark]
    members: dict[str, list[int]]
    labels: dict[str, str]
    aliases: dict[str, tuple[str, ...]]
    coverage: dict[int, int]
    problems: list[Packed]


@dataclass(slots=True)
class Tally:
    """The same of all records of a collection."""

    slugs: list[str] = field(default_factory=list)
    marks: dict[str, Mark] = field(default_factory=dict)
    members: dict[str, list[int]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    coverage: dict[int, int] = field(default_factory=dict)

    def add(self, some: Checked) -> None:
        first = len(self.slugs)
        self.slugs += some.slugs
        self.marks.update(zip(some.slugs, some.marks, strict=True))
        for facet, numbers in some.members.items():
            self.members.setdefault(facet, []).extend([first + number for number in numbers])
        _name(self.labels, some.labels.items())
        self.aliases.update(some.aliases)
        for bits, count in some.coverage.items():
            self.coverage[bits] = self.coverage.get(bits, 0) + count


def tally(results: Iterable[list[tuple[Any, ...]]]) -> tuple[dict[str, Tally], list[Diagnostic]]:
    """What comes of records, put together by collection, and their problems."""
    tallies = {name: Tally() for name in STREAMED}
    problems: list[Diagnostic] = []
    for result in results:
        for fields in result:
            some = Checked(*fields)
            tallies[some.collection].add(some)
            problems += map(Diagnostic.unpack, some.problems)
    return tallies, problems


def check_some(sources: list[Source], shared: tuple[str, Symbols]) -> list[tuple[Any, ...]]:
    """Read and check records of a content folder; for each collection the fields of `Checked`."""
    folder, symbols = shared
    content = Content(folder)
    return [
        tuple(_check_some(collection, list(some), content, symbols))
        for collection, some in groupby(sources, lambda source: source.path.partition("/")[0])
    ]


def _check_some(
    collection: str, sources: list[Source], content: Content, symbols: Symbols
) -> Checked:
    kind = KINDS[collection]
    members: defaultdict[str, list[int]] = defaultdict(list)
    done = Checked(collection, [], [], {}, {}, {}, {}, [])
    good = read_good(kind, sources, content, symbols, done.problems)
    for number, (slug, model) in enumerate(good):
        done.slugs.append(slug)
        done.marks.append(marked(collection, model))
        for facet in kind.facets(model, symbols):
            members[facet].append(number)
        _name(done.labels, labels(kind, model))
        if model.aliases:
            done.aliases[slug] = tuple(model.aliases)
        bits = covers(model)
        done.coverage[bits] = done.coverage.get(bits, 0) + 1
    return done._replace(members=dict(members))


def _name(labels: dict[str, str], more: Iterable[tuple[str, str]]) -> None:
    """Take labels of places in: of several spellings the first in code-point order."""
    for place, label in more:
        if place not in labels or label < labels[place]:
            labels[place] = label
