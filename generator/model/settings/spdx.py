"""The licence identifiers of the SPDX License List (https://spdx.org/licenses/).

`tests/unit/model/test_licenses.py` says how to generate `spdx.txt`.  Import this only to look up a
licence: the list is long.
"""

from pathlib import Path

VERSION = "3.27.0"
LICENSES = frozenset(Path(__file__).with_suffix(".txt").read_text("ascii").split())
