"""Asks our query tier, SQLite FTS5 and minisearch the same questions of the same records.

    python benchmarks/queries.py [--projects 10000,100000] [--content DIR] [--queries 500] [--out
    benchmarks/queries.md]

Each engine is a process; a question goes to one after the other, so that ratios are of pairs.
Totals and first pages are compared.  Needs node 20 with npm; minisearch is installed below
benchmarks/.cache on first use.  Writes tables into --out, between two comments; those of other
registries, from earlier runs, stay.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import corpus
import measure
import report
from corpus import Corpus, spread

from generator.dialect.folder import scan
from generator.grammar.grammar import Query
from generator.model import kinds
from generator.model.validate import read_model
from generator.search.terms import terms_from_model

HERE = Path(__file__).resolve().parent
CACHE = HERE / ".cache"
RESULTS, MINISEARCH = CACHE / "queries.json", HERE / "peers" / "minisearch"
ENGINES = {
    "javascript": "ours, JavaScript",
    "python": "ours, Python",
    "sqlite": "SQLite FTS5",
    "minisearch": "minisearch",
}
OURS, RIVALS = ("javascript", "python"), ("sqlite", "minisearch")
#: What is asked -> how many words of a record, how many of its filters' values, and the order.
KINDS = {
    "one word, by name": (1, 0, "name"),
    "two words, by name": (2, 0, "name"),
    "two words, by relevance": (2, 0, "relevance"),
    "a word and a filter, by name": (1, 1, "name"),
    "two filters, by year": (0, 2, "-year"),
}
WARM_UP, COLD = 20, 100  # questions of each kind
ENOUGH = 20.0  # seconds that an engine answers questions of a kind, after which it is asked no more
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(HERE.parent)}


def questions(given: Corpus, kind: str, count: int) -> Iterator[dict[str, Any]]:
    """So many questions that one record at least answers."""
    words, values, order = KINDS[kind]
    grammar, collection = given.registry.symbols.grammar, given.table.collection
    chance, rows = random.Random(f"{corpus.SEED}/{kind}"), given.table.rows
    while count:
        row = rows[chance.randrange(len(rows))]
        having = sorted(
            (facet.filter, facet.value)
            for facet in row.facets
            if facet.filter in collection.filters
        )
        known = given.words(row.slug)
        names = {name for name, _ in having}
        if len(known) < words or len(names) < values:
            continue
        picked = dict(
            chance.choice([pair for pair in having if pair[0] == name])
            for name in chance.sample(sorted(names), values)
        )
        filters = tuple((name, picked[name]) for name in collection.filters if name in picked)
        query = Query(collection, filters, order, " ".join(chance.sample(known, words)) or None)
        count -= 1
        yield {
            "target": grammar.query_url(query),
            "q": query.q,
            "filters": dict(filters),
            "sort": order,
        }


class Engine:
    """A process that answers questions."""

    def __init__(self, words: list[str]):
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
        )
        self._line()

    def ask(self, question: dict[str, Any], cold: bool = False) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({**question, "cold": cold}) + "\n")
        self.process.stdin.flush()
        return json.loads(self._line())

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args} ended")
        return line

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def install() -> Path:
    """The folder of minisearch, installed once for each lock."""
    home = CACHE / "minisearch"
    lock = home / "package-lock.json"
    if (
        not (home / "node_modules").exists()
        or lock.read_bytes() != (MINISEARCH / lock.name).read_bytes()
    ):
        home.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", lock.name):
            shutil.copyfile(MINISEARCH / name, home / name)
        subprocess.run(
            ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=home,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return home / "node_modules" / "minisearch"


def write_records(given: Corpus, content: Path, out: Path, file: Path) -> float:
    """A line for each project, in the default order; the CPU seconds that its words took us."""
    symbols, seconds, kind = given.registry.symbols, 0.0, kinds.KINDS["projects"]
    paths = {source.slug: source.path for source in scan(str(content)).sources["projects"]}
    with file.open("w", encoding="utf-8") as lines:
        for row in given.table.rows:
            data = json.loads(
                (out / given.table.collection.record_path(row.slug)[1:]).read_bytes()
            )["data"]
            model = read_model((content / paths[row.slug]).read_bytes(), kind.model)[0]
            began = time.process_time()
            terms_from_model("projects", model, symbols)
            seconds += time.process_time() - began
            labels = [
                symbols.tag_label(family, tag)
                for family, tags in data["tags"].items()
                for tag in tags
            ]
            record = {
                "names": ", ".join([data["name"], *data.get("former_names", ())]),
                "summary": data["summary"] or "",
                "tags": ", ".join(labels),
                "description": data["description"] or "",
                "facets": [
                    facet.text
                    for facet in row.facets
                    if facet.filter in given.table.collection.filters
                ],
                "year": row.numbers[0],
                "row": row.summary.decode(),
            }
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    return seconds


def index_of(given: Corpus) -> tuple[float, int]:
    """The CPU seconds that our index takes, and its bytes."""
    began = time.process_time()
    index, checks, size = given.index(), {}, 0
    for part in index.parts():
        artifacts, checks[part] = index.render(part)
        size += sum(len(artifact.data) for artifact in artifacts)
    size += len(index.manifest(checks).data)
    return time.process_time() - began, size


def asked(engines: dict[str, Engine], every: list[dict[str, Any]], out: Path) -> dict[str, Any]:
    """What the engines say to some questions of one kind, the first of them only to get warm."""

    @cache
    def sizes(path: str) -> tuple[int, int]:
        """Bytes as they lie there, and as a host sends them."""
        data = (out / path[1:]).read_bytes()
        return len(data), len(gzip.compress(data, 6))

    found: dict[str, Any] = {
        "seconds": {name: [] for name in engines},
        "same_totals": dict.fromkeys(engines, 0),
        "same_pages": dict.fromkeys(engines, 0),
        "totals": [],
        "cold": {"python": [], "sqlite": []},
    }
    for question in every[:COLD]:
        paths = engines["python"].ask(question, cold=True)["paths"]
        found["cold"]["python"].append(
            [len(paths), *map(sum, zip(*map(sizes, paths), strict=True))]
        )
        found["cold"]["sqlite"].append(engines["sqlite"].ask(question, cold=True)["read"])
    for number, question in enumerate(every):
        ours: dict[str, Any] = {}
        for name, engine in engines.items():
            if sum(found["seconds"][name]) > ENOUGH:
                continue
            answer = engine.ask(question)
            ours = ours or answer
            if number >= WARM_UP:
                found["seconds"][name].append(answer["seconds"])
                found["same_totals"][name] += answer["total"] == ours["total"]
                found["same_pages"][name] += answer["slugs"] == ours["slugs"]
        if number >= WARM_UP:
            found["totals"].append(ours["total"])
    return found


def measured(registry: int | Path, count: int) -> dict[str, Any]:
    """Every engine on one registry, as numbers."""
    with corpus.folder(registry) as content:
        work = content.parent
        out, source, database = work / "out", work / "records.jsonl", work / "records.db"
        words = [
            sys.executable,
            "-m",
            "generator",
            "build",
            "--content",
            str(content),
            "--out",
            str(out),
        ]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        given = corpus.read(content)
        splitting = write_records(given, content, out, source)
        indexing, kept = index_of(given)
        node = ["node", "--max-old-space-size=12288"]
        rivals = {
            "sqlite": [
                sys.executable,
                str(HERE / "peers/sqlite/engine.py"),
                str(out),
                str(database),
            ],
            "minisearch": [*node, str(MINISEARCH / "engine.mjs"), str(install()), str(work)],
        }
        seconds = {name: made([*words, str(source)]) for name, words in rivals.items()}
        engines: dict[str, Engine] = {}
        try:
            for name, words in {
                "javascript": [*node, str(HERE / "engine.mjs"), str(out)],
                "python": [sys.executable, str(HERE / "engine.py"), str(out)],
                **rivals,
            }.items():
                engines[name] = Engine(words)
            kinds = {}
            for kind in KINDS:
                kinds[kind] = asked(engines, list(questions(given, kind, WARM_UP + count)), out)
                medians = (
                    f"{name} {report.seconds(median(kinds[kind]['seconds'][name]))}"
                    for name in engines
                )
                print(f"  {kind}: {', '.join(medians)}", file=sys.stderr, flush=True)
            memory = {name: measure.pss(engine.process.pid) for name, engine in engines.items()}
        finally:
            for engine in engines.values():
                engine.end()
        fetched = {"sqlite": [database], "minisearch": [work / "index.json", work / "rows.json"]}
        return {
            "records": len(given.table),
            "kinds": kinds,
            "memory": memory,
            "seconds": {"python": splitting + indexing, **seconds},
            "kept": kept,
            "fetched": {
                name: [sum(map(f, paths)) for f in (size, gzipped)]
                for name, paths in fetched.items()
            },
        }


def made(words: list[str]) -> float:
    """The CPU seconds that an engine says it took to make what it answers from."""
    return json.loads(
        subprocess.run(words, check=True, stdout=subprocess.PIPE, env=ENVIRONMENT).stdout
    )["seconds"]


def size(path: Path) -> int:
    return path.stat().st_size


def gzipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


# --- the tables -----------------------------------------------------------------------------------


def rendered(results: dict[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        lines += [f"### {title}", "", *moved(result), *latency(result)]
    return "\n".join(lines)


def moved(result: dict[str, Any]) -> list[str]:
    """What it takes to answer the first question."""
    ours = [row for found in result["kinds"].values() for row in found["cold"]["python"]]
    read, sent = ([row[column] for row in ours] for column in (1, 2))
    local = [number for found in result["kinds"].values() for number in found["cold"]["sqlite"]]
    made, memory = result["seconds"], result["memory"]
    rows = [
        [
            "ours",
            report.seconds(made["python"]),
            report.size(result["kept"]),
            f"{median(read) / 1000:.0f} KB, at most {max(read) / 1000:,.0f} KB",
            f"{median(sent) / 1000:.0f} KB, at most {max(sent) / 1000:,.0f} KB",
            f"{report.size(memory['javascript'])}, Python {report.size(memory['python'])}",
        ]
    ]
    for name in RIVALS:
        raw, packed = result["fetched"][name]
        bytes_moved = [
            f"{report.size(n)}, {n / median(by):,.0f}× ours"
            for n, by in ((raw, read), (packed, sent))
        ]
        rows.append(
            [
                ENGINES[name],
                report.seconds(made[name]),
                report.size(raw),
                *bytes_moved,
                report.size(memory[name]),
            ]
        )
    head = [
        "engine",
        "CPU to make",
        "bytes kept",
        "moved for a first answer",
        "compressed",
        "memory of the process",
    ]
    note = (
        f"From a local file SQLite reads {spread([n / 1000 for n in local])} KB for a first answer."
    )
    return [*report.table(head, rows), note, ""]


def latency(result: dict[str, Any]) -> list[str]:
    rows = []
    for kind, found in result["kinds"].items():
        seconds = found["seconds"]
        row = [kind, spread(found["totals"])]
        for name in (*OURS, *RIVALS):
            ranked = sorted(seconds[name])
            row.append(
                f"{report.seconds(median(ranked))} / "
                f"{report.seconds(ranked[len(ranked) * 95 // 100])}"
            )
        for rival, ours in (
            ("sqlite", "python"),
            ("minisearch", "javascript"),
            ("sqlite", "javascript"),
        ):
            row.append(
                f"{median(b / a for a, b in zip(seconds[ours], seconds[rival], strict=False)):.2f}×"
            )
        rows.append(row)
    head = [
        "question",
        "matches",
        *(ENGINES[name] for name in (*OURS, *RIVALS)),
        "SQLite ÷ Python",
        "minisearch ÷ JavaScript",
    ]
    agreement = [agreement_with(name, result["kinds"]) for name in ("python", *RIVALS)]
    table = report.table([*head, "SQLite ÷ JavaScript"], rows)
    return [*table, " ".join(filter(None, agreement)), ""]


def agreement_with(name: str, kinds: dict[str, Any]) -> str:
    """How often an engine has the totals and the first pages of our JavaScript; empty if always."""
    asked = {kind: len(found["seconds"][name]) for kind, found in kinds.items()}
    alike = [kind for kind in kinds if name in OURS or KINDS[kind][2] != "relevance"]
    totals = sum(found["same_totals"][name] for found in kinds.values())
    pages = sum(kinds[kind]["same_pages"][name] for kind in alike)
    every, compared = sum(asked.values()), sum(asked[kind] for kind in alike)
    if (totals, pages) == (every, compared):
        return ""
    return (
        f"{ENGINES[name]} has our total for {totals} of {every} questions, and our first page for "
        f"{pages} of {compared} that are not by relevance."
    )


if __name__ == "__main__":
    corpus.command(__doc__, "queries", measured, rendered, RESULTS)
