"""Registries in memory: what the search index of their projects is made of, words drawn from their
records, results kept.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import generate
import sections

from generator.model.tables.table import Registry, Table
from generator.problems.diagnostic import is_error
from generator.published.content.guards import Guard
from generator.published.content.records import read as records_of
from generator.published.history.provenance import Moment
from generator.published.published import Published
from generator.search.index import CollectionIndex
from generator.search.terms import by_level

AS_OF = date(2026, 1, 1)
SHARED_MEMORY = Path("/dev/shm")
SEED = 1


@dataclass(frozen=True)
class Corpus:
    registry: Registry
    table: Table
    #: slug -> packed words (generator.search.terms).
    terms: Mapping[str, str]

    @property
    def size(self) -> int:
        """Rows a page."""
        return self.registry.settings.page_size

    def index(self) -> CollectionIndex:
        """The search index of the projects."""
        return CollectionIndex(self.table, self.registry)

    def words(self, slug: str) -> list[str]:
        """The words that a record is found by."""
        return sorted({word for _, words in by_level(self.terms[slug]) for word in words})

    def drawn(self, count: int, size: int) -> list[tuple[str, ...]]:
        """So many times `size` words of one record, the same ones each time."""
        chance, slugs = random.Random(SEED), sorted(self.terms)
        found: list[tuple[str, ...]] = []
        while len(found) < count:
            words = self.words(chance.choice(slugs))
            if len(words) >= size:
                found.append(tuple(chance.sample(words, size)))
        return found


@contextmanager
def folder(registry: int | Path) -> Iterator[Path]:
    """For as long as it takes, a content folder: a copy of one, or one with so many generated
    projects.
    """
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None) as work:
        if isinstance(registry, Path):
            shutil.copytree(registry, f"{work}/content")
        else:
            generate.generate(f"{work}/content", registry, SEED)
        yield Path(work, "content")


def read(content: Path) -> Corpus:
    """The projects of a content folder.  Raises ValueError where it has errors."""
    gc.disable()  # as a build does; and what was read stays
    records = records_of(str(content), Moment.of_day(AS_OF))
    if any(map(is_error, records.check(Guard(loss="allow"))[1])):
        raise ValueError(f"{content} has errors: registry check --content {content}")
    made = Published(records)
    registry = made.registry
    table = registry.tables["projects"]
    terms = {slug: words.decode() for slug, words in zip(table.slugs, table.words, strict=True)}
    gc.freeze()
    return Corpus(registry, table, terms)


def every(
    sizes: str, content: Path | None, measure: Callable[[int | Path], dict[str, Any]], kept: Path
) -> dict[str, Any]:
    """The results for each registry, by a title, the small ones first: of those that are asked for,
    and from earlier runs.
    """
    results = json.loads(kept.read_text()) if kept.exists() else {}
    for registry in [
        *(int(size) for size in sizes.split(",") if size),
        *([content] if content else []),
    ]:
        print(registry, file=sys.stderr, flush=True)
        result = measure(registry)
        origin = "a real registry" if registry is content else "generated"
        results[f"{result['records']:,} projects, {origin}"] = result
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(results))
    return dict(sorted(results.items(), key=lambda item: item[1]["records"]))


def spread(values: Sequence[float], form: str = ",.0f") -> str:
    """The median, the 95th percentile and the greatest."""
    ranked = sorted(values)
    return " / ".join(
        format(ranked[min(len(ranked) - 1, int(len(ranked) * part))], form)
        for part in (0.5, 0.95, 1)
    )


def command(about: str, section: str, measured: Callable[[int | Path, int], dict[str, Any]],
            rendered: Callable[[dict[str, Any]], str], kept: Path) -> None:  # fmt: skip
    """The command line of a benchmark whose tables are a section of benchmarks/queries.md."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--projects",
        default="10000,100000",
        help="sizes of generated registries, with commas; empty for none",
    )
    parser.add_argument("--content", type=Path, help="a real registry too")
    parser.add_argument("--queries", type=int, default=500, help="of each kind")
    document = Path(__file__).resolve().with_name("queries.md")
    parser.add_argument("--out", type=Path, default=document)
    parser.add_argument("--kept", type=Path, default=kept, help="results of all registries")
    options = parser.parse_args()
    results = every(
        options.projects,
        options.content,
        lambda registry: measured(registry, options.queries),
        options.kept,
    )
    sections.write(options.out, section, rendered(results))
