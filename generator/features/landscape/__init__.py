"""The landscape: every project by its tags, by name or logo.

For people who want a whole market on one page.  Adds the key `landscape`, the page `/landscape/`
for the first tag family that projects have tags of, and one below it for each further family; a
file with all tiles beside each.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.contract.addresses import PathPattern
from generator.text.words import SLUG

LANDSCAPE = "/landscape/"
FORMS = (PathPattern("site", f"landscape(?:/{SLUG})?", r"index\.html|tiles-[0-9a-f]{8}\.json"),)


def family_page(family: str, families: Sequence[str]) -> str:
    """The page of a tag family; the first of all `families` has the first page."""
    return LANDSCAPE if family == families[0] else f"{LANDSCAPE}{family.replace('_', '-')}/"
