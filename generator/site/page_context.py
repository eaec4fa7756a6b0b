"""`Site`: everything that a page is rendered from.

Pages read only files of the API, never the records themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import orjson
from markupsafe import Markup

from generator.contract.artifact import Details
from generator.grammar.grammar import Grammar
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Counts, Table
from generator.site.fit import Fit, narrowing_filters
from generator.site.theme import Theme

_Value = TypeVar("_Value")


class Memo:
    """Values that several pages use, each made at its first use."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def get_or_make(self, key: Any, make: Callable[..., _Value], *arguments: Any) -> _Value:
        """The value of a key, computed by `make` from `arguments` at its first use."""
        if key not in self._made:
            self._made[key] = make(*arguments)
        found: _Value = self._made[key]
        return found


@dataclass(eq=False, repr=False)
class Site:
    """The settings, symbols, theme and files that pages are rendered from.

    `read` returns the bytes of a published file of the API; it raises LookupError if the file is
    missing, and for the index and build.json.  `source` returns the path of a record's file below
    the content folder, or None.  `similar` returns the summaries of the records that are most
    similar to one, and `cohorts` those of the programs whose parent is a program, as JSON.
    `details` returns what the last commits changed, `fit` what there is to show.  `modified`
    returns when an event was last changed, None if the history is not known.  `tables` have what
    lists and counts know of records, by collection.
    """

    #: What a registry's own templates may read.
    VISIBLE: ClassVar = frozenset(
        (
            *("absolute", "asset", "fit", "grammar", "logo", "narrowing", "once", "record_page"),
            *("settings", "theme", "url"),
        )
    )

    settings: Settings
    symbols: Symbols
    as_of: date
    theme: Theme
    read: Callable[[str], bytes]
    source: Callable[[str, str], str | None] = lambda collection, slug: None
    similar: Callable[[str, str], Sequence[bytes]] = lambda collection, slug: ()
    cohorts: Callable[[str], Sequence[bytes]] = lambda program: ()
    details: Callable[[], Details] = Details
    fit: Callable[[], Fit] = Fit
    modified: Callable[[str], str | None] = lambda slug: None
    tables: Mapping[str, Table] = field(default_factory=dict)
    memo: Memo = field(default_factory=Memo)

    @cached_property
    def grammar(self) -> Grammar:
        return self.symbols.grammar

    @cached_property
    def _base(self) -> str:
        return self.settings.origin + self.grammar.prefix

    def document(self, path: str) -> dict[str, Any]:
        """A parsed JSON file of the API.  Raises LookupError."""
        document: dict[str, Any] = orjson.loads(self.read(path))
        return document

    def kept_document(self, path: str) -> dict[str, Any]:
        """A parsed JSON file that several pages read, parsed once; nobody may change it."""
        return self.memo.get_or_make(("document", path), self.document, path)

    def counts(self, collection: str) -> Counts:
        """The numbers of a collection's records, computed once."""
        return self.memo.get_or_make(("counts", collection), self.tables[collection].counts)

    def narrowing(self, collection: str) -> Sequence[str]:
        """The filters that can narrow the list of a collection."""
        key, table = ("narrowing", collection), self.tables[collection]
        return self.memo.get_or_make(key, narrowing_filters, table)

    def record_page(self, collection: str, slug: str) -> str | None:
        """The path of a record's page; None for events if the registry leaves out their pages."""
        return self.grammar.record_page(collection, slug)

    def url(self, path: str) -> str:
        """The URL for a link within the site."""
        return self.grammar.prefix + path

    def absolute(self, path: str) -> str:
        """The URL with the origin, if the registry has a base URL."""
        return self._base + path

    def asset(self, name: str) -> str:
        """The URL of an asset: `site.css`, `list.js`, `logo.svg`.  Raises LookupError."""
        return self.url(self.theme.assets[name].path)

    @property
    def logo(self) -> str | None:
        """The URL of the registry's own logo, or None."""
        names = (name for name in ("logo.svg", "logo.png") if name in self.theme.assets)
        return next(map(self.asset, names), None)

    def once(self, macro: Callable[[Any], Markup], value: Any) -> Markup:
        """The result of a macro for a value on many pages; `value.key` identifies the value."""
        return self.memo.get_or_make((macro, value.key), macro, value)
