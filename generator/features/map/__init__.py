"""The map: on which countries and cities the records of a registry are.

For people who look for records near them.  Adds the pages `/map/` and one for each further
collection with places.  The home page and the charts for other sites draw the same world without
it.
"""

from __future__ import annotations

from generator.contract.addresses import PathPattern
from generator.text.words import SLUG

MAP = "/map/"
FORMS = (PathPattern("site", f"map(?:/{SLUG})?", r"index\.html"),)
