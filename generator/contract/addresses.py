"""The addresses of all published documents, by shape; patterns of the paths of all files that
builds publish, and the surfaces of these files.

A mirror, which copies files with names from elsewhere, takes no other files: web servers run some
files because of their names (`.htaccess`, `x.php`, `functions/_middleware.js`), and no list of such
names is complete.  The patterns follow from the kinds of a registry: slugs, tag families and
other names that it chooses match in any valid form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from generator.contract.templates import joined
from generator.feature import Hook
from generator.grammar import paths
from generator.grammar.filters import MAX_VALUE, PATTERNS
from generator.grammar.grammar import Collection, Grammar, Slice
from generator.grammar.headers import MEDIA_TYPES
from generator.kinds import Kinds
from generator.kinds.declare import OWN_FIELD_PREFIX
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
    paths.OPENAPI_QUERIES,
    *(paths.SKILL, paths.LLMS, paths.ROBOTS, paths.SITEMAP, paths.AGENT_SKILLS),
    *(paths.SEARCH_SCRIPT, paths.SEARCH_MORE, paths.FOLDING, paths.COUNTRIES, paths.API_CATALOG),
    *(paths.AGENT_CATALOG, paths.AGENT_SCHEMA, paths.AGENT_TOOLS, paths.AGENT_OVERVIEW),
    "/index.html",
)
#: The length of a path; published paths are shorter.
_MAX_PATH = 1024


class PathPattern(NamedTuple):
    """Files of one surface: a pattern of their folder, without slashes at its ends, and a pattern
    of their names.

    `surface` is the surface: `records`, `lists`, `sorts`, `by` (lists of a filter's values),
    `feeds`, `contexts`, `index`, `logos`, `other`, `site`, `site_sorts`, `site_timed` or data.
    """

    surface: str
    folder: str
    name: str


FORMS: Hook[Iterable[PathPattern]] = Hook("addresses", "FORMS")
#: Folder -> the Content-Security-Policy of its pages.
POLICIES: Hook[Mapping[str, str]] = Hook("addresses", "POLICIES")


def is_output_path(path: str, kinds: Kinds) -> bool:
    """Whether a build of a registry with these kinds can publish a file at this path."""
    return len(path) <= _MAX_PATH and _paths(kinds).fullmatch(path) is not None


def surface_of_folder(folder: str, kinds: Kinds) -> str | None:
    """The surface of the files of a folder, given without slashes at its ends; None if no output
    has such a folder.
    """
    match = _folders(kinds).fullmatch(folder)
    return match.lastgroup if match else None


@cache
def page_policies() -> Mapping[str, str]:
    """Folder -> the Content-Security-Policy of its pages, where features need another one."""
    return dict(chain.from_iterable(of.items() for of in POLICIES))


@cache
def page_folders(kinds: Kinds) -> tuple[str, ...]:
    """The folders of pages with the policy of all pages: those of collections first."""
    added = _added_folders("site") - page_policies().keys()
    return (*(f"/{kind.pages}" for kind in kinds.values()), *sorted(added | {"/docs"}))


@cache
def data_folders() -> tuple[str, ...]:
    return (*sorted(_added_folders("data")),)


def _added_folders(surface: str) -> set[str]:
    """The first segments of the addresses of features' files of a surface."""
    forms = (form for found in FORMS for form in found)
    folders = (re.match(r"[\w-]+", form.folder) for form in forms if form.surface == surface)
    return {f"/{folder[0]}" for folder in folders if folder}


@cache
def _paths(kinds: Kinds) -> re.Pattern[str]:
    forms = (
        f"/{form.folder}/(?:{form.name})" if form.folder else f"/(?:{form.name})"
        for form in _forms(kinds)
    )
    return re.compile("|".join(forms), re.ASCII)


@cache
def _folders(kinds: Kinds) -> re.Pattern[str]:
    surfaces: dict[str, dict[str, None]] = {}
    for form in _forms(kinds):
        surfaces.setdefault(form.surface, {})[form.folder] = None
    groups = (f"(?P<{name}>{'|'.join(folders)})" for name, folders in surfaces.items())
    return re.compile("|".join(groups), re.ASCII)


def _forms(kinds: Kinds) -> Iterator[PathPattern]:
    for path in _FIXED:
        yield path_form("contexts" if path == paths.AGENT_OVERVIEW else "other", path)
    yield path_form("contexts", paths.agent_context("@", "%"), "|".join(kinds.contexts), SLUG)
    yield path_form("other", paths.agent_skill("@"), SLUG)
    yield path_form("other", paths.problem_path("@"), SLUG)
    yield path_form("other", paths.schema_path("@"), _NAME)
    yield PathPattern("other", "", rf"sitemap-{_NUMBER}\.xml")
    for collection in Grammar(kinds).collections.values():
        yield from _api_forms(collection)
        yield from _index_forms(collection)
        yield from _site_forms(collection)
    yield PathPattern("site", paths.ASSETS[1:], _ASSET)
    yield PathPattern("logos", paths.MEDIA[1:], r"[0-9a-f]{32}\.(?:svg|png)")
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
    own = collection.declared.own
    through = [f"{f.filter}_{beyond}" for f in own for beyond in f.through]
    filters = _filters(collection.prepared_filters)
    listed = _filters(dict.fromkeys((*collection.listed_filters, *through)))
    yield PathPattern("lists", f"{root}/page", page)
    for name in collection.virtual:
        yield PathPattern("lists", f"{root}/{name}/page", page)
        yield PathPattern("other", root, rf"{name}\.ics")
    yield PathPattern("sorts", f"{root}/sort/(?:{_sorts(collection)})/page", page)
    yield PathPattern("by", f"{root}/by/(?:{filters})/(?=.{{1,{MAX_VALUE}}}/){_VALUE}/page", page)
    yield PathPattern("records", f"{root}/slug", rf"{SLUG}\.json")
    yield PathPattern("other", root, r"filters\.json")
    yield PathPattern("other", f"{root}/filters", rf"(?:{listed})\.json")
    if collection.declared.timed:
        yield path_form("other", Slice(collection).feed)
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
    yield PathPattern("site", root, r"upcoming\.atom" if timed else r"values\.json")
    yield PathPattern("site", f"{root}/(?:{filters})/{_VALUE}{numbered}", page)
    yield PathPattern("site_timed" if timed else "site", f"{root}/{SLUG}", page)
    yield PathPattern("site_sorts", f"{root}/sort/(?:{_sorts(collection)}){numbered}", page)


class Address(NamedTuple):
    """Canonical files of one shape: their path with `{name}` placeholders, the kind of document,
    and a description.  `{value}` is a value of `filter` in `collection`; `parameters` has the words
    and the schema of other placeholders.
    """

    template: str
    kind: str
    description: str
    collection: str = ""
    filter: str = ""
    parameters: Mapping[str, tuple[str, Mapping[str, Any]]] = {}


class Added(NamedTuple):
    """Documents of a feature, for the index, the lock and OpenAPI.

    The index calls them `name`, describes them by `words`, and counts the files of `surface`, if it
    is given.  Without a kind of document in `address` only the index has them, if a build does.
    """

    address: Address
    name: str
    words: str
    surface: str = ""


DOCUMENTS: Hook[Callable[[Grammar], Iterable[Added]]] = Hook("addresses", "documents", "grammar")


def added(grammar: Grammar) -> list[Added]:
    """The documents of features by address: the lock and OpenAPI have one order."""
    found = (each for of in DOCUMENTS.without(grammar.left_out) for each in of(grammar))
    return sorted(found, key=attrgetter("address.template"))


_FIRST = (
    Address(paths.INDEX, "index", "Everything that the API publishes"),
    Address(paths.DASHBOARD, "dashboard", "The whole registry in one answer"),
    Address(paths.BUILD, "build", "When and from what the registry was built"),
    Address(paths.CHANGES, "change_list", "The latest new, changed and removed records"),
    Address(paths.REMOVED, "removed_list", "The records that were removed for good"),
    Address(paths.COVERAGE, "coverage", "How recent and how complete the records are"),
    Address(paths.MANIFEST_ROOT, "manifest_root",
            "The root of the manifest of what is published"),
    Address(paths.MANIFEST_SNAPSHOT, "manifest_snapshot", "The hash of each bin"),
    Address(paths.manifest_part("{number}"), "manifest_snapshot",
            "The hash of each of some bins, if there are very many"),
    Address(paths.manifest_bin("{number}"), "manifest_bin",
            "Path, size and SHA-256 of some files"),
)  # fmt: skip
_LAST = (
    Address(paths.problem_path("{code}"), "problem", "A problem of a query"),
    Address(paths.schema_path("{kind}"), "schema", "The JSON Schema of one kind of document"),
    Address(paths.OPENAPI, "openapi", "The API in OpenAPI 3.1"),
    Address(paths.OPENAPI_QUERIES, "openapi", "Its queries alone, for the prompt of a model"),
    Address(paths.AGENT_CATALOG, "agent_catalog",
            "What an agent can read, how large it is and in which order"),
    Address(paths.AGENT_SCHEMA, "agent_schema",
            "What every field means, with an example of each kind"),
    Address(paths.AGENT_TOOLS, "agent_tools", "The queries as tools"),
    Address(paths.AGENT_OVERVIEW, "context", "An overview of the registry, to paste into a prompt"),
)  # fmt: skip


def addresses(grammar: Grammar) -> Iterator[Address]:
    """The addresses of all canonical files of the API, without the prefix."""
    yield from _FIRST
    for collection in grammar.collections.values():
        yield from _collection_addresses(collection)
    yield from feeds(grammar)
    yield from (each.address for each in added(grammar) if each.address.kind)
    yield from _LAST
    for c in map(grammar.collections.__getitem__, grammar.contexts):
        words = f"Facts about one {c.one}, to paste into a prompt"
        yield Address(paths.agent_context(c.name, "{slug}"), "context", words, c.name)


def feeds(grammar: Grammar) -> Iterator[Address]:
    """The iCalendar feeds: first that of the whole timed collection, if there is one."""
    if grammar.kinds.timed:
        c = grammar.timed
        for name in ("", *c.feeds):
            noun = f"{c.many} of one {name}" if name else c.many
            words = f"The {noun} as iCalendar, upcoming and of the past year"
            yield Address(Slice(c, name or None, "{value}").feed, "calendar", words, c.name, name)


def about_dashboard(grammar: Grammar) -> str:
    """What the dashboard has, in words."""
    of, kinds = grammar.collections.values(), grammar.kinds
    ranked = [c.many for c in of if c.declared.series or c.declared.owner]
    referred = [c.many for c in of if c.declared.is_own and c.declared.counters]
    parts = ["Totals", *(["shares"] if kinds.counted else [])]
    parts += [f"the largest {joined(ranked)}"] if ranked else []
    parts += [f"the {joined(referred)} that most others refer to"] if referred else []
    return ", ".join([*parts, *(["next dates"] if kinds.timed else [])])


def _collection_addresses(c: Collection) -> Iterator[Address]:
    noun, pages = c.many, f"{c.kind}_list"
    yield Address(Slice(c).path("{page}"), pages, f"All {noun}", c.name)
    for sort in c.prepared_sorts[1:]:
        path = Slice(c, sort=sort).path("{page}")
        yield Address(path, pages, f"All {noun}, sorted by {sort}", c.name)
    for f, virtual_slice in c.virtual_slices():
        yield Address(virtual_slice.path("{page}"), pages, f"{c.label} {f.label}", c.name)
    for f in c.prepared_filters.values():
        path = Slice(c, f.name, "{value}").path("{page}")
        words = f"The {noun} with one value of {f.name} ({f.label})"
        yield Address(path, pages, words, c.name, f.name)
    yield Address(c.record_path("{slug}"), c.kind, f"One whole record of the {noun}", c.name)
    words = f"The filters of {noun}, each with its most frequent values"
    yield Address(c.filters_path, "filter_list", words, c.name)
    for f in c.listed_filters.values():
        words = f"All values of {f.name} ({f.label}) among {noun}"
        yield Address(c.filter_path(f.name), "filter", words, c.name)
