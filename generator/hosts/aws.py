"""Amazon S3 behind CloudFront: a CloudFront Function, and nothing in the output.

The function runs before the cache (viewer request).  It answers with a problem or a redirect, or
names the file to fetch.  It cannot fetch itself, so the distribution's own error response answers
for missing files, and the function has as many aliases as fit.

Sources:
docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html,
.../general-helper-methods.html (rawQueryString), .../cloudfront-limits.html (10 KB a function).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.contract.artifact import Artifact
from generator.engine import scripts
from generator.grammar.grammar import Grammar
from generator.grammar.headers import COMMON_HEADERS
from generator.grammar.paths import problem_path
from generator.hosts import HostLimit, HostLimits
from generator.hosts._patterns import Aliases
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

LIMITS = HostLimits()

#: Bytes of one CloudFront Function.
MAX_FUNCTION = 10_240
#: How many filters a message names.
_MOST_WAYS = 5

_INSTALL = """\
// For viewer requests, cloudfront-js-2.0.  The distribution answers 403 and 404 of the bucket with
// %s and 404.
"""


def outside(symbols: Symbols, settings: Settings, aliases: Aliases) -> Iterator[Artifact]:
    """The function.  For aliases that do not fit, the file at their address names the slug.

    Raises HostLimit if the function is too large without any alias.
    """
    if excess := find_excess(symbols.grammar):
        raise HostLimit("{}. {}.".format(*excess))
    install, headers = _install(), _headers()
    empty = scripts.cloudfront(symbols.grammar, moved={}, headers=headers)
    room = MAX_FUNCTION - len(install) - len(empty)
    moved: dict[str, str] = {}
    for alias in aliases:
        address = f"{alias.collection}/{alias.former}"
        room -= len(f'"{address}":"{alias.slug}",')
        if room < 0:
            break
        moved[address] = alias.slug
    function = scripts.cloudfront(symbols.grammar, moved=moved, headers=headers)
    yield Artifact("/cloudfront-function.js", install + function)


def find_excess(grammar: Grammar) -> tuple[str, str] | None:
    """The problem and the hint if the function is too large without any alias."""
    size = len(_install()) + len(scripts.cloudfront(grammar, moved={}, headers=_headers()))
    if size <= MAX_FUNCTION:
        return None
    problem = f"the CloudFront Function has {size:,} bytes, and CloudFront takes {MAX_FUNCTION:,}"
    return problem, _hint(grammar)


def _install() -> bytes:
    return (_INSTALL % problem_path("not-found")).encode()


def _headers() -> dict[str, str]:
    # CloudFront does not cache the answers of a function.
    return {name: value for name, value in COMMON_HEADERS.items() if not name.startswith("CDN-")}


def _hint(grammar: Grammar) -> str:
    """What to leave out: own filters, those with the most bytes first."""
    size = len(scripts.cloudfront(grammar))

    def saved(**without: Any) -> int:
        return size - len(scripts.cloudfront(replace(grammar, **without)))

    families, fields = dict(grammar.tag_families), grammar.kinds.own
    ways = {
        f"the tag family {family}": saved(tag_families=_without(families, family))
        for family in families
    }
    for collection, own in fields.items():
        for key in (key for key, settings in own.items() if settings["filter"]):
            rest = grammar.kinds.having({**fields, collection: _without(own, key)})
            ways[f"`filter` of fields.{collection}.{key}"] = saved(kinds=rest)
    most = sorted(ways.items(), key=lambda way: -way[1])[:_MOST_WAYS]
    found = "; ".join(f"{way} takes {count:,} bytes" for way, count in most if count > 0)
    advice = f"leave out filters in registry.yaml: {found}" if found else "use fewer kinds"
    return f"{advice}; or publish to another host"


def _without(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != key}
