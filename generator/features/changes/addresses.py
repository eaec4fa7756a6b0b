"""The addresses of changes: pages of all, and the page for people with its feed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.addresses import Added, Address, path_form
from generator.grammar.grammar import Grammar


def change_page(number: int | str) -> str:
    """A page of all changes, oldest first; page 1 has the oldest."""
    return f"/api/changes/{number}.json"


PAGE, FEED = "/changes/", "/changes.atom"
FORMS = (
    path_form("other", change_page("@"), "(?:0|[1-9][0-9]{0,8})"),
    path_form("other", FEED),
    path_form("site", f"{PAGE}index.html"),
)


def documents(grammar: Grammar) -> Iterator[Added]:
    if "changes" in grammar.asked:
        words = "Every change of a record, the oldest first"
        about = Address(change_page("{page}"), "change_page", words)
        yield Added(about, "change_pages", f"{words}.")
