"""GitLab Pages: files at their canonical addresses, and `_redirects` to some of them.

Its rules cannot see a query, so lists, the bare calendar and the bare dashboard have none: whatever
query came, what answers would look like its answer.  A single record has nothing that could be
filtered, and says which it is; so its bare address is redirected, not rewritten, to the canonical
one.  Files win over rules.

Sources: docs.gitlab.com/user/project/pages/redirects (status codes, placeholders, limits; rules
begin with the project's path), docs.gitlab.com/user/gitlab_com and
docs.gitlab.com/administration/instance_limits (sizes).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact
from generator.hosts import Limits
from generator.hosts import _patterns as shapes
from generator.hosts._patterns import Aliases
from generator.model.symbols import Symbols

# 1,000 rules in 64 KB by default; 200,000 files and folders and 1 GB on GitLab.com.
LIMITS = Limits(files=200_000, bytes=1_000_000_000, rules=1_000)
RULES = "/_redirects"
_MAX_BYTES = 64_000
_FOUND = 302  # The only ones there are: 301, which browsers keep for ever, and this.


def render(symbols: Symbols, aliases: Aliases) -> Iterator[Artifact]:
    grammar = symbols.grammar

    def rule(path: str, target: str) -> str:
        return f"{grammar.url(path)} {grammar.url(target)} {_FOUND}\n"

    records = [shapes.records(grammar, collection) for collection in grammar.collections.values()]
    last = [rule(route.path, route.target) for route in records]
    room = _MAX_BYTES - sum(map(len, last))
    # A former slug that finds no room is answered by the file that says where its record went.
    rules: list[str] = []
    for name, alias, slug in aliases[: (LIMITS.rules or 0) - len(last)]:
        collection = grammar.collections[name]
        moved = rule(f"{collection.root}/{alias}", collection.record_path(slug))
        room -= len(moved)
        if room < 0:
            break
        rules.append(moved)
    yield Artifact(RULES, "".join([*rules, *last]).encode())
