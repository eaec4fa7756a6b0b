"""Measures other layouts of the search index beside ours: bytes, time to make it, what a query
reads, what a change changes.

    python benchmarks/layouts.py [--projects 10000,100000] [--content DIR] [--queries 500] [--out
    docs/search.md]

Each layout is ours with one change (variants.py), made in memory from the terms of a registry's
projects.  A query is two words of one record; which files it reads is computed, and for our layout
held against the engine.  Writes tables into --out, between two comments; those of other registries,
from earlier runs, stay.
"""

from __future__ import annotations

import gzip
import sys
import time
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import corpus
import orjson
import report
import yaml
from corpus import Corpus, spread
from variants import LAYOUTS, OURS, Ours, laid

from generator.api.grammar import Query, Slice
from generator.api.listing import total_pages
from generator.outputs.pages import page
from generator.records.folder import scan
from generator.search import engine as search
from generator.search import format as postings
from generator.search.index import together

HERE = Path(__file__).resolve().parent
RESULTS = HERE / ".cache" / "layouts.json"
LOOKED_UP = 100  # queries that looking up is timed with
NARROW = 100  # matches
AIM_READS, AIM_KB = 5, 100


# --- queries --------------------------------------------------------------------------------------


class Answers:
    """What the answers to queries are, whatever the layout."""

    def __init__(self, given: Corpus):
        self.vocabulary = given.vocabulary()
        self.words = sorted(self.vocabulary.counts())
        self.sets = cache(self._sets)

    def _sets(self, word: str) -> list[set[int]]:
        """The positions of the records that have a word of a query, by class."""
        end = word + chr(sys.maxunicode) if len(word) >= postings.PREFIX else word
        found = self.words[bisect_left(self.words, word) : bisect_right(self.words, end)]
        return list(map(set, together(map(self.vocabulary.lists, found))))

    def matches(self, words: Sequence[str]) -> list[int]:
        """The positions of the records that match, by relevance."""
        sets = [self.sets(word) for word in words]
        every = set.intersection(*(set().union(*of) for of in sets))
        return sorted(
            every,
            key=lambda p: (
                sum(next(c for c, having in enumerate(of) if p in having) for of in sets),
                p,
            ),
        )


def checked(
    layout: Ours,
    prepared: Mapping[str, bytes],
    queries: Sequence[tuple[str, ...]],
    answers: Answers,
) -> None:
    """Hold what is computed of a layout against what the engine reads.  Raises SystemExit."""
    files, grammar = {**layout.files, **prepared}, layout.corpus.registry.symbols.grammar
    for words in queries:
        read: list[str] = []

        def reader(paths: Sequence[str], read: list[str] = read) -> list[bytes | None]:
            read.extend(paths)
            return [files[path] for path in paths]

        answer = orjson.loads(
            search.Engine(grammar, reader).answer(Query(layout.collection, q=" ".join(words)))
        )
        matches = answers.matches(words)
        if answer["page"]["total_items"] != len(matches) or set(read) != set.union(
            *layout.reads(words, matches)
        ):
            raise SystemExit(f"{words}: the engine reads other files than this benchmark thinks")


def looked_up(layout: Ours, queries: Sequence[tuple[str, ...]]) -> float:
    """CPU seconds that the Python engine needs to find the words of a query in files it has; the
    median.
    """
    found = []
    with patch.object(search, "unpack", layout.unpack):
        for words in queries:
            began = time.process_time()
            for word in words:
                for path, key, more in layout.shards(word):
                    search._look_up(layout.files[path], key, more)
            found.append(time.process_time() - began)
    return median(found)


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


