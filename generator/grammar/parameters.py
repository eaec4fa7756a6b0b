"""The parameters of a list's query besides its filters: the modes that take them, and what they
mean.  The engine, rules of hosts, OpenAPI, tools for models and docs/api.md follow from this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from generator.grammar.limits import MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS
from generator.grammar.query import Collection
from generator.grammar.row_fields import DEFAULT_FIELDS, DEFAULT_ROWS, MAX_FIELDS, MAX_ROWS

#: The modes, each with what it answers.
MODES: Mapping[str, str] = {
    "page": "one page of the matching records",
    "rows": "a few fields of some of them",
    "count": "only their number",
}
#: The filters in the parameter `by` of one count.
MAX_BY = 3
#: Counted values of a filter in one answer, and values of `per` in each of them.
MAX_COUNTED, MAX_PER = 50, 10
#: The first row or value, or page, is at most this.
MAX_START = 999_999_999
#: What a place may be, the widest first.
PLACE_LEVELS = ("continent", "country", "region", "city")
FORMATS = ("json", "csv")

Schema = dict[str, Any]


class Parameter(NamedTuple):
    """`words` says what it means, `instead` what to do in modes that do not take it; `schema` gives
    the JSON Schema of its values for a collection.
    """

    name: str
    modes: tuple[str, ...]
    words: str
    schema: Callable[[Collection], Schema]
    instead: str = ""
    needs_by: bool = False


def _one_of(known: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [*known]}


def _some_of(known: Iterable[str], most: int) -> Schema:
    return {"type": "array", "items": _one_of(known), "maxItems": most, "uniqueItems": True}


def _text(c: Collection) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": MAX_QUERY_CHARACTERS}


def _number(least: int, most: int = MAX_START) -> Callable[[Collection], Schema]:
    return lambda c: {"type": "integer", "minimum": least, "maximum": most}


def _counting(
    name: str, words: str, schema: Callable[[Collection], Schema], needs_by: bool = True
) -> Parameter:
    return Parameter(name, ("count",), words, schema, "mode=count counts values", needs_by)


MODE = Parameter(
    "mode",
    tuple(MODES),
    "; ".join(f"{name}: {words}" for name, words in MODES.items()) + ".",
    lambda c: _one_of(MODES),
)
Q = Parameter(
    "q",
    tuple(MODES),
    f"1 to {MAX_QUERY_WORDS} words to search for. A record must have all of them.",
    _text,
)
#: In canonical order, behind `mode`, `q` and the filters.
PARAMETERS = (
    _counting(
        "by",
        "With mode=count: the filters whose values are counted, separated by commas. The value of "
        "a filter does not narrow the counts of that filter.",
        lambda c: _some_of(c.filters, MAX_BY),
        needs_by=False,
    ),
    _counting(
        "per",
        "With one filter in by: another filter, whose values are counted for each value of the "
        "first.",
        lambda c: _one_of(c.filters),
    ),
    _counting(
        "like",
        "With by: only values whose label or slug has words that begin with these words.",
        _text,
    ),
    _counting(
        "level",
        "With the filter for places in by or per: only places of this level.",
        lambda c: _one_of(PLACE_LEVELS),
    ),
    _counting(
        "within",
        "With by. true: what is asked of a filter narrows the counts of that filter, too. It shows "
        "what values go together.",
        lambda c: _one_of(("true", "false")),
    ),
    _counting(
        "top",
        f"With by: only so many values of each filter, at most {MAX_COUNTED}; of per, at most "
        f"{MAX_PER}.",
        _number(1, MAX_COUNTED),
    ),
    _counting(
        "stat",
        "With mode=count: the number of values, sum, least, median and greatest value of this "
        "number, among all matching records, and of each value that is counted.",
        lambda c: _one_of(c.stats),
        needs_by=False,
    ),
    Parameter(
        "sort",
        ("page", "rows"),
        "The order. relevance is only for queries with q, and is their default.",
        lambda c: _one_of((*c.sorts, "relevance")),
        "a count has no rows, mode=page and mode=rows have",
    ),
    Parameter(
        "page",
        ("page",),
        "The number of the page, from 1.",
        _number(1),
        "mode=page has pages, mode=rows goes on with start",
    ),
    Parameter(
        "fields",
        ("rows",),
        "With mode=rows: the fields of each row, separated by commas; the slug always comes first. "
        "found_in, only with q: which of name, former_names, summary and places have words of q. "
        f"Without it: {', '.join(DEFAULT_FIELDS)}.",
        lambda c: _some_of(c.row_fields, MAX_FIELDS),
    ),
    Parameter(
        "limit",
        ("rows",),
        f"With mode=rows: the number of rows. Without it: {DEFAULT_ROWS}.",
        _number(1, MAX_ROWS),
    ),
    Parameter(
        "start",
        ("rows", "count"),
        "The rows, or with one filter in by the values, before this one are left out; the first is "
        "0.",
        _number(0),
        "page gives the number of a page",
    ),
    Parameter(
        "format",
        ("rows",),
        "With mode=rows: csv gives a table with a header; the header Link has the next rows.",
        lambda c: _one_of(FORMATS),
    ),
)
#: Parameters that are unknown without mode=rows.
ROWS_PARAMETERS = tuple(p.name for p in PARAMETERS if p.modes == ("rows",))
#: Those that need `by`.
WITH_BY = tuple(p.name for p in PARAMETERS if p.needs_by)
#: Mode -> the parameters that only other modes take, with what to do instead.
OTHER_MODE_PARAMETERS: Mapping[str, Mapping[str, str]] = {
    mode: {
        p.name: p.instead
        for p in PARAMETERS
        if mode not in p.modes and p.name not in ROWS_PARAMETERS
    }
    for mode in ("page", "count", "rows")
}
