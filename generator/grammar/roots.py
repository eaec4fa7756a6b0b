"""The addresses of the lists and pages of each kind of record."""

from __future__ import annotations

from generator.kinds import KINDS

#: Collection -> the address of its lists.
ROOTS = {name: f"/api/{kind.address}" for name, kind in KINDS.items()}
#: Collection -> the folder of the pages of its records and lists.
PAGE_ROOTS = {name: f"/{kind.pages}" for name, kind in KINDS.items()}
#: The folders of the pages of a site, those of features too: the rules of hosts name all of them in
#: this order.
PAGES = (*PAGE_ROOTS.values(), "/changes", "/compare", "/map", "/landscape", "/docs")
