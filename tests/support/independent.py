"""An independent check that shares no code with this package and is outside of its repository.

The program is check/oracle.py in the folder REGISTRY_SHARED: `build CONTENT OUT` compares a build
with its content, `queries CONTENT` prints queries with their right answers.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support import commands
from support.edits import COLLECTIONS

_CONTRACT = ("--contract", "1.1")
#: Queries by the words of contract 1.2.
_WORDS = ("--contract", "1.2", "--part", "words")
_SEARCHES = ("--contract", "1.2", "--part", "search")
_ROWS = ("--contract", "1.2", "--part", "rows")
_EVENTS = ("--contract", "1.2", "--part", "events")
#: The contract by which a collection without records has no slices.
_EMPTY_CONTRACT = ("--contract", "1.2")
#: Cached functions of the oracle, and its registry, which it reads for each kind of cases.
_REMEMBERED = "fold,words,Registry.text,Registry"
#: Cases that the oracle makes and drops if these parts are asked for.
_DROPPED = ",-cases,-cases11"


def assert_agrees(program: Path, content: Path, out: Path) -> None:
    """Compare a build with its content."""
    empty = [name for name in COLLECTIONS if not any((content / name).rglob("*.y*ml"))]
    contract = _EMPTY_CONTRACT if empty else _CONTRACT
    done = subprocess.run(
        [sys.executable, str(program), "build", str(content), str(out), *contract],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    compared = re.search(r"([0-9]+) comparisons, 0 faults", done.stdout)
    assert compared is not None and int(compared[1]) > 100, done.stdout


def queries(program: Path, content: Path, seed: int, number: int) -> list[dict[str, Any]]:
    """Nearly twice as many queries, and some refused queries, each with its expected answer."""
    return _cases(program, content, seed, number, _WORDS)


def searches(program: Path, content: Path, seed: int, number: int) -> list[dict[str, Any]]:
    """Searches over all collections, and some refused ones, each with its expected answer."""
    return _cases(program, content, seed, number, _SEARCHES)


def rows(program: Path, content: Path, seed: int, number: int) -> list[dict[str, Any]]:
    """Queries for rows, and some refused ones, each with its expected answer."""
    return _cases(program, content, seed, number, _ROWS)


def events(program: Path, content: Path, seed: int, number: int) -> list[dict[str, Any]]:
    """Queries of events: lists, counts and rows, each with its expected answer."""
    return _cases(program, content, seed, number, _EVENTS)


def _cases(
    program: Path, content: Path, seed: int, number: int, contract: Sequence[str]
) -> list[dict[str, Any]]:
    names = _REMEMBERED + (_DROPPED if contract in (_SEARCHES, _ROWS) else "")
    command = [*commands.program("remembering"), names, str(program), "queries", str(content)]
    options = ["--seed", str(seed), "--count", str(number), *contract]
    done = subprocess.run([*command, *options], capture_output=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def assert_right(case: dict[str, Any], status: int, document: dict[str, Any]) -> None:
    """The answer matches the case."""
    if "problem" in case:
        assert (status, document["code"]) == (case["status"], case["problem"]), case
    elif "rows" in case:
        assert_rows(case, status, document)
    elif "counts" in case:
        assert_counted(case, document)
    else:
        slugs = [row["slug"] for row in document["data"]]
        assert {name: document["page"][name] for name in ("total_items", "total_pages")} == {
            name: case[name] for name in ("total_items", "total_pages")
        }, case
        assert slugs == case.get("slugs", slugs), case
        assert sorted(slugs) == (case.get("members") or sorted(slugs)), case


def assert_found(case: dict[str, Any], status: int, document: dict[str, Any]) -> None:
    """A search over all collections matches the case."""
    if "problem" in case:
        assert (status, document["code"]) == (case["status"], case["problem"]), case
        return
    found = document["data"]
    assert document["total_items"] == case["total_items"], case
    assert {name: best["total_items"] for name, best in found.items()} == case["of"], case
    for name, slugs in case["members"].items():
        assert sorted(row["slug"] for row in found[name]["data"]) == slugs, case


def assert_rows(case: dict[str, Any], status: int, document: dict[str, Any]) -> None:
    """Rows match the case."""
    if "problem" in case:
        assert (status, document["code"]) == (case["status"], case["problem"]), case
    else:
        wanted = {name: case[name] for name in ("total_items", "columns", "rows")}
        assert {name: document[name] for name in wanted} == wanted, case


def assert_counted(case: dict[str, Any], document: dict[str, Any]) -> None:
    """The counts match the case."""
    assert document["total_items"] == case["total_items"], case
    counted = {
        name: {
            "total_values": one["total_values"],
            "truncated": one["truncated"],
            "values": [[value["value"], value["count"]] for value in one["values"]],
            "selected": [[value["value"], value["count"]] for value in one["selected"]],
        }
        for name, one in document["counts"].items()
    }
    assert counted == case["counts"], case
