"""The paths of all files that a build of this contract publishes.

Whoever copies files that somebody else names, as a mirror does, takes these and no others.  A web
server runs some files by their names (`.htaccess`, `x.php`, `functions/_middleware.js`); no list of
such names is ever complete, but this one is.  It does not depend on the registry: names that a
registry chooses, such as slugs and tag families, are allowed in their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.api import paths
from generator.api.filters import MAX_VALUE, PATTERNS
from generator.api.grammar import Grammar
from generator.api.headers import TYPES
from generator.api.own import PREFIX
from generator.api.query import Collection
from generator.api.text import SLUG

_NAME = "[a-z][a-z0-9_]*"
#: The names that registries choose for filters and for sorts.
_TAG, _OWN = f"tag_{_NAME}", f"{PREFIX}{_NAME}"
_VALUE = PATTERNS["word"]
_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_PAGE = rf"/page/{_NUMBER}\.json"
#: Where a page of a list is, below that of its first page.
_NUMBERED = rf"(?:/page/{_NUMBER})?/index\.html"
#: An asset has the digest of its bytes in its name.  A dot before the digest, as in `x.min-…js`,
#: begins no ending that a server knows.
_MEDIA = sorted({*TYPES, "jpg", "jpeg", "gif", "webp", "avif", "woff", "ttf", "otf"} - {"html"})
_ASSET = rf"[\w-]+(?:\.[\w-]+)?-[0-9a-f]{{8}}\.(?:{'|'.join(_MEDIA)})"
_FIXED = (
    *(paths.INDEX, paths.DASHBOARD, paths.CHANGES, paths.REMOVED, paths.COVERAGE, paths.OPENAPI),
    *(paths.FEED, paths.SKILL, paths.LLMS, paths.ROBOTS, paths.SITEMAP, paths.AGENT_SKILLS),
    *(paths.API_CATALOG, paths.SEARCH_SCRIPT, paths.FOLDING, paths.AGENT_CATALOG),
    *(paths.AGENT_SCHEMA, paths.AGENT_TOOLS, paths.AGENT_OVERVIEW),
    *(f"{paths.ADMIN}/index.html", f"{paths.ADMIN}/config.yml"),
    *("/index.html", "/changes.atom", "/calendar/upcoming.atom"),
    *(f"{page}/index.html" for page in paths.PAGES),
)
#: Bytes of a path: more than any has.
_LONGEST = 1024


def is_output(path: str) -> bool:
    """Whether a build of this contract can publish a file at this path."""
    return len(path) <= _LONGEST and _outputs().fullmatch(path) is not None


@cache
def _outputs() -> re.Pattern[str]:
    grammar = Grammar({})
    forms = [*map(re.escape, _FIXED), *_named()]
    for collection in grammar.collections.values():
        forms += _of_api(collection)
        forms += _of_index(collection)
        forms += _of_site(collection)
    return re.compile("|".join(forms), re.ASCII)


def _named() -> Iterator[str]:
    """Files with one name that somebody chose."""
    yield _form(paths.agent_context("@", "%"), "programs|organizations", SLUG)
    yield _form(paths.agent_skill("@"), SLUG)
    yield _form(paths.problem_path("@"), SLUG)
    yield _form(paths.schema_path("@"), _NAME)
    yield rf"/sitemap-{_NUMBER}\.xml"
    yield f"{paths.ASSETS}/{_ASSET}"
    yield rf"{paths.EMBEDS}/{SLUG}/index\.html"
    yield r"/docs/(?:agents|api(?:/[a-z-]+)?)/index\.html"
    yield rf"/map/(?:{'|'.join(Grammar({}).collections)})/index\.html"


def _form(path: str, *forms: str) -> str:
    """A path with a form in place of "@", and the second one in place of "%"."""
    pattern = re.escape(path)
    for mark, form in zip("@%", forms, strict=False):
        pattern = pattern.replace(mark, f"(?:{form})")
    return pattern


def _filters(collection: Collection) -> str:
    """The names of filters that have pages."""
    return "|".join([*collection.prepared_filters, _TAG, _OWN])


def _sorts(collection: Collection) -> str:
    return "|".join(map(re.escape, collection.prepared_sorts))


def _of_api(collection: Collection) -> Iterator[str]:
    root, filters = collection.root, _filters(collection)
    parts = [
        f"/by/(?:{filters})/(?=.{{1,{MAX_VALUE}}}/){_VALUE}",
        f"/sort/(?:{_sorts(collection)})",
    ]
    parts += [f"/{name}" for name in collection.virtual]
    yield f"{root}(?:{'|'.join(parts)})?{_PAGE}"
    yield rf"{root}/slug/{SLUG}\.json"
    yield rf"{root}/filters(?:/(?:{filters}))?\.json"
    if collection.feeds:
        yield rf"{root}/by/(?:{'|'.join(collection.feeds)})/{_VALUE}\.ics"
    for name in collection.virtual:
        yield rf"{root}/{name}\.ics"


def _of_index(collection: Collection) -> Iterator[str]:
    yield re.escape(collection.manifest_path)
    parts = f"[a-z]+(?:/(?:{_NAME}|[0-9]{{1,9}})){{0,3}}"
    yield _form(collection.index_path("@", "%"), parts, "[0-9]{1,9}-[0-9a-f]{8}")


def _of_site(collection: Collection) -> Iterator[str]:
    """Pages for people, whose filters have hyphens in their names."""
    root = "/calendar" if collection.name == "events" else f"/{collection.name}"
    filters = _filters(collection).replace("[a-z0-9_]*", "[a-z0-9-]*").replace("_", "-")
    yield rf"{root}{_NUMBERED}"
    yield rf"{root}/{SLUG}/index\.html"
    yield rf"{root}/(?:{filters})/{_VALUE}{_NUMBERED}"
    yield rf"{root}/sort/(?:{_sorts(collection)}){_NUMBERED}"
