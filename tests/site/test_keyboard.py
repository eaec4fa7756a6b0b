"""Keyboard use: the first stop of every page, and the order of the others."""

from __future__ import annotations

from pathlib import Path

from support import pages
from support.browser import Visiting

#: The focused element: its label, and whether it is visible and framed.
_FOCUSED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect()
  // A country of the map is not framed, its own outline is another one.
  const drawn = link => {
    const stroke = each => each && getComputedStyle(each.firstElementChild).strokeWidth
    const other = [...link.ownerSVGElement?.querySelectorAll("a") ?? []].find(each => each !== link)
    return link.ownerSVGElement && stroke(link) !== stroke(other)
  }
  const styles = [one, ...one.labels ?? []].map(each => getComputedStyle(each))
  return {
    name: `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 30)}`,
    marked: styles.some(each => each.outlineStyle !== "none" || each.boxShadow !== "none")
      || drawn(one),
    seen: box.width > 0 && box.height > 0,
    body: one === document.body,
  }
}"""


def test_the_first_tab_stop_skips_the_navigation(visit: Visiting, site: str) -> None:
    page = visit(site).go("/projects/")
    page.keyboard.press("Tab")
    skip = page.locator("a.skip")
    assert skip.evaluate("one => one === document.activeElement")
    box = skip.bounding_box()
    assert box is not None and box["x"] >= 0 and box["y"] >= 0 and box["height"] >= 24
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_the_focused_element_is_visible_and_marked(
    visit: Visiting, site: str, built_content: Path
) -> None:
    window = visit(site)
    wrong = []
    for path in pages.telling(pages.read(built_content)):
        page = window.go(path, "load")
        for _ in range(25):
            page.keyboard.press("Tab")
            focused = page.evaluate(_FOCUSED)
            if focused["body"]:
                break
            if not (focused["marked"] and focused["seen"]):
                wrong.append((path, focused["name"]))
    assert wrong == []
