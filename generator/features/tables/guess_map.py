"""Proposes the field of each column of a table, by its name and its cells."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator.edit.tables.sheet import Sheet
from generator.edit.words import WordList
from generator.features.tables.columns import CellColumn
from generator.features.tables.fits import Column, Fit, fit
from generator.kinds.declare import Declared
from generator.text.words import fold

HEADING = r"^# (.+)$"
_FEW = 10  # cells
_IN_COUNTRY = ("locations.city", "locations.region")
_BY_VALUES = {"website": 1.0, "locations": 0.9}


class Proposal(NamedTuple):
    """A field with its column, and how well the name of the column and its cells fit."""

    score: float
    field: str
    column: Column
    fit: Fit
    by_name: bool


def propose(
    table: Sheet, known: Mapping[str, CellColumn], words: Mapping[str, WordList], kind: Declared
) -> tuple[list[Proposal], list[Column]]:
    """The proposals in the order of fields, and the columns that are left."""
    found = (Column.of(table, name) for name in _columns(table))
    columns = [column for column in found if column is not None and column.texts]
    labels, outer = _headers(known, kind), table.rows[0].outer if table.rows else {}
    pairs = []
    for column in columns:
        for name, wanted in known.items():
            score = _score(column.name, labels[name]) or _BY_VALUES.get(name, 0)
            if column.name.partition(".")[0] in outer:
                score *= 0.6  # what is around a row says less of it
            if column.name == name and column.name not in _table() and name[:6] == "links.":
                score *= 0.6  # a link with any name
            lacks_country = name in _IN_COUNTRY and not _has_country(columns, labels)
            if not score or lacks_country:
                continue
            least = 1 if score <= 1 else 0.5
            few = replace(column, texts=column.texts[:_FEW])
            if least == 1 and ((how := fit(few, wanted, None)) is None or how.share < 1):
                continue  # most columns are no places
            how = fit(column, wanted, words.get(name))
            if how is not None and how.share >= least:
                if name == "locations" and how.share == 1:
                    score += 0.1  # a whole place says more than its country
                rank = score * (0.4 + 0.6 * how.share) * (0.9 if "cut" in how.source else 1)
                pairs.append(Proposal(rank, name, column, how, score > 1))
    taken, used = dict[str, Proposal](), set[str]()
    for each in sorted(pairs, key=lambda pair: -pair.score):
        is_free = each.field not in taken and each.column.name not in used
        if is_free and not _clashes(each.field, taken):
            taken[each.field] = each
            used.add(each.column.name)
    if {"starts", "due"} <= taken.keys() and "kind" not in taken:  # no kind of events has both
        used.remove(taken.pop("due").column.name)
    starts = taken.get("starts")
    if starts is not None and starts.fit.source.get("range") and "ends" not in taken:
        end = starts.fit._replace(source={**starts.fit.source, "range": "end"})
        taken["ends"] = starts._replace(field="ends", fit=end)
    if "name" not in taken:
        found_name = _name([column for column in columns if column.name not in used], columns)
        if found_name is not None:
            taken["name"] = found_name
            used.add(found_name.column.name)
    ordered = [taken[name] for name in known if name in taken]
    return ordered, [column for column in columns if column.name not in used]


def _name(free: list[Column], columns: list[Column]) -> Proposal | None:
    """The column that has names although it is not named so, or texts with them as headings."""
    for column in free:
        how = fit(column, CellColumn(("name",), "line"), None)
        if how is not None and how.share == 1 and not how.doubt:
            return Proposal(0, "name", column, how, by_name=False)
    for column in columns:
        if all(re.search(HEADING, text, re.M) for text in column.texts):
            how = Fit(1, "texts with a heading", {"match": HEADING}, "the heading is the name")
            return Proposal(0, "name", column, how, by_name=False)
    return None


def _columns(table: Sheet) -> Iterator[str]:
    """The columns of a table, with those around nested rows and the names of several files."""
    yield from filter(None, table.columns)
    outer = table.rows[0].outer if table.rows else {}
    for level, around in outer.items():
        if isinstance(around, Mapping):
            yield from (f"{level}.{name}" for name in around)
        else:
            yield level
    if len(table.files) > 1:
        yield "filename"


def _has_country(columns: list[Column], labels: Mapping[str, list[str]]) -> bool:
    """Whether a column names countries."""
    return any(_score(column.name, labels["locations.country"]) >= 2 for column in columns)


def _clashes(name: str, taken: Mapping[str, Proposal]) -> bool:
    """Whether a field gives places in another way than those that are taken."""
    if name == "locations":
        return any(other.startswith("locations.") for other in taken)
    return name.startswith("locations.") and "locations" in taken


@cache
def _table() -> dict[str, list[str]]:
    found: dict[str, list[str]] = tomllib.loads(
        Path(__file__).with_name("headers.toml").read_text("utf-8")
    )
    return found


def _headers(known: Mapping[str, CellColumn], kind: Declared) -> dict[str, list[str]]:
    """Field -> the folded names that its columns may have."""
    by_place = {".".join(field.place): field for field in kind.written.values()}
    headers = {}
    for name, column in known.items():
        own = by_place.get(name)
        names = [column.loc[-1], *([own.label] if own is not None else [])]
        if own is None or not own.is_own:
            table = _table().get(name, _table()["tags"] if name == "tags.topic" else [])
            names = [*table, *names]
        headers[name] = list(dict.fromkeys(map(_words, names)))
    first = next((name for name in known if name.startswith("tags.")), "")
    if first and "tags.topic" not in known:
        headers[first] += [word for word in _table()["tags"] if word not in headers[first]]
    return headers


@cache
def _words(text: str) -> str:
    """The words of the name of a column, in the singular: startDates is "start date"."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    words = re.findall(r"[^\W_]+", fold(text))
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in words)


def _score(column: str, headers: list[str]) -> float:
    """How well the name of a column fits a field: 4 if it is one of its names, 3 if its last part
    is, 2 if it contains one; less for names that are less sure.
    """
    whole, (around, _, last) = _words(column), column.rpartition(".")
    around = _words(around.rpartition(".")[2]) if _words(last) in ("name", "title") else ""
    for base, word in ((4.0, whole), (3.5, around), (3.0, _words(last))):
        if word in headers:
            return base - 0.02 * headers.index(word)
    for number, header in enumerate(headers):
        wide = not header.isascii() and len(header) > 1 and header in whole
        if wide or (len(header) > 2 and f" {header} " in f" {whole} "):
            return 2.0 - 0.02 * number
    return 0
