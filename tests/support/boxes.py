"""The boxes of what a page shows, as a table for people to read, and what must hold of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

#: Pixels of a step of the table.
STEP = 8
#: Siblings of one kind that the table has: the first ones.
ALIKE = 2

#: The fonts of the tests, whatever a machine has; and what is out of sight is laid out, too: what
#: was in sight when a page was quicker would be of another height.
_FONTS = """* { font-family: "Liberation Sans" !important; content-visibility: visible !important }
:is(code, pre, kbd, samp), :is(code, pre) * { font-family: "Liberation Mono" !important }"""

_MEASURE = Path(__file__).with_name("boxes_measure.js").read_text("utf-8")

_FAULTS = Path(__file__).with_name("boxes_faults.js").read_text("utf-8")


class Look(NamedTuple):
    """How a page is looked at: its name, the width of its window in pixels, and on paper or not."""

    name: str
    width: int
    is_print: bool = False


#: Three widths, and paper: A4 upright and across at 96 pixels an inch, with margins of 10 mm.
LOOKS = (
    Look("phone", 390),
    Look("tablet", 820),
    Look("desktop", 1440),
    Look("print", 718, is_print=True),
    Look("print across", 1047, is_print=True),
)


def set_fonts(page: Page) -> None:
    page.evaluate(
        "css => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); "
        "document.adoptedStyleSheets.push(sheet) }",
        _FONTS,
    )


def look_at(page: Page, look: Look) -> None:
    """Show a page that is open as it is looked at."""
    page.emulate_media(media="print" if look.is_print else "screen")
    page.set_viewport_size({"width": look.width, "height": 900})
    page.evaluate("document.fonts.ready")


def table(page: Page) -> str:
    """A line for each box: its selector, indented by its place, and x, y, width and height."""
    rows: list[list[Any]] = page.evaluate(_MEASURE, [STEP, ALIKE])
    return "\n".join(f"{'  ' * depth}{name} {x} {y} {w} {h}" for depth, name, x, y, w, h in rows)


def faults(page: Page, look: Look) -> list[str]:
    """What is wrong with the boxes of a page."""
    found: list[str] = page.evaluate(_FAULTS, look.is_print)
    return [f"{look.name}: {fault}" for fault in found]
