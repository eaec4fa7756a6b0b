"""The patterns of the addresses below `/data/`."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.addresses import Added, Address
from generator.contract.layout import path_form
from generator.grammar.grammar import Grammar
from generator.grammar.roots import ROOTS

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
    *(path_form("data", data_table(name, "@"), "csv|ndjson|parquet") for name in ROOTS),
)


def documents(_: Grammar) -> Iterator[Added]:
    words = "A Data Package: all records as tables, in files of their own."
    yield Added(Address(PACKAGE, "", words), "data", words)
