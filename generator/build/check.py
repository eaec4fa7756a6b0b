"""The read stage of `registry check`: it reads and checks projects and events, and renders none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any, NamedTuple

from generator.build.read import read_good
from generator.build.rows import place_labels as labels
from generator.dialect.folder import STREAMED, Content, Source
from generator.model.checks import DuplicateKeys
from generator.model.checks.duplicates import make_duplicate_keys
from generator.model.identifiers import by_host, ids_in_links
from generator.model.kinds import KINDS
from generator.model.symbols import Symbols
from generator.model.tables.coverage import coverage_numbers
from generator.problems.diagnostic import Diagnostic, Packed

#: The work of a check on a record, as a share of that of a build.
CHECK_SHARE = 1 / 4


class CheckedChunk(NamedTuple):
    """The result of checking a chunk of records, as plain data.

    `slugs`, `marks` (duplicate keys) and `facets` are those of records without errors; `labels` has
    (place, label), `coverage` the number of records with each field, `logos` the named logos,
    and `in_links` the number of links that are identifiers.
    """

    collection: str
    slugs: list[str]
    marks: list[DuplicateKeys]
    facets: list[tuple[str, ...]]
    labels: list[tuple[str, str]]
    aliases: dict[str, tuple[str, ...]]
    coverage: dict[int, int]
    logos: list[str]
    in_links: int
    problems: list[Packed]


@dataclass(slots=True)
class Tally:
    """The results of a collection; `members` has the numbers of the records in each facet."""

    slugs: list[str] = field(default_factory=list)
    marks: dict[str, DuplicateKeys] = field(default_factory=dict)
    members: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    labels: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    coverage: Counter[int] = field(default_factory=Counter)
    logos: set[str] = field(default_factory=set)
    in_links: int = 0

    def add(self, chunk: CheckedChunk) -> None:
        """Add the result of a chunk."""
        first = len(self.slugs)
        self.slugs += chunk.slugs
        self.marks.update(zip(chunk.slugs, chunk.marks, strict=True))
        for number, facets in enumerate(chunk.facets, first):
            for facet in facets:
                self.members[facet].append(number)
        for place, label in chunk.labels:  # of several labels, the first in code-point order
            self.labels[place] = min(label, self.labels.get(place, label))
        self.aliases.update(chunk.aliases)
        self.coverage.update(chunk.coverage)
        self.logos.update(chunk.logos)
        self.in_links += chunk.in_links


def tally(results: Iterable[list[tuple[Any, ...]]]) -> tuple[dict[str, Tally], list[Diagnostic]]:
    """Add up results of `check_chunk`: a Tally by collection, and the problems."""
    tallies = {name: Tally() for name in STREAMED}
    problems: list[Diagnostic] = []
    for result in results:
        for fields in result:
            chunk = CheckedChunk(*fields)
            tallies[chunk.collection].add(chunk)
            problems += map(Diagnostic.unpack, chunk.problems)
    return tallies, problems


def check_chunk(sources: list[Source], shared: tuple[str, Symbols]) -> list[tuple[Any, ...]]:
    """Read and check records; the fields of a `CheckedChunk` for each collection among them."""
    folder, symbols = shared
    content = Content(folder)
    return [
        tuple(_check_collection(collection, list(group), content, symbols))
        for collection, group in groupby(sources, lambda source: source.path.partition("/")[0])
    ]


def _check_collection(
    collection: str, sources: list[Source], content: Content, symbols: Symbols
) -> CheckedChunk:
    kind = KINDS[collection]
    problems: list[Packed] = []
    logos: set[str] = set()
    good = read_good(kind, sources, content, symbols, problems, logos)
    place_labels: set[tuple[str, str]] = set()
    for _, model in good:
        place_labels.update(labels(model, symbols))
    return CheckedChunk(
        collection,
        [slug for slug, _ in good],
        [make_duplicate_keys(collection, model) for _, model in good],
        [kind.facets(model, symbols) for _, model in good],
        list(place_labels),
        {slug: tuple(model.aliases) for slug, model in good if model.aliases},
        dict(Counter(chain.from_iterable(coverage_numbers(model) for _, model in good))),
        sorted(logos),
        count_in_links((model for _, model in good), symbols),
        problems,
    )


def count_in_links(models: Iterable[Any], symbols: Symbols) -> int:
    """The number of links that are addresses of identifiers."""
    hosts = by_host(symbols.schemes)
    return sum(len(ids_in_links(model.links, hosts)) for model in models if model.links)
