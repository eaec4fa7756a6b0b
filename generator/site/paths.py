"""Where the pages of the site lie, and which lists have pages.

A path that ends with a slash is that of a page, and its file is the index.html there.  A record is
two segments deep, everything else of a collection one or three and more, so that no slug can
collide with it.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from generator.grammar import paths as api
from generator.grammar.query import Slice
from generator.model.fields import COUNTRIES

HOME = "/"
COMPARE = "/compare/"
MAP = "/map/"
CHANGES = "/changes/"
REFERENCE = "/docs/api/"
AGENTS = "/docs/agents/"
ASSETS = api.ASSETS
EMBEDS = api.EMBEDS

#: collection -> where its pages lie: words of a visitor, never in the way of `/api/`.
ROOTS = {
    "projects": "/projects",
    "programs": "/programs",
    "organizations": "/organizations",
    "events": "/calendar",
}

_PLACES = {"remote", *(code.lower() for code in COUNTRIES)}


def file(path: str) -> str:
    """The file of a page."""
    return f"{path}index.html" if path.endswith("/") else path


def record_page(collection: str, slug: str) -> str:
    return f"{ROOTS[collection]}/{slug}/"


def place(path: str) -> str:
    """The page itself, and for all that lie below a collection's one path: where in the site."""
    top = path[: path.find("/", 1) + 1]
    return f"{top}…/" if path != top and top[:-1] in ROOTS.values() else path


def list_page(part: Slice, number: int = 1) -> str:
    """The page of a list: `/projects/`, `/projects/page/2/`, `/projects/sort/-year/`,
    `/projects/tag-topic/climate/page/2/`; of the dates that are not over, `/calendar/`.
    """
    collection = part.collection
    where = f"{ROOTS[collection.name]}/"
    if part.filter is not None and part.filter not in collection.virtual:
        where += f"{part.filter.replace('_', '-')}/{part.value}/"
    elif part.sort:
        where += f"sort/{part.sort}/"
    return numbered(where, number)


def numbered(first: str, number: int) -> str:
    """The page of this number of a list, by the path of its first."""
    return first if number == 1 else f"{first}page/{number}/"


def visited(part: Slice) -> bool:
    """Whether a list has pages: each that has in the API, but for regions and cities, which their
    country has, and for dates that are over, which their year has.
    """
    if part.filter == "location":
        return part.value in _PLACES
    return part.filter is not None or not part.collection.virtual


@cache
def near(number: int, pages: int) -> tuple[tuple[int, bool], ...]:
    """The numbers that a pager shows: the first, the last, and those around a page; each with
    whether some before it are left out.
    """
    every = {1, number - 1, number, number + 1, pages}
    shown = [0, *sorted(one for one in every if 1 <= one <= pages)]
    return tuple((one, one - last > 1) for last, one in pairwise(shown))
