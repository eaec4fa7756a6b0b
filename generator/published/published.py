"""`Published`: every file of a registry, as a function from address to bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import generator.hosts
from generator.contract.artifact import Artifact, Details, History, load_module
from generator.feature import Hook
from generator.grammar.grammar import Grammar
from generator.model.settings.registry import Settings
from generator.model.settings.signing import Signing
from generator.model.symbols import Symbols
from generator.model.tables.table import PackedRows, Registry, Table
from generator.outputs.records import with_filled_links
from generator.published.content.load import fill_tables
from generator.published.content.logos import Logos
from generator.published.content.records import Records
from generator.published.families import Family, Item
from generator.published.families.documents import Documents, Inputs, index_document
from generator.published.families.index import IndexFiles
from generator.published.families.lists import Lists
from generator.published.families.manifest import RootSigning, Signer, manifest_files
from generator.published.families.records import Contexts, RecordFiles, logo_files
from generator.published.made_once import made_once
from generator.published.report import ListedFile, Listing

if TYPE_CHECKING:
    from generator.published.families.site import SitePages
    from generator.site.theme import Theme


_numbers = count(1)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a registry is published for: hosts, those of registry.yaml if there are none; the site,
    with the registry's own files of it and the folder that they are in, for messages; the private
    key that signs the manifest; and the root of the manifest that the new one replaces.
    """

    hosts: tuple[str, ...] = ()
    site: bool = True
    theme: Mapping[str, bytes] = field(default_factory=dict)
    theme_folder: str = "templates/site"
    signer: Signer | None = field(default=None, repr=False)
    last_root: bytes | None = field(default=None, repr=False)


FAMILIES: Hook[Callable[[Published], Iterable[Family]]] = Hook("outputs", "families", "published")


