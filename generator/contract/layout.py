"""Patterns of the paths of all files that builds publish, and the surfaces of these files.

A mirror, which copies files with names from elsewhere, takes no other files: web servers run some
files because of their names (`.htaccess`, `x.php`, `functions/_middleware.js`), and no list of such
names is complete.  The patterns are the same for all registries: slugs, tag families and other
names that a registry chooses match in any valid form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from generator.feature import Hook
from generator.grammar import paths
from generator.grammar.filters import MAX_VALUE, PATTERNS
from generator.grammar.grammar import Grammar
from generator.grammar.headers import MEDIA_TYPES
from generator.grammar.query import Collection
from generator.grammar.roots import PAGE_ROOTS
from generator.kinds.declare import OWN_FIELD_PREFIX
from generator.kinds.every import REFERRED
from generator.text.words import SLUG

_NAME = "[a-z][a-z0-9_]*"
#: The names that registries choose for filters and for sorts.
_TAG, _OWN = f"tag_{_NAME}", f"{OWN_FIELD_PREFIX}{_NAME}"
_VALUE = PATTERNS["word"]
_NUMBER = "(?:0|[1-9][0-9]{0,8})"
#: The name of an asset has the digest of its bytes.  An ending before the digest, as in
#: `x.min-….js`, is unknown to servers.
_MEDIA = sorted(
    {*MEDIA_TYPES, "jpg", "jpeg", "gif", "webp", "avif", "woff", "ttf", "otf"} - {"html"}
)
_ASSET = rf"[\w-]+(?:\.[\w-]+)?-[0-9a-f]{{8}}\.(?:{'|'.join(_MEDIA)})"
_FIXED = (
    *(paths.INDEX, paths.DASHBOARD, paths.CHANGES, paths.REMOVED, paths.COVERAGE, paths.OPENAPI),
    *(paths.FEED, paths.SKILL, paths.LLMS, paths.ROBOTS, paths.SITEMAP, paths.AGENT_SKILLS),
    *(paths.API_CATALOG, paths.SEARCH_SCRIPT, paths.FOLDING, paths.AGENT_CATALOG),
    *(paths.AGENT_SCHEMA, paths.AGENT_TOOLS, paths.AGENT_OVERVIEW),
    "/index.html",
)
#: The length of a path; published paths are shorter.
_MAX_PATH = 1024


class PathPattern(NamedTuple):
    """Files of one surface: a pattern of their folder, without slashes at its ends, and a pattern
    of their names.

    `surface` is the surface: `records`, `lists`, `sorts`, `by` (lists of a filter's values),
    `feeds`, `contexts`, `index`, `logos`, `other`, `site`, `site_sorts`, `site_events` or data.
    """

    surface: str
    folder: str
    name: str


FORMS: Hook[Iterable[PathPattern]] = Hook("addresses", "FORMS")
#: Folder -> the Content-Security-Policy of its pages.
POLICIES: Hook[Mapping[str, str]] = Hook("addresses", "POLICIES")


def is_output_path(path: str) -> bool:
    """Whether a build of this contract can publish a file at this path."""
    return len(path) <= _MAX_PATH and _paths().fullmatch(path) is not None


def surface_of_folder(folder: str) -> str | None:
    """The surface of the files of a folder, given without slashes at its ends; None if no output
    has such a folder.
    """
    match = _folders().fullmatch(folder)
    return match.lastgroup if match else None


@cache
def page_policies() -> Mapping[str, str]:
    """Folder -> the Content-Security-Policy of its pages, where features need another one."""
    return dict(chain.from_iterable(of.items() for of in POLICIES))


@cache
def page_folders() -> tuple[str, ...]:
    """The folders of pages with the policy of all pages: those of collections first."""
    added = _added_folders("site") - page_policies().keys()
    return (*PAGE_ROOTS.values(), *sorted(added | {"/docs"}))


@cache
def data_folders() -> tuple[str, ...]:
    """The folders of data files."""
    return (*sorted(_added_folders("data")),)


def _added_folders(surface: str) -> set[str]:
    """The first segments of the addresses of features' files of a surface."""
    forms = (form for found in FORMS for form in found)
    folders = (re.match(r"[\w-]+", form.folder) for form in forms if form.surface == surface)
    return {f"/{folder[0]}" for folder in folders if folder}


@cache
def _paths() -> re.Pattern[str]:
    forms = (f"/{form.folder}/{form.name}" if form.folder else f"/{form.name}" for form in _forms())
    return re.compile("|".join(forms), re.ASCII)


@cache
def _folders() -> re.Pattern[str]:
    surfaces: dict[str, dict[str, None]] = {}
    for form in _forms():
        surfaces.setdefault(form.surface, {})[form.folder] = None
    groups = (f"(?P<{name}>{'|'.join(folders)})" for name, folders in surfaces.items())
    return re.compile("|".join(groups), re.ASCII)


def _forms() -> Iterator[PathPattern]:
    for path in _FIXED:
        yield path_form("contexts" if path == paths.AGENT_OVERVIEW else "other", path)
    yield path_form("contexts", paths.agent_context("@", "%"), "|".join(REFERRED), SLUG)
    yield path_form("other", paths.agent_skill("@"), SLUG)
    yield path_form("other", paths.problem_path("@"), SLUG)
    yield path_form("other", paths.schema_path("@"), _NAME)
    yield PathPattern("other", "", rf"sitemap-{_NUMBER}\.xml")
    grammar = Grammar({})
    for collection in grammar.collections.values():
        yield from _api_forms(collection)
        yield from _index_forms(collection)
        yield from _site_forms(collection)
    yield PathPattern("site", paths.ASSETS[1:], _ASSET)
    yield PathPattern("logos", paths.MEDIA[1:], r"[0-9a-f]{32}\.(?:svg|png)")
    yield PathPattern("site", "calendar", r"upcoming\.atom")
    yield PathPattern("site", "docs/data", r"index\.html")
    for forms in FORMS:
        yield from forms


def path_form(surface: str, path: str, *patterns: str) -> PathPattern:
    """The form of a path, with the first pattern in place of "@" and the second in place of "%"."""
    folder, _, name = re.escape(path[1:]).rpartition("/")
    for mark, pattern in zip("@%", patterns, strict=False):
        folder, name = (text.replace(mark, f"(?:{pattern})") for text in (folder, name))
    return PathPattern(surface, folder, name)


def _filters(names: Iterable[str]) -> str:
    """A pattern of the names of filters: these, and those that registries choose."""
    return "|".join([*names, _TAG, _OWN])


def _sorts(collection: Collection) -> str:
    return "|".join(map(re.escape, collection.prepared_sorts))


def _api_forms(collection: Collection) -> Iterator[PathPattern]:
    root, page = collection.root[1:], rf"{_NUMBER}\.json"
    filters, listed = map(_filters, (collection.prepared_filters, collection.listed_filters))
    yield PathPattern("lists", f"{root}/page", page)
    for name in collection.virtual:
        yield PathPattern("lists", f"{root}/{name}/page", page)
        yield PathPattern("other", root, rf"{name}\.ics")
    yield PathPattern("sorts", f"{root}/sort/(?:{_sorts(collection)})/page", page)
    yield PathPattern("by", f"{root}/by/(?:{filters})/(?=.{{1,{MAX_VALUE}}}/){_VALUE}/page", page)
    yield PathPattern("records", f"{root}/slug", rf"{SLUG}\.json")
    yield PathPattern("other", root, r"filters\.json")
    yield PathPattern("other", f"{root}/filters", rf"(?:{listed})\.json")
    if collection.feeds:
        yield PathPattern("feeds", f"{root}/by/(?:{listed})", rf"{_VALUE}\.ics")


def _index_forms(collection: Collection) -> Iterator[PathPattern]:
    yield path_form("index", collection.manifest_path)
    parts = f"[a-z]+(?:/(?:{_NAME}|[0-9]{{1,9}})){{0,3}}"
    yield path_form("index", collection.index_path("@", "%"), parts, "[0-9]{1,9}-[0-9a-f]{8}")


def _site_forms(collection: Collection) -> Iterator[PathPattern]:
    """Pages of the site, with hyphens in the names of filters."""
    timed, root = collection.declared.timed, collection.declared.pages
    filters = (
        _filters(collection.prepared_filters).replace("[a-z0-9_]*", "[a-z0-9-]*").replace("_", "-")
    )
    numbered, page = f"(?:/page/{_NUMBER})?", r"index\.html"
    yield PathPattern("site", f"{root}{numbered}", page)
    yield PathPattern("site", f"{root}/filters", page)
    if not timed:
        yield PathPattern("site", root, r"values\.json")
    yield PathPattern("site", f"{root}/(?:{filters})/{_VALUE}{numbered}", page)
    yield PathPattern("site_events" if timed else "site", f"{root}/{SLUG}", page)
    yield PathPattern("site_sorts", f"{root}/sort/(?:{_sorts(collection)}){numbered}", page)
