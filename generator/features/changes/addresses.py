"""The addresses of changes: pages of all, and the page for people with its feed."""

from generator.contract.layout import path_form
from generator.grammar.paths import change_page

PAGE, FEED = "/changes/", "/changes.atom"
FORMS = (
    path_form("other", change_page("@"), "(?:0|[1-9][0-9]{0,8})"),
    path_form("other", FEED),
    path_form("site", f"{PAGE}index.html"),
)
