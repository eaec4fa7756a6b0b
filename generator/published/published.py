"""`Published`: every file of a registry, as a function from address to bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from generator.build.cache.store import Cache
from generator.build.documents import any_has_functions
from generator.build.history import cached_history, read_event_times
from generator.build.load import tabulate
from generator.contract.artifact import Artifact, Details, History
from generator.grammar.grammar import Grammar
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols
from generator.model.tables.table import Registry, Table
from generator.published.entries import Record
from generator.published.families import Family
from generator.published.families.documents import Documents, Inputs
from generator.published.families.given import DataFiles, change_pages, logo_files
from generator.published.families.index import IndexFiles
from generator.published.families.lists import Lists
from generator.published.families.manifest import ManifestFiles
from generator.published.families.records import Contexts, RecordFiles
from generator.published.families.site import SitePages
from generator.published.records import Records
from generator.search.terms import Terms
from generator.site.theme import Theme

_NO_CACHE = Cache(None, "", "nothing is kept")


@dataclass(frozen=True)
class Options:
    """What a registry is published for: hosts, those of registry.yaml if there are none; the site,
    with the registry's own files of it; and the private key that signs the manifest.
    """

    hosts: tuple[str, ...] = ()
    site: bool = True
    theme: Mapping[str, bytes] = field(default_factory=dict)
    signing_key: str | None = field(default=None, repr=False)


class Tabulated(NamedTuple):
    """The tables of all records; the files of programs and organizations, which have counts, by
    collection and slug; and the search terms of all records likewise.
    """

    registry: Registry
    documents: Mapping[str, Mapping[str, bytes]]
    terms: Mapping[str, Mapping[str, Terms]]


@dataclass(frozen=True, eq=False)
class Published(Mapping[str, bytes]):
    """The files of a registry by address, such as `/api/dashboard.json`; it never changes.

    A file is made when it is read.  What depends on the whole registry is made at its first use.
    """

    records: Records
    options: Options = Options()

    def __getitem__(self, address: str) -> bytes:
        for family in self.families:
            item = family.find(address)
            if item is not None:
                for artifact in family.make(item):
                    if artifact.path == address:
                        return artifact.data
        raise KeyError(address)

    def __iter__(self) -> Iterator[str]:
        return (artifact.path for artifact in self.artifacts())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def artifacts(self) -> Iterator[Artifact]:
        """All files; those of the manifest, which has the digests of the others, come last."""
        yield from self.listed()
        yield from self.families[-1].make("")

    def listed(self) -> Iterator[Artifact]:
        """The files that the manifest lists."""
        for family in self.families[:-1]:
            for item in family.items():
                yield from family.make(item)

    # --- what it is made from ---

    @property
    def settings(self) -> Settings:
        return self.records.linked.settings

    @property
    def symbols(self) -> Symbols:
        return self.records.linked.symbols

    @property
    def grammar(self) -> Grammar:
        return self.symbols.grammar

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        named = self.options.hosts or self.settings.hosts or ("netlify",)
        return tuple(dict.fromkeys(named))

    @cached_property
    def functions(self) -> bool:
        """Whether a host that the registry names runs functions."""
        return any_has_functions(self.options.hosts or self.settings.hosts or ())

    @cached_property
    def api(self) -> tuple[Family, ...]:
        """The families of files that pages of the site may read."""
        records = RecordFiles(self)
        return (
            records, Contexts(self, records), logo_files(self.records), change_pages(self.records),
            DataFiles(self), Lists(self), IndexFiles(self),
        )  # fmt: skip

    @cached_property
    def documents(self) -> Documents:
        return Documents(self)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        return (*self.api, *self.site, self.documents, ManifestFiles(self))

    @cached_property
    def site(self) -> tuple[Family, ...]:
        """The family of pages for people, if there are any."""
        return (SitePages(self),) if self.options.site and self.settings.has_site else ()

    @cached_property
    def theme(self) -> Theme:
        settings = self.settings
        return Theme(settings.language, self.options.theme, settings.site.accent, settings.name)

    # --- what depends on the whole registry ---

    @cached_property
    def tabulated(self) -> Tabulated:
        records, linked = self.records, self.records.linked
        gathered, moment = records.gathered(), records.moment
        terms = {name: results.terms for name, results in gathered.items()}
        revision = moment.revision if records.content.sources["events"] else None
        times = read_event_times(records.content.folder, revision, _NO_CACHE)
        registry, referred = tabulate(linked, gathered, moment.as_of, times)
        documents = {
            name: dict(zip(batch.slugs, (artifact.data for artifact in artifacts), strict=True))
            for name, (batch, artifacts) in referred.items()
        }
        return Tabulated(registry, documents, {n: r.terms for n, r in gathered.items()} | terms)

    @property
    def registry(self) -> Registry:
        return self.tabulated.registry

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        return {table.collection.name: table for table in self.registry.tables}

    def terms(self, collection: str) -> Mapping[str, Terms]:
        """The search terms of the records of a collection, by slug."""
        return self.tabulated.terms[collection]

    @cached_property
    def streamed(self) -> Mapping[str, Mapping[str, Record]]:
        """Projects and events by collection and slug."""
        return {
            name: {e.record.row.slug: e.record for e in entries.values() if e.record is not None}
            for name, entries in self.records.entries.items()
        }

    @cached_property
    def former_slugs(self) -> Mapping[tuple[str, str], str]:
        """(collection, former slug) -> slug."""
        return {(name, alias): slug for name, alias, slug in self.inputs.aliases}

    @cached_property
    def _sources(self) -> Mapping[tuple[str, str], str]:
        sources = self.records.content.sources.items()
        return {(name, source.slug): source.path for name, of in sources for source in of}

    def source(self, collection: str, slug: str) -> str | None:
        """The path of a record's file below the content folder; None if there is none."""
        return self._sources.get((collection, slug))

    @cached_property
    def inputs(self) -> Inputs:
        return Inputs(self)

    @cached_property
    def history(self) -> tuple[History, Details]:
        return cached_history(self.records.content.folder, self.records.moment.revision, _NO_CACHE)
