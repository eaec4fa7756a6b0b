"""What registry.yaml asks for: logos, every change of the history, and data files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from generator import __version__
from generator.build.data_files import render_data_files, surface
from generator.contract.artifact import Artifact
from generator.grammar.paths import DATA_PACKAGE, MEDIA, change_page

if TYPE_CHECKING:
    from generator.published.published import Published


class LogoFiles:
    """An item is the address of a logo that a record names."""

    def __init__(self, published: Published):
        self._published = published

    @cached_property
    def _files(self) -> dict[str, bytes]:
        records = self._published.records
        named = records.linked.named_logos(records.gathered())
        published = [records.logos.paths[path] for path in sorted(named)]
        return {address: records.logos.data[address] for address in published}

    def items(self) -> Iterator[str]:
        yield from self._files

    def find(self, address: str) -> str | None:
        return address if address.startswith(f"{MEDIA}/") else None

    def make(self, item: str) -> Iterator[Artifact]:
        if item in self._files:
            yield Artifact(item, self._files[item])

    def surface(self, address: str) -> str:
        return "logos"


class ChangePages:
    """An item is the address of a page of changes."""

    def __init__(self, published: Published):
        self._past = published.records.past
        self._start = change_page("@").partition("@")[0]

    @cached_property
    def _files(self) -> dict[str, bytes]:
        return dict(self._past.pages()) if self._past is not None else {}

    def items(self) -> Iterator[str]:
        yield from self._files

    def find(self, address: str) -> str | None:
        return address if address.startswith(self._start) else None

    def make(self, item: str) -> Iterator[Artifact]:
        if item in self._files:
            yield Artifact(item, self._files[item])

    def surface(self, address: str) -> str:
        return "changes"


class DataFiles:
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

    @cached_property
    def _files(self) -> list[Artifact]:
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
        return surface(address)
