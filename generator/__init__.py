"""registry-generator: a registry of YAML records, published as a read-only API of plain files."""

from pathlib import Path

__version__ = "0.2.0"

#: Version of the published JSON shapes.  The major number rises when a consumer could break.
SCHEMA_VERSION = "1.5"

#: The folder of the package and its data.  The templates are beside it in a checkout, in it if the
#: package is installed.
PACKAGE = Path(__file__).parent


class UserError(Exception):
    """Ends a command: the message says what is wrong and what to do.  The exit status is 1 if the
    content, or the answer of a host, is refused, and 2 for wrong usage or environment.
    """

    status = 2
