"""GitLab Pages: files at their canonical addresses, and `_redirects` to records.

Its rules ignore queries.  So the bare addresses of lists, of the calendar and of the dashboard have
no rule, because one answer would look like the answer to any query.  The bare address of a record
redirects to its file.  Files win over rules.

Sources: docs.gitlab.com/user/project/pages/redirects (status codes, placeholders, limits; rules
begin with the project's path), docs.gitlab.com/user/gitlab_com and
docs.gitlab.com/administration/instance_limits (sizes).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.hosts import HostLimits
from generator.hosts import _patterns as patterns
from generator.hosts._patterns import Aliases
from generator.model.symbols import Symbols

# 1,000 rules in 64 KB by default; 200,000 files and folders and 1 GB on GitLab.com.
_MAX_RULES = 1_000
LIMITS = HostLimits(files=200_000, bytes=1_000_000_000, rules=_MAX_RULES)
RULES = "/_redirects"
_MAX_BYTES = 64_000
_FOUND = 302  # GitLab has only this and 301, which browsers cache for ever.


def render(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    grammar = symbols.grammar

    def rule(path: str, target: str) -> str:
        return f"{grammar.url(path)} {grammar.url(target)} {_FOUND}\n"

    routes = [
        patterns.record_route(grammar, collection) for collection in grammar.collections.values()
    ]
    last = [rule(route.path, route.target) for route in routes]
    room = _MAX_BYTES - sum(map(len, last))
    # For an alias that does not fit, the file at its address names the slug.
    rules: list[str] = []
    for alias in aliases[: _MAX_RULES - len(last)]:
        collection = grammar.collections[alias.collection]
        moved = rule(f"{collection.root}/{alias.former}", collection.record_path(alias.slug))
        room -= len(moved)
        if room < 0:
            break
        rules.append(moved)
    yield Artifact(RULES, "".join([*rules, *last]).encode())
