"""Data files, made from the files of all records."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from importlib import import_module

from generator import __version__
from generator.contract.artifact import Artifact
from generator.features.data_files import DATA, PACKAGE
from generator.features.data_files.settings import Settings
from generator.published.families import Family
from generator.published.made_once import made_once
from generator.published.published import Published

ADDRESSES = (f"{DATA}/",)


def families(published: Published) -> Iterator[Family]:
    formats = sorted(set(Settings.of(published.settings).data or ()))
    if formats:
        yield DataFiles(published, formats)


class DataFiles(Family):
    """One item: all data files are made at once."""

    def __init__(self, published: Published, formats: Sequence[str]):
        self._published, self._formats = published, formats
        (self._folder,) = ADDRESSES

    def items(self) -> Iterator[str]:
        yield self._folder

    def find(self, address: str) -> str | None:
        return self._folder if address.startswith(self._folder) else None

    def make(self, item: str) -> Iterator[Artifact]:
        yield from self._files

    @made_once
    def _files(self) -> list[Artifact]:
        from generator.features.data_files.formats import render_data_files

        published, formats = self._published, self._formats
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
        return address if address == PACKAGE else "data"
