"""Measures other layouts of the search index beside ours: bytes, time to make it, what a question
reads, what a change changes.

    python benchmarks/layouts.py [--projects 10000,100000] [--content DIR] [--queries 50] [--out
    docs/search.md]

Each layout is ours with one constant or function changed, made in memory from a registry's
projects, and asked by the Python engine, which has read nothing before.  Writes tables into --out,
between two comments; those of other registries, from earlier runs, stay.
"""

from __future__ import annotations

import gzip
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import corpus
import report
import yaml
from corpus import AS_OF, SEED, Corpus, spread

from generator.dialect.folder import scan
from generator.grammar.grammar import Count, Query
from generator.grammar.refusals import QueryError
from generator.outputs.pages import render_page
from generator.search import (
    blocks,
    columns,
    engine,
    level_bitmaps,
    manifest,
    matching,
    rows,
    vocabulary,
)
from generator.search import format as postings
from generator.search.format import filter_key

HERE = Path(__file__).resolve().parent
RESULTS = HERE / ".cache" / "layouts.json"

Changes = dict[tuple[Any, str], Any]


def shards_of(size: int) -> Changes:
    return {(postings, "SHARD_WEIGHT"): size, (vocabulary, "GROUP_WEIGHT"): size // 2}


def blocks_of(size: int) -> Changes:
    return {(module, "BLOCK"): size for module in (blocks, level_bitmaps)}


def large_of(files: int) -> Changes:
    return {(blocks, "MAX_LARGE_FILES"): files}


OURS, POSTINGS = "**ours**", "counts from postings"
#: What the tables call a layout, and what is other in it.
LAYOUTS: dict[str, Changes] = {
    OURS: {},
    "shards of 4 K": shards_of(1 << 12),
    "shards of 64 K": shards_of(1 << 16),
    "blocks of 8": blocks_of(8),
    "40 large files": large_of(40),
    "no prepared pages": {(rows, "_page_sources"): lambda *_: []},
    "a read as dear as 1 K": {(rows, "_READ"): 1 << 10},
    "a read as dear as 16 K": {(rows, "_READ"): 1 << 14},
    "columns of 16,384 records": {(columns, "_CHUNK"): 1 << 14, (matching, "EARLY_PARTS"): 0},
    POSTINGS: {},
}
#: The layouts that count otherwise.
COUNTING = (OURS, "columns of 16,384 records", POSTINGS)


@contextmanager
def changed(layout: str) -> Iterator[None]:
    with ExitStack() as stack:
        for (module, name), value in LAYOUTS[layout].items():
            stack.enter_context(patch.object(module, name, value))
        if (matching, "EARLY_PARTS") in LAYOUTS[layout]:
            stack.enter_context(patch.object(engine, "EARLY_PARTS", 0))
        yield


class Files:
    """An index in memory, and the prepared pages of its registry; what is read is noted."""

    def __init__(self, given: Corpus):
        began = time.process_time()
        made = given.index()
        checks, self.files = {}, dict[str, bytes]()
        for part in made.parts():
            artifacts, checks[part] = made.render(part)
            self.files |= artifacts
        self.files |= [made.manifest(checks)]
        self.seconds = time.process_time() - began
        self.index, self.corpus = made, given
        self.sent = cache(lambda path: len(gzip.compress(self.data(path), 6)))
        self.reads: list[str] = []
        self.rounds = 0

    @cache  # noqa: B019  # for as long as a benchmark runs
    def data(self, path: str) -> bytes:
        if path in self.files:
            return self.files[path]
        table, registry = self.corpus.table, self.corpus.registry
        part, number = registry.symbols.grammar.parse_path(path)
        held = table.positions(part), table.summaries, self.corpus.size, registry.symbols.grammar
        return render_page(part, number, *held, AS_OF).data

    def __call__(self, paths: Sequence[str]) -> list[bytes]:
        self.reads += paths
        self.rounds += 1
        return list(map(self.data, paths))

    def reading(self, asked: Query | Count) -> tuple[set[str], int] | None:
        """The files that an answer takes and in how many rounds; None where it is refused."""
        self.reads, self.rounds = [], 0
        asking = engine.Engine(self.corpus.registry.symbols.grammar, self)
        try:
            asking.answer(asked)
        except QueryError:
            return None
        return {*self.reads}, self.rounds

    def from_postings(self, count: Count, read: set[str]) -> set[str]:
        """The files of a count that reads the postings of every value in place of columns."""
        every = {path for path in read if "/columns/" not in path}
        held = next(path for path in self.files if path.endswith("manifest.json"))
        known = manifest.Manifest.parse(self.files[held], count.collection)
        for name, values in self.corpus.table.counts().values.items():
            if name in count.by:
                shards = {known.layout.shard_of_key(filter_key(name, value)) for value in values}
                every |= {known.path(("keys", shard)) for shard in shards}
                every.add(known.path((manifest.values_kind(name), 0)))
        return every


# --- questions ------------------------------------------------------------------------------------

#: Words, filters and sort of a question.
KINDS = {
    "a word": (1, 0, ""),
    "two words": (2, 0, ""),
    "a word and a filter": (1, 1, ""),
    "two filters": (0, 2, ""),
    "a filter, newest first": (0, 1, "-year"),
    "a word, newest first": (1, 0, "-year"),
}


class Questions(NamedTuple):
    lists: list[Query]
    counts: dict[int, list[Count]]  # by so many filters


def drawn(given: Corpus, number: int) -> Questions:
    """So many questions of each kind, each about one record."""
    chance, collection = random.Random(SEED), given.table.collection
    slugs, every = sorted(given.terms), [*collection.prepared_filters]
    places = {slug: n for n, slug in enumerate(given.table.slugs)}

    def asked(words: int, filters: int) -> tuple[tuple[tuple[str, str], ...], str | None]:
        while True:
            slug = chance.choice(slugs)
            known = given.words(slug)
            facets = dict(given.table.rows[places[slug]].facets)
            if len(known) >= words and len(facets) >= filters:
                some = chance.sample(sorted(facets), filters)
                chosen = tuple((name, facets[name]) for name in every if name in some)
                return chosen, " ".join(chance.sample(known, words)) or None

    lists = []
    for words, filters, sort in KINDS.values():
        for _ in range(number):
            chosen, q = asked(words, filters)
            lists.append(Query(collection, chosen, sort, q))
    counts: dict[int, list[Count]] = {}
    for several in (1, 2, 3):
        for _ in range(number):
            chosen, q = asked(*chance.choice([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]))
            by = tuple(chance.sample(every, several))
            counts.setdefault(several, []).append(Count(collection, chosen, q, by))
    return Questions(lists, counts)


# --- changes --------------------------------------------------------------------------------------


def edit(path: Path) -> None:
    """Another summary, and three other words in the description."""
    data = yaml.safe_load(path.read_bytes())
    words = data["description"].split()
    for part, word in enumerate(("quartz", "lanterns", "meridian"), 1):
        words[len(words) * part // 4] = word
    write(
        path,
        data | {"summary": "Something else, said in other words.", "description": " ".join(words)},
    )


def add(path: Path) -> None:
    """One more record, that comes after this one."""
    data = yaml.safe_load(path.read_bytes())
    write(path.with_stem(f"{path.stem}-added"), data | {"name": f"{data['name']} added"})


def write(path: Path, data: dict[str, Any]) -> None:
    path.write_text(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "utf-8")


def in_the_middle(given: Corpus, content: Path) -> Path:
    """The file of a project in the middle of the list, one with a description."""
    paths = {
        source.slug: content / source.path for source in scan(str(content)).sources["projects"]
    }
    later = (paths[slug] for slug in given.table.slugs[len(given.table) // 2 :])
    return next(
        path
        for path in later
        if (text := path.read_text("utf-8"))
        and "\ndescription:" in text
        and "\naliases:" not in text
    )


def other(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> int:
    """Files that are new or other."""
    return sum(before.get(path) != data for path, data in after.items())


# --- the whole ------------------------------------------------------------------------------------


def measured(registry: int | Path, number: int) -> dict[str, Any]:
    """Every layout of one registry, as numbers."""
    with corpus.folder(registry) as content:
        given = corpus.read(content)
        record = in_the_middle(given, content)
        text = record.read_bytes()
        edit(record)
        edited = corpus.read(content)
        record.write_bytes(text)
        add(record)
        added = corpus.read(content)
    questions = drawn(given, number)
    found: dict[str, Any] = {"records": len(given.table), "layouts": {}, "counts": {}}
    for layout in LAYOUTS:
        with changed(layout):
            files = Files(given)
            one: dict[str, Any] = {}
            if layout != POSTINGS:
                one = {
                    "files": len(files.files),
                    "bytes": sum(map(len, files.files.values())),
                    "keys": sum(len(data) for p, data in files.files.items() if "/keys/" in p),
                    "columns": sum(len(d) for p, d in files.files.items() if "/columns/" in p),
                    "manifest": len(files.files[given.table.collection.manifest_path]),
                    "seconds": files.seconds,
                    "edited": other(files.files, Files(edited).files),
                    "added": other(files.files, Files(added).files),
                }
                found["layouts"][layout] = one | answers(files, questions.lists)
            if layout in COUNTING:
                found["counts"][layout] = {
                    by: answers(files, some, layout == POSTINGS)
                    for by, some in questions.counts.items()
                }
        print(f"  {layout}: {files.seconds:.1f} s", file=sys.stderr, flush=True)
    return found


def answers(
    files: Files, asked: Sequence[Query | Count], from_postings: bool = False
) -> dict[str, Any]:
    """What the answers to some questions take."""
    reads, sizes, sent, rounds, refused = [], [], [], [], 0
    for question in asked:
        took = files.reading(question)
        if took is None:
            refused += 1
            continue
        paths, one_after_another = took
        if from_postings and isinstance(question, Count):
            paths = files.from_postings(question, paths)
        reads.append(len(paths))
        sizes.append(sum(len(files.data(path)) for path in paths))
        sent.append(sum(map(files.sent, paths)))
        rounds.append(one_after_another)
    return {"reads": reads, "sizes": sizes, "sent": sent, "rounds": rounds, "refused": refused}


def taken(one: Mapping[str, Any]) -> list[str]:
    kilobytes = ([size / 1000 for size in one[key]] for key in ("sizes", "sent"))
    return [spread(one["reads"]), *map(spread, kilobytes), str(max(one["rounds"]))]


def rendered(results: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        asked = len(next(iter(result["layouts"].values()))["reads"])
        lines += [f"### {title}", "", f"{asked} lists.", ""]
        head = ["layout", "files", "bytes", "of keys", "of columns", "manifest", "CPU to make"]
        head += ["edited", "added", "reads", "KB", "KB sent", "rounds"]
        table = [
            [
                name,
                report.number(one["files"]),
                report.size(one["bytes"]),
                report.size(one["keys"]),
                report.size(one["columns"]),
                f"{one['manifest'] / 1000:.1f} KB",
                report.seconds(one["seconds"]),
                report.number(one["edited"]),
                report.number(one["added"]),
                *taken(one),
            ]
            for name, one in result["layouts"].items()
        ]
        lines += report.table(head, table)
        head = ["counts", "by", "reads", "KB", "KB sent", "rounds"]
        table = [
            [name, str(by), *taken(one)]
            for name, several in result["counts"].items()
            for by, one in several.items()
            if one["reads"]
        ]
        lines += report.table(head, table)
    return "\n".join(lines)


if __name__ == "__main__":
    corpus.command(__doc__, "layouts", measured, rendered, RESULTS)
