"""Amazon S3 behind CloudFront: a CloudFront Function, and nothing in the output.

The function runs before the cache (viewer request).  It answers with a problem or a redirect, or
names the file to fetch.  It cannot fetch itself, so the distribution's own error response answers
for missing files, and the function has as many aliases as fit.

Sources:
docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html,
.../general-helper-methods.html (rawQueryString), .../cloudfront-limits.html (10 KB a function).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.contract.artifact import Artifact
from generator.engine import scripts
from generator.engine.bundles import bundle
from generator.engine.table import routing
from generator.grammar.grammar import Grammar
from generator.grammar.headers import COMMON_HEADERS
from generator.hosts import HostLimit, HostLimits
from generator.hosts._patterns import Aliases
from generator.kinds import Kinds
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

LIMITS = HostLimits()

#: Bytes of one CloudFront Function.
MAX_FUNCTION = 10_240

#: How many filters a message names.
_MOST_WAYS = 5
#: A setting of an own field -> what changes with it.
_WITHOUT: Mapping[str, Mapping[str, Any]] = {
    "filter": {"filter": False, "through": []},
    "through": {"through": []},
}

_INSTALL = b"// For viewer requests, cloudfront-js-2.0: docs/host-aws.md\n"


def outside(symbols: Symbols, settings: Settings, aliases: Aliases) -> Iterator[Artifact]:
    """The function.  For aliases that do not fit, the file at their address names the slug.

    Raises HostLimit if the function is too large without any alias.
    """
    if excess := find_excess(symbols.grammar):
        raise HostLimit("{}. {}.".format(*excess))
    grammar = symbols.grammar
    former = [(f"{alias.collection}/{alias.former}", alias.slug) for alias in aliases]
    fitting = bisect_right(
        range(len(former)),
        MAX_FUNCTION,
        key=lambda last: len(_function(grammar, dict(former[: last + 1]))),
    )
    yield Artifact("/cloudfront-function.js", _function(grammar, dict(former[:fitting])))


def find_excess(grammar: Grammar) -> tuple[str, str] | None:
    """The problem and the hint if the function is too large without any alias."""
    size = len(_function(grammar))
    if size <= MAX_FUNCTION:
        return None
    problem = f"the CloudFront Function has {size:,} bytes, and CloudFront takes {MAX_FUNCTION:,}"
    return problem, _hint(grammar, size)


def _hint(grammar: Grammar, size: int) -> str:
    """What to leave out in registry.yaml: the filters with the most bytes.  Only the whole table
    can be packed, so each has its share of that.
    """
    whole = _unpacked(grammar)
    packed = (size - len(bundle("cloudfront"))) / whole
    ways = [(way, round((whole - _unpacked(of)) * packed)) for way, of in _leaner(grammar)]
    most = sorted(ways, key=lambda way: -way[1])[:_MOST_WAYS]
    found = "; ".join(f"{way} takes about {count:,} bytes" for way, count in most if count > 0)
    advice = f"leave out filters in registry.yaml: {found}" if found else "use fewer kinds"
    return f"{advice}; or publish to another host"


def _leaner(grammar: Grammar) -> Iterator[tuple[str, Grammar]]:
    """The grammar without a tag family, a filter, or the filters that go through a relation."""
    for family in grammar.tag_families:
        families = {name: label for name, label in grammar.tag_families.items() if name != family}
        yield f"the tag family {family}", replace(grammar, tag_families=families)
    kinds = grammar.kinds
    for collection in kinds:
        place = "kinds.{}.fields" if collection in kinds.own_kinds else "fields.{}"
        for key, settings in kinds.settings_of(collection).items():
            for setting, without in _WITHOUT.items():
                if settings.get(setting):
                    less = _having(kinds, collection, key, {**settings, **without})
                    way = f"`{setting}` of {place.format(collection)}.{key}"
                    yield way, replace(grammar, kinds=less)


def _having(kinds: Kinds, collection: str, key: str, settings: Mapping[str, Any]) -> Kinds:
    """The kinds with other settings of one own field."""
    fields = {**kinds.settings_of(collection), key: settings}
    if collection not in kinds.own_kinds:
        return kinds.having({**kinds.own, collection: fields})
    own = {**kinds.own_kinds[collection], "fields": fields}
    return kinds.having(kinds.own, {**kinds.own_kinds, collection: own})


def _unpacked(grammar: Grammar) -> int:
    return len(json.dumps(routing(grammar)))


def _function(grammar: Grammar, moved: Mapping[str, str] = {}) -> bytes:
    # CloudFront does not cache the answers of a function.
    headers = {name: value for name, value in COMMON_HEADERS.items() if not name.startswith("CDN-")}
    return _INSTALL + scripts.cloudfront(grammar, moved, headers)
