"""Proposes the field of each column of a table, by its name and its cells."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from generator.edit.guesses.cells import SEPARATORS, Column, Guess
from generator.edit.guesses.fits import fit
from generator.edit.tables.columns import CellColumn
from generator.edit.words import WordList
from generator.kinds.declare import Declared
from generator.model.online import online_field
from generator.text.words import fold

HEADING = r"^# (.+)$"
_FEW = 10  # cells
_IN_COUNTRY = {"locations.city", "locations.region"}
_BY_VALUES = {"website": 1.0, "locations": 0.9}
#: What an import that keeps every cell may do with it.
_KEEPING = {"split", "prefix", "strip_html"}
#: The score of a name that contains a name of a field.
_CONTAINED = 2.0


@dataclass
class Proposal:
    """The field that a column is, "" if it is left out, with what its cells are read as, and how
    well its name and its cells fit; by its values alone if not `by_name`.
    """

    field: str
    column: Column
    guess: Guess
    score: float = 0
    by_name: bool = True


def propose(
    columns: Sequence[Column],
    known: Mapping[str, CellColumn],
    words: Mapping[str, WordList],
    kind: Declared,
    *,
    whole: bool = False,
) -> list[Proposal]:
    """The proposals for columns, in the order of the fields that are `known`.

    With `whole` a column is a field only if its name says so, and if no cell is lost; only the
    headings of texts may be names, too.
    """
    columns = [column for column in columns if column.texts or not column.cells]
    taken = dict[str, Proposal]()

    def is_used(column: Column) -> bool:
        return any(each.column is column for each in taken.values())

    for each in sorted(_pairs(columns, known, words, kind, whole), key=lambda pair: -pair.score):
        if not (each.field in taken or is_used(each.column) or _clashes(each.field, taken)):
            taken[each.field] = each
    if {"starts", "due"} <= taken.keys() and "kind" not in taken:  # no kind of events has both
        del taken["due"]
    for name in taken.keys() & _IN_COUNTRY if whole else ():
        if not _has_countries(taken[name], taken.get("locations.country")):
            del taken[name]
    starts = taken.get("starts")
    if starts is not None and starts.guess.source.get("range") and "ends" not in taken:
        end = replace(starts.guess, source={**starts.guess.source, "range": "end"})
        taken["ends"] = replace(starts, field="ends", guess=end)
    free = [column for column in columns if not is_used(column)]
    if "name" not in taken and (found := _name(free, columns)) is not None:
        taken["name"] = found
    return [taken[name] for name in known if name in taken]


def _pairs(
    columns: Sequence[Column],
    known: Mapping[str, CellColumn],
    words: Mapping[str, WordList],
    kind: Declared,
    whole: bool,
) -> Iterator[Proposal]:
    """All fields that columns may be."""
    names, online = _names_of(known, kind), bool(online_field(kind))
    for column in columns:
        few = replace(column, texts=column.texts[:_FEW], cells=column.cells[:_FEW])
        for name, wanted in known.items():
            score = _score(column, name, names[name])
            lacks_country = name in _IN_COUNTRY and not _names_country(columns, names)
            if not score or lacks_country or (whole and score <= _CONTAINED):
                continue
            by_values = score <= 1
            least = 1 if by_values or whole else 0.5
            for some in (few, column) if least == 1 else (column,):  # most columns are no places
                how = fit(some, wanted, words.get(name), online=online)
                if how is None or how.share < least:
                    break
            if how is None or how.share < least or (whole and not _keeps_all(name, column, how)):
                continue
            if name == "locations" and how.share == 1:
                score += 0.1  # a whole place says more than its country
            rank = score * (0.4 + 0.6 * how.share) * (0.9 if "cut" in how.source else 1)
            yield Proposal(name, column, how, rank, not by_values)


def _score(column: Column, name: str, names: list[str]) -> float:
    """How well a column fits a field by its name, or by the field alone: 1 at most."""
    score = _fits_name(column.name, names) or (_BY_VALUES.get(name, 0) if column.texts else 0)
    if column.around:
        score *= 0.6  # what is around a row says less of it
    if column.name == name and column.name not in _table() and name[:6] == "links.":
        score *= 0.6  # a link with any name
    return score


def _keeps_all(name: str, column: Column, how: Guess) -> bool:
    """Whether an import keeps every cell as it is, and needs no decision but that for a key."""
    if name == "name":
        return how.share == 1 and all(column.cells)
    marked = any(mark in text for text in column.texts for mark in SEPARATORS)
    if how.doubt or how.source.keys() - _KEEPING or (name in _IN_COUNTRY and marked):
        return False
    return how.share == 1


def _has_countries(part: Proposal, country: Proposal | None) -> bool:
    """Whether each row with a city or a region has its country."""
    if country is None:
        return False
    pairs = zip(part.column.cells, country.column.cells, strict=True)
    return all(of or not text for text, of in pairs)


def _name(free: Sequence[Column], columns: Sequence[Column]) -> Proposal | None:
    """The column that has names although it is not named so, or texts with them as headings."""
    for column in free:
        how = fit(column, CellColumn(("name",), "line"), None)
        if how is not None and how.share == 1 and not how.doubt:
            return Proposal("name", column, how, by_name=False)
    for column in columns:
        if column.texts and all(re.search(HEADING, text, re.M) for text in column.texts):
            how = Guess(1, "texts with a heading", {"match": HEADING}, "the heading is the name")
            return Proposal("name", column, how, by_name=False)
    return None


def _names_country(columns: Sequence[Column], names: Mapping[str, list[str]]) -> bool:
    """Whether a column names countries."""
    countries = names["locations.country"]
    return any(_fits_name(column.name, countries) >= _CONTAINED for column in columns)


def _clashes(name: str, taken: Mapping[str, Proposal]) -> bool:
    """Whether a field gives places in another way than those that are taken."""
    if name == "locations":
        return any(other.startswith("locations.") for other in taken)
    return name.startswith("locations.") and "locations" in taken


# --- names of columns ---


@cache
def _table() -> dict[str, list[str]]:
    found: dict[str, list[str]] = tomllib.loads(
        Path(__file__).with_name("headers.toml").read_text("utf-8")
    )
    return found


def _names_of(known: Mapping[str, CellColumn], kind: Declared) -> dict[str, list[str]]:
    """Field -> the folded names that its columns may have."""
    by_place = {".".join(field.place): field for field in kind.written.values()}
    families = [name for name in known if name.startswith("tags.")]
    first = next((name for name in ("tags.topic", *families) if name in families), "")
    names = {}
    for name, column in known.items():
        field = by_place.get(name)
        own = [column.loc[-1], column.label, *([field.label] if field is not None else [])]
        of_all = _table().get(name, []) if field is None or not field.is_own else []
        if kind.is_own:
            own += _table().get(f"{name} of own kinds", ())
            own += [*kind.words, f"{kind.words[0]} name"] if name == "name" else []
        if name == "tags.topic":
            of_all = _table()["tags"]
        elif name == first or (name in families and column.allowed_values is not None):
            own += _table()["tags"]
        names[name] = list(dict.fromkeys(filter(None, map(_words_of, (*of_all, *own)))))
    return names


@cache
def _words_of(text: str) -> str:
    """The words of the name of a column, in the singular: startDates is "start date"."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    words = re.findall(r"[^\W_]+", fold(text))
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in words)


def _fits_name(column: str, headers: list[str]) -> float:
    """How well the name of a column fits a field: 4 if it is one of its names, 3 if its last part
    is, 2 if it contains one; less for names that are less sure.
    """
    whole, (around, _, last) = _words_of(column), column.rpartition(".")
    around = _words_of(around.rpartition(".")[2]) if _words_of(last) in ("name", "title") else ""
    for base, word in ((4.0, whole), (3.5, around), (3.0, _words_of(last))):
        if word in headers:
            return base - 0.02 * headers.index(word)
    for number, header in enumerate(headers):
        wide = not header.isascii() and len(header) > 1 and header in whole
        if wide or (len(header) > 2 and f" {header} " in f" {whole} "):
            return _CONTAINED - 0.02 * number
    return 0
