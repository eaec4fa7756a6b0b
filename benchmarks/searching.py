"""How soon a phone shows what is searched: `python benchmarks/searching.py BUILD [--runs N]`.

Chromium with the processor and the network of `phone.py`.  Four things are done, each from a new
browser profile: a link to a search is opened; words are typed into a list that was read; another
word is typed; words are typed into the search box of the home page.  Counted are requests and bytes
until the first ten rows are there, or the results of the box, and until nothing is left to read
(for the box since it has the focus), and how long rows were seen that were not asked for.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any, NamedTuple

from phone import THROTTLED_CPU, THROTTLED_NETWORK

from support import browser as browsers

#: Milliseconds between two keys.
KEY_DELAY = 100
#: What every frame is looked at for: whether ten rows are there of the words in the address, and
#: whether rows are seen that are not of these words.
_WATCH = """window.seen = { first: 0, stale: 0 };
let before = 0
const look = now => {
  const words = new URLSearchParams(location.search).get("q")
  const rows = document.querySelectorAll("#rows .name")
  const shown = rows[0]?.checkVisibility({ visibilityProperty: true })
  const busy = document.querySelector("#results[aria-busy]")
  const other = words && shown && !document.querySelector("#rows mark")
  if (other && before) seen.stale += now - before
  before = other ? now : 0
  const done = words === seen.words && shown && !busy && !other && rows.length >= 10
  if (done && !seen.first) seen.first = now
  requestAnimationFrame(look)
}
requestAnimationFrame(look)"""
_SINCE = """began => {
  const all = performance.getEntriesByType("resource")
    .concat(performance.getEntriesByType("navigation"))
    .filter(e => e.startTime >= began && e.transferSize)
  const sum = list => list.reduce((sum, e) => sum + e.transferSize, 0)
  const early = all.filter(e => e.startTime < seen.first)
  return [seen.first - began, early.length, sum(early), all.length, sum(all), seen.stale]
}"""
_WAIT_FOR = """words => {
  performance.clearResourceTimings()
  Object.assign(seen, { words, first: 0, stale: 0 })
  return performance.now()
}"""


class Search(NamedTuple):
    """Milliseconds, requests and bytes until ten rows are there, all requests and bytes, and the
    milliseconds in which other rows were seen.
    """

    first: float
    requests: float
    bytes: float
    all_requests: float
    all_bytes: float
    stale: float


def opened(browser: Any, origin: str) -> Any:
    """A new window on a slow phone."""
    context = browser.new_context(**browsers.PHONE, base_url=origin, ignore_https_errors=True)
    context.add_init_script(_WATCH)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", THROTTLED_NETWORK)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED_CPU})
    return page


def linked(browser: Any, origin: str, words: str) -> Search:
    """Open a link to a search."""
    page = opened(browser, origin)
    page.add_init_script(f"seen.words = {json.dumps(words)}")
    page.goto(f"/projects/?q={words}", wait_until="networkidle")
    return _search(page, 0)


def typed(browser: Any, origin: str, words: str, more: str) -> tuple[Search, Search]:
    """Type words into a list, then others in their place."""
    page = opened(browser, origin)
    page.goto("/projects/", wait_until="networkidle")
    page.locator("#q").click()
    page.wait_for_load_state("networkidle")
    found = []
    for text in (words, more):
        page.locator("#q").select_text()
        page.keyboard.type(text[:-1], delay=KEY_DELAY)
        page.wait_for_timeout(KEY_DELAY)
        began = page.evaluate(_WAIT_FOR, text)
        page.keyboard.type(text[-1])
        found.append(_search(page, began))
    page.context.close()
    return found[0], found[1]


#: Notes when the list of the box changed last.
_WATCH_BOX = """() => {
  new MutationObserver(() => { seen.first = performance.now() })
    .observe(document.getElementById("find-found"), { childList: true, subtree: true })
  return performance.now()
}"""
#: Milliseconds after which the box shows nothing new.
QUIET = 2500


def boxed(browser: Any, origin: str, words: str) -> Search:
    """Type words into the search box; `first` is until its results change no more."""
    page = opened(browser, origin)
    page.goto("/", wait_until="networkidle")
    focused = page.evaluate(_WAIT_FOR, words)
    page.locator("#find-words").click()
    page.wait_for_load_state("networkidle")
    page.keyboard.type(words[:-1], delay=KEY_DELAY)
    page.wait_for_timeout(KEY_DELAY)
    began = page.evaluate(_WATCH_BOX)
    page.keyboard.type(words[-1])
    page.wait_for_timeout(QUIET)
    found = _search(page, focused)
    page.context.close()
    return found._replace(first=found.first - (began - focused))


def _search(page: Any, began: float) -> Search:
    page.wait_for_function("() => seen.first")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1000)
    return Search(*page.evaluate(_SINCE, began))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--words", default="payments")
    parser.add_argument("--more", default="robotics")
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    print("| | first ten | requests | bytes | all requests | all bytes | other rows seen |")
    print("|---|---|---|---|---|---|---|")
    with browsers.launched() as browser, browsers.served(asked.build, plain=True) as origin:
        links = [linked(browser, origin, asked.words) for _ in range(asked.runs)]
        pairs = [typed(browser, origin, asked.words, asked.more) for _ in range(asked.runs)]
        firsts, seconds = zip(*pairs, strict=True)
        boxes = [boxed(browser, origin, asked.words) for _ in range(asked.runs)]
        measured = {
            "a link": links, "typed": firsts, "the next word": seconds, "the search box": boxes,
        }  # fmt: skip
        for name, runs in measured.items():
            first, *rest, stale = map(statistics.median, zip(*runs, strict=True))
            numbers = " | ".join(f"{number:,.0f}" for number in rest)
            print(f"| {name} | {first:,.0f} ms | {numbers} | {stale:,.0f} ms |")


if __name__ == "__main__":
    main()
