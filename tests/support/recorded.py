"""Requests with recorded right answers: a text file for each registry.

A line is the address of a query, ` => ` and its answer; lines that begin with # say what the
requests below them show.  An answer is the status, what a reader compares, and a digest of the
whole body.  `--regenerate` writes the answers again; the diff then says which of them changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: Records, values and choices that an answer names; the digest has the others.
_FIRST = 6
_ARROW = " => "


def targets(path: Path) -> list[str]:
    """The requests of a file, in its order."""
    lines = path.read_text("utf-8").split("\n")
    return [line.partition(_ARROW)[0] for line in lines if line and line[0] != "#"]


def assert_recorded(path: Path, answers: Mapping[str, tuple[int, bytes]], regenerate: bool) -> None:
    """Compare answers by request with the file; `regenerate` writes the file instead."""
    before = path.read_text("utf-8").rstrip("\n").split("\n")
    written = []
    for line in before:
        target = line.partition(_ARROW)[0]
        asked = target in answers
        written.append(f"{target}{_ARROW}{answer_line(*answers[target])}" if asked else line)
    if regenerate:
        path.write_text("\n".join(written) + "\n", "utf-8")
        return
    pairs = zip(before, written, strict=True)
    assert [(recorded, found) for recorded, found in pairs if recorded != found][:3] == []


def answer_line(status: int, body: bytes) -> str:
    """An answer as one line."""
    if body.startswith(b"BEGIN:VCALENDAR"):
        summary = f" {body.count(b'BEGIN:VEVENT')} events {body.count(b'BEGIN:VALARM')} alarms"
    else:
        summary = f" {_summary(json.loads(body))}".rstrip()
    return f"{status}{summary} #{hashlib.sha256(body).hexdigest()[:12]}"


def _summary(document: Mapping[str, Any]) -> str:
    if "code" in document:
        return _with_first(document["code"], document.get("allowed") or ())
    if document["kind"] == "search":
        found = [
            _with_first(f"{name} {part['total_items']}", [row["slug"] for row in part["data"]])
            for name, part in document["data"].items()
        ]
        return "; ".join([*found, *document["suggestions"], *_notes(document)])
    if "counts" in document:
        found = [
            _with_first(f"{name} {counts['total_values']}", map(_counted, counts["values"]))
            + "".join(f" +{_counted(value)}" for value in counts["selected"])
            for name, counts in document["counts"].items()
        ]
        more = *_alternatives(document), *_notes(document)
        return "; ".join([str(document["total_items"]), *found, *more])
    if "rows" in document:
        found = [_with_first(document["total_items"], [row[0] for row in document["rows"]])]
    elif isinstance(document.get("data"), list) and "page" in document:
        found = [
            _with_first(document["page"]["total_items"], [row["slug"] for row in document["data"]])
        ]
    else:
        return str(document["kind"])
    more = *document.get("suggestions", ()), *_alternatives(document), *_notes(document)
    return "; ".join([*found, *more])


def _alternatives(document: Mapping[str, Any]) -> Sequence[str]:
    """The alternatives to a query that finds nothing."""
    return [f"{query['href']} {query['total_items']}" for query in document.get("alternatives", ())]


def _notes(document: Mapping[str, Any]) -> Sequence[str]:
    """What the answer did not understand."""
    return [f"note {note['code']}" for note in document.get("notes", ())]


def _counted(value: Mapping[str, Any]) -> str:
    return f"{value['value']}={value['count']}"


def _with_first(first: object, rest: Any) -> str:
    found = list(rest)
    return f"{first}: {' '.join(found[:_FIRST])}" if found else str(first)
