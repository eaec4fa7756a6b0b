"""An independent check that shares no code with this package and is outside of its repository.

The program is check/oracle.py in the folder REGISTRY_SHARED: `build CONTENT OUT` compares a build
with its content, `queries CONTENT` prints queries with their right answers.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from support import commands

_CONTRACT = ("--contract", "1.4")
#: Cached functions of the oracle, and its registry, which it reads for each kind of cases.
_REMEMBERED = "fold,words,more_words,slugify,instant,country,Registry.text,Registry"
#: part -> cases that the oracle makes and drops if only this part is asked for.
_DROPPED = {
    "words": (),
    "search": ("cases", "cases11"),
    "rows": ("cases", "cases11"),
    "events": ("cases",),
    "values": ("cases", "cases11"),
    "analysts": ("cases", "cases11"),
}
Cases = list[dict[str, Any]]


def assert_agrees(program: Path, content: Path, out: Path) -> None:
    """Compare a build with its content."""
    asked = json.dumps([[[], ["build", str(content), str(out), *_CONTRACT]]])
    done = subprocess.run(
        [*commands.program("remembering"), _REMEMBERED, str(program), asked],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    compared = re.search(r"([0-9]+) comparisons, 0 faults", done.stdout)
    assert compared is not None and int(compared[1]) > 100, done.stdout


def queries(program: Path, content: Path, **wanted: tuple[int, int]) -> dict[str, Cases]:
    """part -> queries with their expected answers; `wanted` has the seed and the number of each
    part.

    `words` are lists and counts, nearly twice as many, `rows` rows, `search` searches over all
    collections, each with some refused ones; `events` are lists, counts and rows of events, and
    `values` counts per value and lists of a tag in any family, `analysts` what analysts ask.
    """
    runs = []
    for part, (seed, number) in wanted.items():
        options = ["--seed", str(seed), "--count", str(number), *_CONTRACT, "--part", part]
        runs.append([_DROPPED[part], ["queries", str(content), *options]])
    command = [*commands.program("remembering"), _REMEMBERED, str(program), json.dumps(runs)]
    done = subprocess.run(command, capture_output=True, check=True)
    found, decoder, text = {}, json.JSONDecoder(), done.stdout.decode()
    for part in wanted:
        cases, end = decoder.raw_decode(text)
        # A refusal of contract 1.2, which the program leaves out only where it prints all parts.
        found[part] = [case for case in cases if not case["url"].endswith("fields=slug")]
        text = text[end:].lstrip()
    return found


def assert_right(case: dict[str, Any], status: int, document: dict[str, Any]) -> None:
    """The answer matches the case."""
    if "problem" in case:
        assert (status, document["code"]) == (case["status"], case["problem"]), case
    elif "of" in case:
        assert document["total_items"] == case["total_items"], case
        found = document["data"]
        assert {name: best["total_items"] for name, best in found.items()} == case["of"], case
        for name, slugs in case["members"].items():
            assert sorted(row["slug"] for row in found[name]["data"]) == slugs, case
    elif "rows" in case:
        wanted = {name: case[name] for name in ("total_items", "columns", "rows")}
        assert {name: document[name] for name in wanted} == wanted, case
    elif "counts" in case:
        assert_counted(case, document)
    else:
        slugs = [row["slug"] for row in document["data"]]
        for name in ("total_items", "total_pages"):
            assert document["page"][name] == case[name], case
        assert slugs == case.get("slugs", slugs), case
        assert sorted(slugs) == (case.get("members") or sorted(slugs)), case


def assert_counted(case: dict[str, Any], document: dict[str, Any]) -> None:
    """The counts match the case."""
    assert document["total_items"] == case["total_items"], case
    assert document.get("stat") == case.get("stat"), case
    counted = {
        name: one | {
            "values": _pairs(one["values"]), "selected": _pairs(one["selected"]),
            "per": {value["value"]: _pairs(value.get("per", ())) for value in one["values"]},
            "stat": {value["value"]: value.get("stat") for value in one["values"]},
        }
        for name, one in document["counts"].items()
    }  # fmt: skip
    expected = case["counts"]
    compared = {name: {key: counted[name][key] for key in one} for name, one in expected.items()}
    assert (compared, counted.keys()) == (expected, expected.keys()), case


def _pairs(values: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    return [[value["value"], value["count"]] for value in values]
