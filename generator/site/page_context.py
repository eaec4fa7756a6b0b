"""What every page of the site is made with.

A page is made of files of the API and of nothing else that a record says: what the site shows, the
API says.  The build records what a page reads through its `Site`, and renders the page again when
something that it read has changed (generator.build.site).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import orjson
from markupsafe import Markup

from generator.grammar.grammar import Grammar
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.site import paths
from generator.site.theme import Theme

#: Slug and name of the record before one, and of that after it; None where there is none.
Neighbours = tuple[tuple[str, str] | None, tuple[str, str] | None]


class Memo(dict[Any, Any]):
    """Values that are worked out once.  `log` has what the page that is being made has read; a
    value that is used again brings what was read for it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []
        self._begun: dict[Any, int] = {}
        self._reads: dict[Any, tuple[str, ...]] = {}

    def begin(self) -> None:
        """Begin another page."""
        self.log.clear()
        self._begun.clear()

    def get(self, key: Any, default: Any = None) -> Any:
        known = super().get(key)
        if known is None:
            self._begun[key] = len(self.log)
            return default
        if key in self._reads:
            self.log += self._reads[key]
        return known

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        begun = self._begun.pop(key, len(self.log))
        if begun < len(self.log):
            self._reads[key] = tuple(dict.fromkeys(self.log[begun:]))


@dataclass(frozen=True, slots=True)
class Site:
    """What pages are made with.

    `read` gives the bytes of a file of the API as it will be published (LookupError where there is
    none, and of those that tell of this build: the index and build.json); `source` the file of a
    record below the content folder, None where it is not known; `neighbours` the projects before
    and after one in a program that it names, as (slug, name) each; `memo` is for what is worked out
    once.
    """

    settings: Settings
    symbols: Symbols
    as_of: date
    theme: Theme
    read: Callable[[str], bytes]
    source: Callable[[str, str], str | None] = lambda collection, slug: None
    neighbours: Callable[[str, str], Neighbours] = lambda project, program: (None, None)
    memo: Memo = field(default_factory=Memo, compare=False, repr=False)
    grammar: Grammar = field(init=False, compare=False, repr=False)
    #: What stands before each path of a page, in links and in full.
    _prefix: str = field(init=False, compare=False, repr=False)
    _base: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        grammar = self.symbols.grammar
        for name, value in (
            ("grammar", grammar),
            ("_prefix", grammar.prefix),
            ("_base", self.settings.origin + grammar.prefix),
        ):
            object.__setattr__(self, name, value)

    def document(self, path: str) -> dict[str, Any]:
        """A JSON file of the API.  Raises LookupError."""
        whole: dict[str, Any] = orjson.loads(self.read(path))
        return whole

    def record_page(self, collection: str, slug: str) -> str | None:
        """The path of the page of a record; None if the registry leaves out such pages."""
        left_out = collection == "events" and "event_pages" in self.grammar.left_out
        return None if left_out else paths.record_page(collection, slug)

    def url(self, path: str) -> str:
        """What a page links to."""
        return self._prefix + path

    def absolute(self, path: str) -> str:
        """The same with the origin, where the registry has a base URL."""
        return self._base + path

    def asset(self, name: str) -> str:
        """The URL of an asset: `site.css`, `list.js`, `logo.svg`.  Raises LookupError."""
        return self.url(self.theme.assets[name].path)

    @property
    def logo(self) -> str | None:
        """The URL of the registry's own logo, where it has one."""
        names = (name for name in ("logo.svg", "logo.png") if name in self.theme.assets)
        return next(map(self.asset, names), None)

    def once(self, macro: Callable[[Any], Markup], value: Any) -> Markup:
        """What a macro makes of a value that many pages show; `value.key` says which it is."""
        key = macro, value.key
        known: Markup | None = self.memo.get(key)
        if known is None:
            known = self.memo[key] = macro(value)
        return known