def differing(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> int:
    """Files that are other, new or gone."""
    return sum(before.get(path) != after.get(path) for path in before.keys() | after.keys())


# --- the whole ------------------------------------------------------------------------------------


def measured(registry: int | Path, count: int) -> dict[str, Any]:
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
    queries, answers = given.drawn(count, 2), Answers(given)
    matches = [answers.matches(words) for words in queries]
    table, symbols = given.table, given.registry.symbols
    whole = Slice(table.collection)
    rows, size, day = table.positions(whole), given.size, given.registry.as_of
    cut = (
        page(whole, number, rows, table.summaries, size, symbols.grammar, day)
        for number in range(1, total_pages(len(rows), size) + 1)
    )
    prepared = {artifact.path: artifact.data for artifact in cut}
    found: dict[str, Any] = {
        "records": len(table),
        "matches": list(map(len, matches)),
        "layouts": {},
    }
    for name in LAYOUTS:
        layout = laid(name, given)
        if name == OURS:
            checked(layout, prepared, queries[:LOOKED_UP], answers)
        files = {**layout.files, **prepared}
        sent = cache(
            lambda path, files=files: (
                len(files[path]) if path.endswith(".bin") else len(gzip.compress(files[path], 6))
            )
        )
        finding = [layout.reads(*asked) for asked in zip(queries, matches, strict=True)]
        read = [first | rows for first, rows in finding]
        found["layouts"][name] = {
            "files": len(layout.files),
            "bytes": sum(map(len, layout.files.values())),
            "keys": sum(len(data) for path, data in layout.files.items() if "/keys/" in path),
            "manifest": len(layout.files[layout.collection.manifest_path]),
            "seconds": layout.seconds,
            "looked_up": looked_up(layout, queries[:LOOKED_UP]),
            "edited": differing(layout.files, laid(name, edited).files),
            "added": differing(layout.files, laid(name, added).files),
            "finding": [len(first) for first, _ in finding],
            "finding_bytes": [sum(len(files[path]) for path in first) for first, _ in finding],
            "reads": [len(paths) for paths in read],
            "read_bytes": [sum(len(files[path]) for path in paths) for paths in read],
            "sent_bytes": [sum(map(sent, paths)) for paths in read],
        }
        print(
            f"  {name}: {layout.seconds:.1f} s, {spread(found['layouts'][name]['reads'])} reads",
            file=sys.stderr,
            flush=True,
        )
    return found


def rendered(results: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        matches, layouts = result["matches"], result["layouts"]
        narrow = [number for number, count in enumerate(matches) if count <= NARROW]
        lines += [f"### {title}", ""]
        lines += [
            f"{len(matches)} queries with {spread(matches)} matches; {len(narrow)} of them with "
            f"{NARROW} or fewer.",
            "",
        ]
        head = [
            "layout",
            "files",
            "bytes",
            "of keys",
            "manifest",
            "CPU to make",
            "looking up",
            "edited",
            "added",
        ]
        rows = [
            [
                name,
                report.number(one["files"]),
                report.size(one["bytes"]),
                report.size(one["keys"]),
                f"{one['manifest'] / 1000:.0f} KB",
                report.seconds(one["seconds"]),
                report.seconds(one["looked_up"]),
                report.number(one["edited"]),
                report.number(one["added"]),
            ]
            for name, one in layouts.items()
        ]
        lines += report.table(head, rows)
        head = [
            "layout",
            "reads to find",
            "KB",
            "reads in all",
            "KB",
            "KB sent",
            f"more than {search.MAX_READS} reads",
            f"within {AIM_READS} reads and {AIM_KB} KB",
            f"{NARROW} matches or fewer: reads",
            "KB",
        ]
        rows = []
        for name, one in layouts.items():
            finding, read, sent = (
                [size / 1000 for size in one[key]]
                for key in ("finding_bytes", "read_bytes", "sent_bytes")
            )
            within = sum(
                n <= AIM_READS and size <= AIM_KB
                for n, size in zip(one["reads"], read, strict=True)
            )
            rows.append(
                [
                    name,
                    spread(one["finding"]),
                    spread(finding),
                    spread(one["reads"]),
                    spread(read),
                    spread(sent),
                    report.number(sum(n > search.MAX_READS for n in one["reads"])),
                    f"{within / len(read):.0%}",
                    spread([one["reads"][n] for n in narrow]) if narrow else "–",
                    spread([read[n] for n in narrow]) if narrow else "–",
                ]
            )
        lines += report.table(head, rows)
    return "\n".join(lines)


if __name__ == "__main__":
    corpus.command(__doc__, "layouts", measured, rendered, RESULTS)
