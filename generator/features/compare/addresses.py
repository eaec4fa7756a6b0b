"""The address of the page for comparing."""

from generator.contract.layout import path_form

COMPARE = "/compare/"
FORMS = (path_form("site", f"{COMPARE}index.html"),)
