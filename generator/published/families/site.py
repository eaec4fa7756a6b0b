"""The site: a page for each file of the API that people visit, and views of several files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import orjson

from generator.contract.artifact import Alias, Artifact, beginnings
from generator.contract.manifest import is_listed
from generator.grammar.grammar import Slice
from generator.grammar.paths import INDEX
from generator.hosts._patterns import former_lists
from generator.model.tables.programs import beginning
from generator.model.tables.table import Table
from generator.outputs.records import list_length
from generator.published.families import Family
from generator.published.made_once import made_once, made_once_each
from generator.published.similar import Similar
from generator.site import calendar, pages
from generator.site.page_context import Fit, Site, fit_of

if TYPE_CHECKING:
    from generator.published.published import Published


class SitePages(Family):
    """An item is the address of a file of the API, or the name of a view."""

    def __init__(self, published: Published):
        self._published, self._theme = published, published.theme
        self._views = {
            name: view._replace(addresses=beginnings(view.addresses, published.grammar))
            for name, view in pages.load_views(published.grammar.left_out).items()
        }
        self._view = made_once_each(self._render_view)
        self._folders = {c.pages[1:]: c.name for c in published.grammar.collections.values()}

    def items(self) -> Iterator[str]:
        files = chain.from_iterable(family.items() for family in self._published.api)
        # A former address of a list may be a file of the API too.
        yield from dict.fromkeys((*self._moved(), *filter(pages.may_have_page, files)))
        yield from self._views

    def _moved(self) -> Iterator[str]:
        """The former addresses of lists, which are no files of the API if hosts redirect them."""
        registry, grammar = self._published.registry, self._published.grammar
        for table in registry.tables.values():
            for slug, aliases in sorted(table.aliases.items()):
                renamed = [Alias(table.collection.name, alias, slug) for alias in aliases]
                for _, before, after in former_lists(grammar, renamed):
                    yield from map(before.path, range(1, list_length(registry, after) + 1))

    def find(self, address: str) -> str | None:
        views = self._views.values()
        for view in (v for v in views if address.startswith(v.addresses)):
            if address in self._view(view.name):
                return view.name
        return self._api_file(address)

    def _api_file(self, address: str) -> str | None:
        """The file of the API whose page would have this address."""
        if not address.endswith("/index.html"):
            return None
        folder, *rest = address.removesuffix("/index.html")[1:].split("/")
        name, number = self._folders.get(folder), 1
        if name is None:
            return None
        collection = self._published.grammar.collections[name]
        if len(rest) >= 2 and rest[-2] == "page" and rest[-1].isdecimal():
            number, rest = int(rest[-1]), rest[:-2]
            if collection.declared.timed:
                several = calendar.pages_in_one(self._published.settings.page_size)
                number = (number - 1) * several + 1
        match rest:
            case []:
                virtual = next(iter(collection.virtual), None)
                part = Slice(collection, virtual, "true") if virtual else Slice(collection)
                return part.path(number)
            case ["sort", sort]:
                return Slice(collection, sort=sort).path(number)
            case [folder_of_filter, value]:
                by_folder = {f.replace("_", "-"): f for f in collection.filters}
                return Slice(collection, by_folder.get(folder_of_filter), value).path(number)
            case [slug] | [slug, "cohorts", _]:
                return collection.record_path(slug)
        return None

    def is_small(self, item: str) -> bool:
        return item not in self._views

    def make(self, item: str) -> Iterator[Artifact]:
        if item in self._views:
            yield from map(Artifact._make, self._view(item).items())
        else:
            try:
                yield from pages.render(self.site, item)
            except Exception as error:
                self._theme.raise_own(error)

    def _render_view(self, name: str) -> Mapping[str, bytes]:
        with self._theme.own_errors():
            return dict(self._views[name].render(self.site))

    def prepare(self) -> None:
        with self._theme.own_errors():
            self._theme.compile_templates()
        _ = self.site.details(), self.site.fit()
        for name in self._published.tables:
            self.site.similar(name, "")

    def surface(self, address: str) -> str:
        return f"site/{address.split('/', 2)[1]}"

    @made_once
    def site(self) -> Site:
        published, tables = self._published, self._published.tables
        registry, symbols = published.registry, published.symbols
        series = published.grammar.kinds.series
        above = {slug: target.ancestors[1:] for slug, target in symbols.series.items()}
        known = {*tables[series].slugs} if series else ()
        parents = {s: of[0] for s, of in above.items() if of and s in known and of[0] in known}
        cohorts = cohorts_of(tables[series], parents) if series else {}

        @made_once_each
        def similar(name: str) -> Similar:
            return Similar(tables[name], parents if tables[name].collection.declared.series else {})

        @cache
        def fit() -> Fit:
            return fit_of(
                published.grammar.kinds,
                published.settings.site,
                published.inputs.counts,
                published.functions,
            )

        def read(address: str) -> bytes:
            """Pages do not read files that differ in every build."""
            if not is_listed(address) or address == INDEX:
                raise LookupError(address)
            return published[address]

        return Site(
            published.settings,
            symbols,
            registry.as_of,
            self._theme,
            read=read,
            source=published.source,
            similar=lambda name, slug: similar(name).of(slug),
            cohorts=lambda program: cohorts.get(program, ()),
            index=published.index.index,
            details=lambda: published.history[1],
            fit=fit,
            modified=registry.modified.get,
            tables=tables,
        )


def cohorts_of(table: Table, parents: Mapping[str, str]) -> dict[str, Sequence[bytes]]:
    """Slug -> the summaries of the program's cohorts as JSON, newest first (by year, then start or
    season), then by name.
    """
    found: dict[str, list[bytes]] = {}
    for position in table.orders[table.collection.sorts[0]]:
        parent = parents.get(table.slugs[position])
        if parent is not None:
            found.setdefault(parent, []).append(table.summaries[position])
    return {
        parent: sorted(rows, key=lambda row: beginning(orjson.loads(row)), reverse=True)
        for parent, rows in found.items()
    }
