"""Holds the order of answers by relevance against bm25 of SQLite FTS5 with weighted columns.

    python benchmarks/relevance.py [--projects ''] [--content DIR] [--queries 300] [--out
    benchmarks/queries.md]

Of each question, which are words of records and some that people ask, the first ten of both are
compared; and every name is asked for, and has to come first.  Writes tables into --out, between two
comments; those of other registries, from earlier runs, stay.
"""

from __future__ import annotations

import random
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.parse import quote

import corpus
import report
from reading import Published, published

from generator.text.words import split_words

HERE = Path(__file__).resolve().parent
RESULTS = HERE / ".cache" / "relevance.json"
FIRST = 10
#: bm25's weights of names, tags, summaries and descriptions.
WEIGHTS = (10, 5, 4, 1)
EVERYDAY = """machine learning, robots, climate, drones, payments, batteries, online education,
food delivery, mental health, developer tools, open source, real estate, insurance, cancer,
small businesses, supply chain, electric vehicles, video games, data analytics, crypto wallet,
fashion, agriculture, satellite, legal documents, fraud detection, customer support, home care,
language learning, water, marketplace for used cars"""


class Peer:
    """The same texts in SQLite, found by the same words and their beginnings."""

    def __init__(self, site: Published):
        self.slugs: list[str] = []
        self.db = sqlite3.connect(":memory:")
        self.db.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 (names, tags, summary, description, prefix='3', "
            "tokenize='unicode61 remove_diacritics 2')"
        )
        labels = {
            (name, value["value"]): value["label"]
            for name in site.grammar.tag_families
            for value in site.filter(f"tag_{name}")
        }
        for number, row in enumerate(site.rows()):
            self.slugs.append(row["slug"])
            data = site.record(row["slug"])
            tags = [labels[family, tag] for family, held in data["tags"].items() for tag in held]
            names = " ".join([data["name"], *data["former_names"]])
            self.db.execute(
                "INSERT INTO texts (rowid, names, tags, summary, description) "
                "VALUES (?, ?, ?, ?, ?)",
                (number, names, ", ".join(tags), data["summary"], data["description"]),
            )

    def first(self, q: str) -> list[str]:
        text = " AND ".join(f'"{word}"{" *" * (len(word) > 2)}' for word in split_words(q))
        found = self.db.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, "
            f"{', '.join(map(str, WEIGHTS))}), rowid "
            f"LIMIT {FIRST}",
            (text,),
        )
        return [self.slugs[number] for (number,) in found]


def drawn(site: Published, size: int, count: int) -> Iterator[str]:
    """So many times `size` words of what one record says of itself."""
    chance, rows = random.Random(f"{corpus.SEED}/{size}"), list(site.rows())
    while count:
        row = chance.choice(rows)
        known = sorted({word for word in split_words(row["summary"] or "") if len(word) > 3})
        if len(known) >= size:
            count -= 1
            yield " ".join(chance.sample(known, size))


def ours(site: Published, q: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = site.again(f"/api/projects?mode=page&q={quote(q)}")["data"]
    return rows[:FIRST]


def measured(registry: int | Path, count: int) -> dict[str, Any]:
    found: dict[str, Any] = {"shares": {}}
    with published(registry) as site:
        peer = Peer(site)
        found["records"] = len(peer.slugs)
        questions = {
            "everyday questions": [q.strip() for q in EVERYDAY.replace("\n", " ").split(",")],
            "a word of a summary": list(drawn(site, 1, count)),
            "two words of a summary": list(drawn(site, 2, count)),
        }
        for kind, every in questions.items():
            shares = []
            for q in every:
                wanted = peer.first(q)
                if wanted:
                    had = {row["slug"] for row in ours(site, q)}
                    shares.append(len(had & {*wanted}) / len(wanted))
            found["shares"][kind] = shares
            print(f"  {kind}: {mean(shares):.1%}", file=sys.stderr, flush=True)
        found["names"], found["first"] = 0, 0
        for row in site.rows():
            try:
                answer = ours(site, row["name"])
            except ValueError:
                continue  # more words than a query may have
            found["names"] += 1
            found["first"] += (
                split_words(answer[0]["name"]) == split_words(row["name"]) if answer else 0
            )
    return found


def rendered(results: dict[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        rows = [
            [kind, report.number(len(shares)), f"{mean(shares):.0%}"]
            for kind, shares in result["shares"].items()
        ]
        head = ["question", "asked", f"of the first {FIRST} of bm25 in ours"]
        lines += [f"### {title}", "", *report.table(head, rows)]
        lines += [
            f"Of {report.number(result['names'])} names that were asked for, "
            f"{report.number(result['first'])} came first "
            f"({result['first'] / result['names']:.1%}).",
            "",
        ]
    return "\n".join(lines)


if __name__ == "__main__":
    corpus.command(__doc__, "relevance", measured, rendered, RESULTS)
