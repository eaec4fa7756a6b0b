"""What the engine makes of a query: its refusal, or the file that it reads first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from generator.grammar.grammar import Collection, Grammar
from support.answers import asked, deployed


class Parsed(NamedTuple):
    """`problem` is the refusal, None for a query that is allowed; `reads` are the files that the
    engine asked for.
    """

    problem: dict[str, Any] | None
    reads: list[str]

    @property
    def page(self) -> str | None:
        """The prepared page that answers the query; None if only the query tier does."""
        return next((path for path in self.reads[:1] if "/page/" in path), None)


class Parser:
    """The engine of a registry of which every file is missing."""

    def __init__(self, grammar: Grammar):
        self._reads = list[str]()
        self._site = deployed(grammar, self._read)

    def _read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        self._reads += paths
        return [None] * len(paths)

    def parse(self, collection: Collection, raw: str) -> Parsed:
        self._reads.clear()
        target = f"{collection.root}?{raw}".encode().decode("latin-1")
        [(status, body)] = asked(self._site, target)
        assert status in (400, 404, 503), (target, body)
        return Parsed(json.loads(body) if status == 400 else None, list(self._reads))
