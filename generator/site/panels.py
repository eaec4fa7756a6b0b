"""What features add to pages of the site, by the function `panels` of their module `views`
(docs/extending.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from markupsafe import Markup

from generator.feature import Hook
from generator.site.page_context import Site

PANELS: Hook[Callable[[Site, str, Any], Iterable[Markup]]] = Hook(
    "views", "panels", "site, place, subject"
)


def panels(site: Site, place: str, subject: Any = None) -> Markup:
    """The panels in a place of a page, in the order of features.  Places:

    head    at the end of what a page says about itself to programs; the subject is the page's
            `generator.site.meta.About`
    home    below the uses of the home page
    list    at the end of the first page of a list; the subject is its `generator.site.lists.Shown`
    record  among the buttons of a record; the subject is its `generator.site.records.Subject`
    cite    below the citation of a record
    """
    added: list[Any] = site.memo.get_or_make("panels", list, PANELS.without(site.grammar.left_out))
    return Markup("").join(panel for show in added for panel in show(site, place, subject))