@dataclass(frozen=True, eq=False)
class Published(Mapping[str, bytes]):
    """The files of a registry by address, such as `/api/dashboard.json`; it never changes.

    A file is made when it is read.  What depends on the whole registry is made at its first use
    (see generator.published.made_once: several threads may read).
    """

    records: Records
    options: Options = Options()

    def __getitem__(self, address: str) -> bytes:
        data = self.find(address)
        if data is None:
            raise KeyError(address)
        return data

    def find(self, address: str, families: Sequence[Family] = ()) -> bytes | None:
        """A file of some families, or of all; None if there is none.  A KeyError is a fault of what
        makes the file.
        """
        for family in families or (*self.families, *self.late):
            item = family.find(address)
            if item is not None:
                for artifact in family.make(item):
                    if artifact.path == address:
                        return artifact.data
        return None

    def read_files(self, addresses: Sequence[str]) -> list[bytes | None]:
        """Several files, as readers of a registry ask for them (generator.contract.files)."""
        return list(map(self.find, addresses))

    def read_for_queries(self, addresses: Sequence[str]) -> list[bytes | None]:
        """The same for the engine: without making all files of an index for its manifest."""
        found = [self.index.vouched(address, self.number) for address in addresses]
        # A file may be empty.
        return [
            data if data is not None else self.find(address)
            for address, data in zip(addresses, found, strict=True)
        ]

    @made_once
    def number(self) -> int:
        """A number that no other registry of this process has."""
        return next(_numbers)

    def __iter__(self) -> Iterator[str]:
        return (artifact.path for artifact in self.artifacts())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def artifacts(self) -> Iterator[Artifact]:
        """All files; files that list others come last."""
        for family in (*self.families, *self.late):
            for item in family.items():
                yield from family.make(item)

    # --- what a build divides among processes ---

    @property
    def stages(self) -> tuple[Sequence[Family], ...]:
        """What can be made in any order, once the stages before are made: all but `late`.  Pages of
        the site may read any file of the API.
        """
        return self.api, (*self.site, self.documents)

    def items_of(self, stage: Sequence[Family]) -> tuple[list[Item], list[Item]]:
        """The items of families: those for this machine, and those for any (`is_small`)."""
        numbers = {id(family): number for number, family in enumerate(self.families)}
        here, anywhere = list[Item](), list[Item]()
        for family in stage:
            number = numbers[id(family)]
            for item in family.items():
                (anywhere if family.is_small(item) else here).append((number, item))
        return here, anywhere

    def make(self, item: Item) -> Iterator[tuple[str, Artifact]]:
        """The files of an item, each with its surface."""
        family = self.families[item[0]]
        return ((family.surface(made.path), made) for made in family.make(item[1]))

    def prepare(self, stage: Sequence[Family]) -> None:
        """Make what many items share, before the work is divided.  Raises OutputError."""
        _ = self.seal
        for table in self.tables.values():
            table.summaries.keep()  # each is in many lists
        for family in stage:
            family.prepare()

    def note(self, listing: Listing) -> None:
        """Take the list of files that were made elsewhere, which are then not made again for it."""
        self.__dict__["listing"] = listing
        self.index.note(listing.files)

    @made_once
    def listing(self) -> Listing:
        """The files of all items, those of the index with their manifests."""
        listing = Listing()
        for family in (*self.families, *self.late[:-2]):
            for item in family.items():
                for made in family.make(item):
                    listing.add(family.surface(made.path), made.path, ListedFile.of(made.data))
        return listing

    def __getstate__(self) -> Mapping[str, Any]:
        """For workers on other machines: what small items need, made once, without records but
        their tables, whose rows are in a file of texts, and without the private key.
        """
        _ = self.history  # of the records
        content = replace(self.records.content, logos=[], problems=[], stray_yaml=[], hidden=[])
        linked = self.records.linked._replace(models={}, entries={}, blobs={})
        records = replace(
            self.records, content=content, linked=linked, logos=Logos({}), problems=[], entries={}
        )
        rows, tables = records.texts.others("rows"), dict[str, Table]()
        for name, table in self.tables.items():
            tables[name] = replace(table, rows=PackedRows.of(table.rows, rows))
        return {
            "records": records,
            "options": replace(self.options, signer=None, last_root=None),
            "registry": self.registry._replace(tables=tables),
            "_sources": self._sources if self.has_site else {},
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)

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

    @made_once
    def hosts(self) -> tuple[str, ...]:
        named = self.options.hosts or self.settings.hosts or ("netlify",)
        return tuple(dict.fromkeys(named))

    @made_once
    def functions(self) -> bool:
        """Whether a host that the registry names runs functions."""
        named = self.options.hosts or self.settings.hosts or ()
        return any(
            getattr(load_module(generator.hosts, name), "FUNCTIONS", False) for name in named
        )

    @made_once
    def redirects(self) -> bool:
        """Whether all hosts redirect the former paths of lists."""
        modules = (load_module(generator.hosts, name) for name in self.hosts)
        return all(getattr(module, "REDIRECTS", False) for module in modules)

    @made_once
    def api(self) -> tuple[Family, ...]:
        """The families of files that pages of the site may read."""
        makers = FAMILIES.without(self.grammar.left_out)
        added = (family for make in makers for family in make(self))
        records = RecordFiles(self), Contexts(self), logo_files(self.records)
        return *records, *added, Lists(self), self.index

    @made_once
    def index(self) -> IndexFiles:
        return IndexFiles(self)

    @made_once
    def documents(self) -> Documents:
        return Documents(self)

    @made_once
    def families(self) -> tuple[Family, ...]:
        """All families but those of `late`."""
        return (*self.api, *self.site, self.documents)

    @made_once
    def late(self) -> tuple[Family, ...]:
        """The families of files that list all files before them."""
        return *self.index.manifests(), index_document(self), manifest_files(self)

    @property
    def has_site(self) -> bool:
        """Whether there are pages for people."""
        return self.options.site and self.settings.has_site

    @made_once
    def site(self) -> tuple[SitePages, ...]:
        """The family of pages for people, if there are any."""
        if not self.has_site:
            return ()
        from generator.published.families.site import SitePages

        return (SitePages(self),)

    @made_once
    def theme(self) -> Theme:
        from generator.published.compiled import compiled_templates
        from generator.site.theme import Theme

        settings = self.settings
        return Theme(
            settings.language,
            self.options.theme,
            settings.accent,
            settings.name,
            compiled_templates(),
            self.options.theme_folder,
        )

    @made_once
    def seal(self) -> RootSigning:
        """How the manifest is signed.  Raises OutputError."""
        return RootSigning.of(self.settings.signing or Signing(), self.options.signer)

    # --- what depends on the whole registry ---

    @made_once
    def registry(self) -> Registry:
        records = self.records
        timed = records.content.kinds.timed
        times = records.history.event_times if records.content.sources.get(timed) else {}
        as_of = records.moment.as_of
        texts = records.texts.others("counted")
        return fill_tables(records.linked, records.tables, records.good, as_of, times, texts)

    @made_once
    def tables(self) -> Mapping[str, Table]:
        return self.registry.tables

    def document(self, collection: str, slug: str) -> bytes | None:
        """The published file of a record; None if there is no such record."""
        position = self._positions[collection].get(slug)
        if position is None:
            return None
        data = self.tables[collection].documents[position]
        return with_filled_links(data, collection, slug, self.tables, self.grammar.kinds)

    @made_once
    def _positions(self) -> Mapping[str, Mapping[str, int]]:
        """Collection -> slug -> position in the table."""
        tables = self.tables.items()
        return {name: {slug: n for n, slug in enumerate(table.slugs)} for name, table in tables}

    @made_once
    def former_slugs(self) -> Mapping[tuple[str, str], str]:
        """(collection, former slug) -> slug."""
        return {(name, alias): slug for name, alias, slug in self.inputs.aliases}

    @made_once
    def _sources(self) -> Mapping[tuple[str, str], str]:
        return {
            (name, entry.record.row.slug): path
            for name, entries in self.records.entries.items()
            for path, entry in entries.items()
            if entry.record is not None
        }

    def source(self, collection: str, slug: str) -> str | None:
        """The path of a record's file below the content folder; None if there is none."""
        return self._sources.get((collection, slug))

    @made_once
    def inputs(self) -> Inputs:
        return Inputs(self)

    @property
    def history(self) -> tuple[History, Details]:
        return self.records.history.last
