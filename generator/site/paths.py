"""The paths of the site's pages, and which lists have pages.

A path that ends with a slash is a page; its file is the index.html in that folder.  A record's path
has two segments, other paths of a collection one or at least three: no slug can collide with them.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from itertools import pairwise

from generator.grammar import paths as api
from generator.grammar.query import Collection, Slice
from generator.kinds.continents import CONTINENTS
from generator.kinds.types import COUNTRY_SLUGS

HOME = "/"
UPCOMING = "/calendar/upcoming.atom"
REFERENCE = "/docs/api/"
AGENTS = "/docs/agents/"
DATA = "/docs/data/"
ASSETS = api.ASSETS


def file(path: str) -> str:
    return f"{path}index.html" if path.endswith("/") else path


def values_file(collection: Collection) -> str:
    """The values of a collection's filters, for the search box."""
    return f"{collection.pages}/values.json"


#: The first rows of so many words are made ahead: one for each so many records.
_WORDS, _RECORDS_OF_A_WORD = 500, 10
#: Fewer records have their rows in few files.
_FEW = 1000


def words_ahead(collection: Collection, records: int) -> tuple[int, str]:
    """The number of words whose first rows are made ahead for a list of so many records, and the
    folder of their files, whose name is the number of files: a power of two.  0 and "" without.
    """
    if records < _FEW or collection.declared.timed:
        return 0, ""
    words = min(_WORDS, records // _RECORDS_OF_A_WORD)
    return words, f"{collection.pages}/words/{1 << (words - 1).bit_length()}/"


def cohorts_page(first: str, number: int) -> str:
    """A page of the cohorts of a program: `first`, which is its page, then `…/cohorts/2/`."""
    return first if number == 1 else f"{first}cohorts/{number}/"


def place(path: str, roots: Container[str]) -> str:
    """The path itself; for pages below a collection, whose path is one of `roots`, one common path
    for all of them.
    """
    top = path[: path.find("/", 1) + 1]
    return f"{top}…/" if path != top and top[:-1] in roots else path


def list_page(part: Slice, number: int = 1) -> str:
    """The page of a list: `/projects/`, `/projects/page/2/`, `/projects/sort/-year/`,
    `/projects/tag-topic/climate/page/2/`; upcoming events have `/calendar/`.
    """
    collection = part.collection
    path = f"{collection.pages}/"
    if part.filter is not None and part.filter not in collection.virtual:
        path += f"{part.filter.replace('_', '-')}/{part.value}/"
    elif part.sort:
        path += f"sort/{part.sort}/"
    return numbered(path, number)


def place_page(part: Slice) -> str:
    """The page of a place.  A region or a city has the page of its country, narrowed by the script
    of lists.
    """
    value = part.value or ""
    if visited(part):
        return list_page(part)
    country = Slice(part.collection, part.filter, value.partition("-")[0])
    return f"{list_page(country)}?{part.filter}={value}"


def numbered(first: str, number: int) -> str:
    """The page `number` of a list, from the path of its first page."""
    return first if number == 1 else f"{first}page/{number}/"


def visited(part: Slice) -> bool:
    """Whether a list of the API has pages.

    Regions, cities and the list of all events have none: use the country or the year.  The values
    of filters that only queries answer have none either.
    """
    query_filter = part.collection.filters.get(part.filter or "")
    if query_filter is not None and not query_filter.prepared:
        return False
    if part.filter == "location":
        value = part.value
        return value == "remote" or value in COUNTRY_SLUGS or value in CONTINENTS
    return part.filter is not None or not part.collection.virtual


@cache
def near(number: int, pages: int) -> tuple[tuple[int, bool], ...]:
    """The page numbers in a pager: first, last and those around `number`; each with whether numbers
    before it are left out.
    """
    numbers = {1, number - 1, number, number + 1, pages}
    shown = [0, *sorted(n for n in numbers if 1 <= n <= pages)]
    return tuple((n, n - previous > 1) for previous, n in pairwise(shown))
