"""The paths of all files that a build of this contract publishes, and what makes the files.

Whoever copies files that somebody else names, as a mirror does, takes these and no others.  A web
server runs some files by their names (`.htaccess`, `x.php`, `functions/_middleware.js`); no list of
such names is ever complete, but this one is.  It does not depend on the registry: names that a
registry chooses, such as slugs and tag families, are allowed in their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.grammar import paths
from generator.grammar.filters import MAX_VALUE, PATTERNS
from generator.grammar.grammar import Grammar
from generator.grammar.headers import TYPES
from generator.grammar.own_fields import PREFIX
from generator.grammar.query import Collection
from generator.grammar.text import SLUG

_NAME = "[a-z][a-z0-9_]*"
#: The names that registries choose for filters and for sorts.
_TAG, _OWN = f"tag_{_NAME}", f"{PREFIX}{_NAME}"
_VALUE = PATTERNS["word"]
_NUMBER = "(?:0|[1-9][0-9]{0,8})"
#: An asset has the digest of its bytes in its name.  A dot before the digest, as in `x.min-…js`,
#: begins no ending that a server knows.
_MEDIA = sorted({*TYPES, "jpg", "jpeg", "gif", "webp", "avif", "woff", "ttf", "otf"} - {"html"})
_ASSET = rf"[\w-]+(?:\.[\w-]+)?-[0-9a-f]{{8}}\.(?:{'|'.join(_MEDIA)})"
_FIXED = (
    *(paths.INDEX, paths.DASHBOARD, paths.CHANGES, paths.REMOVED, paths.COVERAGE, paths.OPENAPI),
    *(paths.FEED, paths.SKILL, paths.LLMS, paths.ROBOTS, paths.SITEMAP, paths.AGENT_SKILLS),
    *(paths.API_CATALOG, paths.SEARCH_SCRIPT, paths.FOLDING, paths.AGENT_CATALOG),
    *(paths.AGENT_SCHEMA, paths.AGENT_TOOLS, paths.AGENT_OVERVIEW),
    *("/index.html", "/changes.atom"),
)
#: Bytes of a path: more than any has.
_LONGEST = 1024


class Form(NamedTuple):
    """Files of one kind: what makes them, a pattern of their folder without slashes at its ends,
    and a pattern of their names.

    `made` is one of `records`, `lists`, `sorts`, `by` (lists of a filter's values), `feeds`,
    `contexts`, `index`, `other` and `site`; of the site, `site_sorts` and `site_events` apart.
    """

    made: str
    folder: str
    name: str


def is_output(path: str) -> bool:
    """Whether a build of this contract can publish a file at this path."""
    return len(path) <= _LONGEST and _paths().fullmatch(path) is not None


def made_by(folder: str) -> str | None:
    """What makes the files of a folder, which has no slashes at its ends: see `Form`.  None if it
    is no folder of an output.
    """
    found = _folders().fullmatch(folder)
    return found.lastgroup if found else None


@cache
def _paths() -> re.Pattern[str]:
    forms = (f"/{form.folder}/{form.name}" if form.folder else f"/{form.name}" for form in _forms())
    return re.compile("|".join(forms), re.ASCII)


@cache
def _folders() -> re.Pattern[str]:
    made: dict[str, dict[str, None]] = {}
    for form in _forms():
        made.setdefault(form.made, {})[form.folder] = None
    groups = (f"(?P<{name}>{'|'.join(folders)})" for name, folders in made.items())
    return re.compile("|".join(groups), re.ASCII)


def _forms() -> Iterator[Form]:
    for path in _FIXED:
        yield _form("contexts" if path == paths.AGENT_OVERVIEW else "other", path)
    yield _form("contexts", paths.agent_context("@", "%"), "programs|organizations", SLUG)
    yield _form("other", paths.agent_skill("@"), SLUG)
    yield _form("other", paths.problem_path("@"), SLUG)
    yield _form("other", paths.schema_path("@"), _NAME)
    yield Form("other", "", rf"sitemap-{_NUMBER}\.xml")
    grammar = Grammar({})
    for collection in grammar.collections.values():
        yield from _of_api(collection)
        yield from _of_index(collection)
        yield from _of_site(collection)
    yield Form("site", paths.ASSETS[1:], _ASSET)
    for folder in (
        f"{paths.EMBEDS[1:]}/{SLUG}",
        "docs/(?:agents|api(?:/[a-z-]+)?)",
        f"map/(?:{'|'.join(grammar.collections)})",
        f"(?:{'|'.join(page[1:] for page in paths.PAGES)})",
    ):
        yield Form("site", folder, r"index\.html")
    yield Form("site", "calendar", r"upcoming\.atom")
    yield Form("site", paths.ADMIN[1:], r"(?:index\.html|config\.yml)")


def _form(made: str, path: str, *forms: str) -> Form:
    """A path with a form in place of "@", and the second one in place of "%"."""
    folder, _, name = (re.escape(path[1:])).rpartition("/")
    for mark, form in zip("@%", forms, strict=False):
        folder, name = folder.replace(mark, f"(?:{form})"), name.replace(mark, f"(?:{form})")
    return Form(made, folder, name)


def _filters(collection: Collection) -> str:
    """The names of filters that have pages."""
    return "|".join([*collection.prepared_filters, _TAG, _OWN])


def _sorts(collection: Collection) -> str:
    return "|".join(map(re.escape, collection.prepared_sorts))


def _of_api(collection: Collection) -> Iterator[Form]:
    root, filters, page = collection.root[1:], _filters(collection), rf"{_NUMBER}\.json"
    yield Form("lists", f"{root}/page", page)
    for name in collection.virtual:
        yield Form("lists", f"{root}/{name}/page", page)
        yield Form("other", root, rf"{name}\.ics")
    yield Form("sorts", f"{root}/sort/(?:{_sorts(collection)})/page", page)
    yield Form("by", f"{root}/by/(?:{filters})/(?=.{{1,{MAX_VALUE}}}/){_VALUE}/page", page)
    yield Form("records", f"{root}/slug", rf"{SLUG}\.json")
    yield Form("other", root, r"filters\.json")
    yield Form("other", f"{root}/filters", rf"(?:{filters})\.json")
    if collection.feeds:
        yield Form("feeds", f"{root}/by/(?:{'|'.join(collection.feeds)})", rf"{_VALUE}\.ics")


def _of_index(collection: Collection) -> Iterator[Form]:
    yield _form("index", collection.manifest_path)
    parts = f"[a-z]+(?:/(?:{_NAME}|[0-9]{{1,9}})){{0,3}}"
    yield _form("index", collection.index_path("@", "%"), parts, "[0-9]{1,9}-[0-9a-f]{8}")


def _of_site(collection: Collection) -> Iterator[Form]:
    """Pages for people, whose filters have hyphens in their names."""
    events = collection.name == "events"
    root = "calendar" if events else collection.name
    filters = _filters(collection).replace("[a-z0-9_]*", "[a-z0-9-]*").replace("_", "-")
    numbered, page = f"(?:/page/{_NUMBER})?", r"index\.html"
    yield Form("site", f"{root}{numbered}", page)
    yield Form("site", f"{root}/filters", page)
    yield Form("site", f"{root}/(?:{filters})/{_VALUE}{numbered}", page)
    yield Form("site_events" if events else "site", f"{root}/{SLUG}", page)
    yield Form("site_sorts", f"{root}/sort/(?:{_sorts(collection)}){numbered}", page)
