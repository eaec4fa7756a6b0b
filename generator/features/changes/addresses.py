"""The patterns of the addresses of pages of changes."""

from generator.contract.layout import path_form
from generator.grammar.paths import change_page

FORMS = (path_form("other", change_page("@"), "(?:0|[1-9][0-9]{0,8})"),)
