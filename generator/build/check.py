"""Records -> what a check of all content looks at in them; nothing is rendered or written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any, NamedTuple

from generator.build.read import read_good
from generator.build.rows import labels
from generator.dialect.folder import STREAMED, Content, Source
from generator.model.checks import Mark
from generator.model.checks.duplicates import mark
from generator.model.kinds import KINDS
from generator.model.symbols import Symbols
from generator.model.tables.coverage import covers
from generator.problems.diagnostic import Diagnostic, Packed

#: A check does this part of a build's work on a record, so several processes pay from more on.
SHARE = 1 / 4


class Checked(NamedTuple):
    """What came of some records that nothing refers to, as plain data: slugs, marks and facets of
    those without error, labels of places, aliases by slug, how many have which field; and problems.
    """

    collection: str
    slugs: list[str]
    marks: list[Mark]
    facets: list[tuple[str, ...]]
    labels: list[tuple[str, str]]
    aliases: dict[str, tuple[str, ...]]
    coverage: dict[int, int]
    problems: list[Packed]


@dataclass(slots=True)
class Tally:
    """The same of all records of a collection, and the numbers of those in each facet."""

    slugs: list[str] = field(default_factory=list)
    marks: dict[str, Mark] = field(default_factory=dict)
    members: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    labels: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    coverage: dict[int, int] = field(default_factory=dict)

    def add(self, some: Checked) -> None:
        first = len(self.slugs)
        self.slugs += some.slugs
        self.marks.update(zip(some.slugs, some.marks, strict=True))
        for number, facets in enumerate(some.facets, first):
            for facet in facets:
                self.members[facet].append(number)
        for place, label in some.labels:  # of several spellings the first in code-point order
            self.labels[place] = min(label, self.labels.get(place, label))
        self.aliases.update(some.aliases)
        for number, count in some.coverage.items():
            self.coverage[number] = self.coverage.get(number, 0) + count


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
    problems: list[Packed] = []
    good = read_good(kind, sources, content, symbols, problems)
    named: set[tuple[str, str]] = set()
    for _, model in good:
        named.update(labels(kind, model))
    return Checked(
        collection,
        [slug for slug, _ in good],
        [mark(collection, model) for _, model in good],
        [kind.facets(model, symbols) for _, model in good],
        list(named),
        {slug: tuple(model.aliases) for slug, model in good if model.aliases},
        dict(Counter(chain.from_iterable(covers(model) for _, model in good))),
        problems,
    )
