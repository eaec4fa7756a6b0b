"""The patterns of the addresses below `/data/`."""

from generator.contract.layout import path_form
from generator.grammar.paths import DATA, DATA_PACKAGE
from generator.grammar.roots import ROOTS

DATABASE = f"{DATA}/registry.sqlite"


def data_table(collection: str, form: str) -> str:
    """The table of a collection as csv, ndjson or parquet."""
    return f"{DATA}/{collection}.{form}"


FORMS = (
    path_form("data", DATA_PACKAGE),
    path_form("data", DATABASE),
    *(path_form("data", data_table(name, "@"), "csv|ndjson|parquet") for name in ROOTS),
)
