"""The addresses of the lists and pages of each kind of record."""

from __future__ import annotations

from generator.kinds import KINDS

#: Collection -> the address of its lists.
ROOTS = {name: f"/api/{kind.address}" for name, kind in KINDS.items()}
#: Collection -> the folder of the pages of its records and lists.
PAGE_ROOTS = {name: f"/{kind.pages}" for name, kind in KINDS.items()}
