"""Comparison: two to four records, tags or countries side by side, on a page of the site.

For people who choose between programs, or ask how a topic differs between countries.  Adds the page
`/compare/` with its script; without a script it has the two records with the most projects.  In
lists it adds the tray of what is chosen.
"""

from __future__ import annotations

from generator.contract.addresses import path_form

COMPARE = "/compare/"
FORMS = (path_form("site", f"{COMPARE}index.html"),)
