"""The patterns of the addresses below `/data/`."""

from generator.contract.layout import path_form
from generator.grammar.paths import DATA_DATABASE, DATA_PACKAGE, ROOTS, data_table

FORMS = (
    path_form("data", DATA_PACKAGE),
    path_form("data", DATA_DATABASE),
    *(path_form("data", data_table(name, "@"), "csv|ndjson|parquet") for name in ROOTS),
)
