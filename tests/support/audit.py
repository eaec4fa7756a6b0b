"""What is wrong with a page in a browser: by axe-core, wider than the window, or a stop of the
keyboard that nobody sees.
"""

from __future__ import annotations

import functools
from typing import Any, Literal

from playwright.sync_api import Page

from support import commands, engines

#: Passed rules are not described; passing them to Python would take longer than the check itself.
#: Draws what waits to be scrolled to (`content-visibility`): until then its size is a guess.
_DRAWN = """() => { for (const one of document.querySelectorAll("main *")) {
  const { contentVisibility } = getComputedStyle(one)
  if (contentVisibility === "auto") one.style.contentVisibility = "visible" } }"""
_RUN = "async ([what, options]) => (await axe.run(what, options)).violations"
#: All rules of axe-core, and the rule for target sizes, which is off by default.
_ALL: dict[str, Any] = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},
}


def _only(*rules: str) -> dict[str, Any]:
    return {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": rules}}


_RULES = {
    "all": _ALL,
    "colours": _only("color-contrast", "link-in-text-block"),
    "reach": _only("target-size", "scrollable-region-focusable"),
}
#: Leaves of siblings with the same elements and classes in them the first three and the longest.
_THIN = """() => {
  const made = element => `${element.localName}.${element.getAttribute('class')}`
  function thin(parent) {
    const kinds = {}
    for (const child of parent.children) {
      const inner = new Set([...child.querySelectorAll('*')].map(made))
      ;(kinds[JSON.stringify([made(child), ...inner])] ??= []).push(child)
    }
    const long = (one, other) => other.textContent.length - one.textContent.length
    for (const all of Object.values(kinds)) {
      const kept = new Set([...all.slice(0, 3), all.toSorted(long)[0]])
      for (const child of all) kept.has(child) ? thin(child) : child.remove()
    }
  }
  thin(document.body)
}"""
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


#: The focused element, if something else is drawn over its upper or its lower edge.
_COVERED = """() => {
  const one = document.activeElement, { x, y, bottom, width } = one.getBoundingClientRect()
  const drawn = [y + 2, bottom - 2].map(at => document.elementFromPoint(x + width / 2, at))
  const isSeen = each => each && (one.contains(each) || each.contains(one))
  return one === document.body || drawn.every(isSeen) ? null : one.outerHTML.slice(0, 200)
}"""


@functools.cache
def _axe() -> str:
    engines.need("axe-core")
    return (commands.ROOT / "tests/hosts/node_modules/axe-core/axe.min.js").read_text("utf-8")


def violations(
    page: Page, rules: Literal["all", "colours", "reach"] = "all", *, thin: bool = False
) -> list[str]:
    """What axe-core finds, by all rules, by those about colours, or by those about what a finger
    and the keyboard reach; `thin` removes most of siblings that are alike.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    if thin:
        page.evaluate(_THIN)
    page.evaluate(_DRAWN)
    found = page.evaluate(_RUN, ["html", _RULES[rules]])
    return [
        f"{page.url} {one['id']}: {node['target']} {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]


def overflow(page: Page) -> list[str]:
    """How much the page is wider than the window."""
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [f"{page.url} is {width} px wide in {window} px"] if width > window else []


def unseen_stops(page: Page, most: int = 25) -> list[str]:
    """The first stops of the tab key that are not visible or not marked."""
    wrong = []
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = page.evaluate(_FOCUSED)
        if focused["body"]:
            break
        if not (focused["marked"] and focused["seen"]):
            wrong.append(f"{page.url}: the focus is not seen on {focused['name']}")
    return wrong


def covered_stops(page: Page, key: str, most: int) -> list[str]:
    """The next stops of a key from the present focus that something else covers, such as what stays
    at an edge of the window.
    """
    wrong = []
    for _ in range(most):
        page.keyboard.press(key)
        if covered := page.evaluate(_COVERED):
            wrong.append(f"{page.url}: {covered}")
    return wrong
