"""registry-generator: a registry of YAML records, published as a read-only API of plain files."""

from pathlib import Path

__version__ = "0.1.0"

#: Version of the published JSON shapes.  The major number rises when a consumer could break.
SCHEMA_VERSION = "1.1"

#: Where the package lies, with its own data; the templates lie beside it in a checkout, within it
#: where it is installed.
PACKAGE = Path(__file__).parent
