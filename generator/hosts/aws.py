"""Amazon S3 behind CloudFront: a CloudFront Function, and nothing in the output.

The function runs before the cache (viewer request).  It answers with a problem or a redirect, or
names the file to fetch.  It cannot fetch itself, so the distribution's own error response answers
for missing files, and the function has as many aliases as fit.

Sources:
docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html,
.../general-helper-methods.html (rawQueryString), .../cloudfront-limits.html (10 KB a function).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.grammar.headers import COMMON_HEADERS
from generator.grammar.paths import problem_path
from generator.hosts import Limits
from generator.hosts._patterns import Aliases
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.search import js

LIMITS = Limits()

#: Bytes of one CloudFront Function.
MAX_FUNCTION = 10_240

_INSTALL = """\
// For viewer requests, cloudfront-js-2.0.  The distribution answers 403 and 404 of the bucket with
// %s and 404.
"""


def outside(symbols: Symbols, settings: Settings, aliases: Aliases) -> Iterator[Artifact]:
    """The function.  For aliases that do not fit, the file at their address names the slug."""
    install = (_INSTALL % problem_path("not-found")).encode()
    # CloudFront does not cache the answers of a function.
    headers = {name: value for name, value in COMMON_HEADERS.items() if not name.startswith("CDN-")}
    empty = js.cloudfront(symbols.grammar, moved={}, headers=headers)
    room = MAX_FUNCTION - len(install) - len(empty)
    moved: dict[str, str] = {}
    for alias in aliases:
        address = f"{alias.collection}/{alias.former}"
        room -= len(f'"{address}":"{alias.slug}",')
        if room < 0:
            break
        moved[address] = alias.slug
    function = js.cloudfront(symbols.grammar, moved=moved, headers=headers)
    yield Artifact("/cloudfront-function.js", install + function)
