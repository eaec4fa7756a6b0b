"""What registry.yaml asks for: logos, every change of the history, and data files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from generator import __version__
from generator.contract.artifact import Artifact
from generator.grammar.paths import DATA_PACKAGE, MEDIA, change_page
from generator.published.families import Family
from generator.published.once import once

if TYPE_CHECKING:
    from generator.published.published import Published
    from generator.published.reading.records import Records


class KnownFiles(Family):
    """Files whose bytes are known when the content is read; an item is an address."""

    def __init__(self, start: str, surface: str, read: Callable[[], Mapping[str, bytes]]):
        """All addresses begin with `start`; `read` gives the files when one is asked for."""
        self._start, self._surface, self._read = start, surface, read

    @once
    def _files(self) -> Mapping[str, bytes]:
        return self._read()

    def items(self) -> Iterator[str]:
        yield from self._files

    def find(self, address: str) -> str | None:
        return address if address.startswith(self._start) else None

    def make(self, item: str) -> Iterator[Artifact]:
        if item in self._files:
            yield Artifact(item, self._files[item])

    def surface(self, address: str) -> str:
        return self._surface


def logo_files(records: Records) -> KnownFiles:
    """The logos that records name."""

    def read() -> dict[str, bytes]:
        named = records.named_logos()
        published = [records.logos.paths[path] for path in sorted(named)]
        return {address: records.logos.data[address] for address in published}

    return KnownFiles(f"{MEDIA}/", "logos", read)


def change_pages(records: Records) -> KnownFiles:
    """The pages of all changes, if the registry publishes them."""
    past = records.past
    start = change_page("@").partition("@")[0]
    return KnownFiles(start, "changes", lambda: past.pages() if past is not None else {})


class DataFiles(Family):
    """One item: all data files are made at once, from the files of all records."""

    def __init__(self, published: Published):
        self._published = published
        self._folder = DATA_PACKAGE.rpartition("/")[0] + "/"

    def items(self) -> Iterator[str]:
        if self._published.settings.data:
            yield self._folder

    def find(self, address: str) -> str | None:
        return self._folder if address.startswith(self._folder) else None

    def make(self, item: str) -> Iterator[Artifact]:
        yield from self._files

    @once
    def _files(self) -> list[Artifact]:
        from generator.published.data_files import render_data_files

        published = self._published
        formats = sorted(set(published.settings.data or ()))
        versions = {"registry-generator": __version__}
        if "sqlite" in formats:
            versions["sqlite"] = sqlite3.sqlite_version
        if "parquet" in formats:
            versions["pyarrow"] = import_module("pyarrow").__version__
        paths = {
            name: [table.collection.record_path(slug) for slug in sorted(table.slugs)]
            for name, table in published.tables.items()
        }
        read = published.__getitem__
        return [*render_data_files(read, published.settings, formats, versions, paths)]

    def surface(self, address: str) -> str:
        # The package, which the index names, has its own.
        return address if address == DATA_PACKAGE else "data"
