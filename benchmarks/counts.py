"""Measures what counting reads: by one, two and three filters, of all records, of those that a
filter leaves, and of those that two filters or words leave.

    python benchmarks/counts.py [--projects 10000,100000] [--content DIR] [--queries 100] [--out
    benchmarks/queries.md]

Each count is asked of an engine that has answered nothing before.  Writes tables into --out,
between two comments; those of other registries, from earlier runs, stay.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import corpus
import report
from corpus import spread
from reading import Cost, Published, published, spreads

from generator.text.words import split_words

HERE = Path(__file__).resolve().parent
RESULTS = HERE / ".cache" / "counts.json"
#: What is left to be counted -> how many filters and how many words of one record are asked for.
LEFT = {"all": (0, 0), "a filter": (1, 0), "two filters": (2, 0), "a filter and a word": (1, 1)}
BY = (1, 2, 3)


def values(row: dict[str, Any]) -> dict[str, list[str]]:
    """What a project matches, of the filters that its summary tells."""
    found = {f"tag_{family}": tags for family, tags in row["tags"].items()}
    found |= {"status": [row["status"]], "program": row["programs"]}
    found |= {
        "organization": row["organizations"],
        "location": [p["slug"] for p in row["locations"]],
    }
    found |= {"year": [str(row["year"])] if row["year"] else []}
    return {name: held for name, held in found.items() if held}


def targets(registry: Published, left: str, by: int, count: int) -> Iterator[str]:
    """So many counts of which each has a record."""
    filters, texts = LEFT[left]
    rows = list(registry.rows())
    chance = random.Random(f"{corpus.SEED}/{left}/{by}")
    names = list(registry.grammar.projects.filters)
    while count:
        row = chance.choice(rows)
        having = values(row)
        if len(having) < filters:
            continue
        asked = {
            name: chance.choice(having[name]) for name in chance.sample(sorted(having), filters)
        }
        if texts:
            asked["q"] = " ".join(chance.sample(sorted(set(split_words(row["name"]))), 1))
        asked |= {"mode": "count", "by": ",".join(chance.sample(names, by))}
        count -= 1
        yield f"{registry.grammar.projects.root}?{urlencode(asked)}"


def measured(registry: int | Path, count: int) -> dict[str, Any]:
    """Costs of counts by what is left and the number of filters they are by."""
    found: dict[str, Any] = {"counts": {}}
    with published(registry) as site:
        found["records"] = sum(1 for _ in site.rows())
        for left in LEFT:
            for by in BY:
                answers = [site.ask(target) for target in targets(site, left, by, count)]
                costs = [answer.cost for answer in answers if answer.document]
                found["counts"][f"{left}/{by}"] = {"asked": count, "costs": costs}
                print(
                    f"  {left}, by {by}: {spread([c.reads for c in costs])} reads", file=sys.stderr
                )
    return found


def rendered(results: dict[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        rows = []
        for kind, found in result["counts"].items():
            left, _, by = kind.partition("/")
            costs = [Cost(*cost) for cost in found["costs"]]
            rows.append([left, by, *spreads(costs), str(found["asked"] - len(costs))])
        head = ["records left by", "counted by", "reads", "rounds", "KB", "KB sent", "refused"]
        lines += [f"### {title}", "", *report.table(head, rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    corpus.command(__doc__, "counts", measured, rendered, RESULTS)
