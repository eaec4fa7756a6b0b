"""Tables of other people: rows with their places, from files of many formats.

`generator.edit.tables.sources` finds and reads them; a row is a `SheetRow`, whatever it was read
from.
"""

from __future__ import annotations

#: Ending of a file -> the format of its table.
_FORMATS = {
    "csv": "csv", "tsv": "csv", "tab": "csv", "json": "json", "geojson": "json", "ndjson": "ndjson",
    "jsonl": "ndjson", "yaml": "yaml", "yml": "yaml", "toml": "toml", "md": "markdown",
    "markdown": "markdown", "xlsx": "excel", "xlsm": "excel",
}  # fmt: skip
FORMATS = tuple(dict.fromkeys(_FORMATS.values()))


def format_of(path: str) -> str:
    """The format of a file by its name; "" if the name has no known ending."""
    return _FORMATS.get(path.lower().rpartition(".")[2], "")
