"""Data files: all records as tables, in CSV, NDJSON, Parquet or SQLite.

For people who analyse the whole registry in a spreadsheet, a notebook or a database.  Adds the
key `data` of registry.yaml, the files below `/data/` and a Data Package (datapackage.org) that
describes them.  The home page lists the files that the package describes.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.addresses import Added, Address, path_form
from generator.grammar.grammar import Grammar
from generator.text.words import SLUG

#: The folder of data files, which registry.yaml asks for.
DATA = "/data"
PACKAGE = f"{DATA}/datapackage.json"
DATABASE = f"{DATA}/registry.sqlite"


def data_table(collection: str, form: str) -> str:
    """The table of a collection as csv, ndjson or parquet."""
    return f"{DATA}/{collection}.{form}"


FORMS = (
    path_form("data", PACKAGE),
    path_form("data", DATABASE),
    path_form("data", data_table("%", "@"), "csv|ndjson|parquet", SLUG),
)


def documents(_: Grammar) -> Iterator[Added]:
    words = "A Data Package: all records as tables, in files of their own."
    yield Added(Address(PACKAGE, "", words), "data", words)
