"""How soon a link shows what it asks for: `python benchmarks/links.py BUILD [BEFORE] [--runs N]`.

Chromium with the processor and the network of `phone.py`, a new browser profile for each run.  A
link to a list is opened, without a query and with one filter, two filters and a word, and the home
page.  Counted are milliseconds, requests and bytes until the first ten rows of the answer are there
(of the home page, until it is drawn), those until nothing is left to read, and how long rows were
visible that were not asked for.  With a second build, the one before, runs of both alternate, and
the ratio is the median of pairs.
"""

from __future__ import annotations

import argparse
import statistics
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from searching import opened

from support import browser as browsers

#: What each frame is looked at for: the names that are visible, and whether the list is complete.
_WATCH = """window.frames_seen = []
const look = now => {
  const rows = [...document.querySelectorAll("#rows .name")].slice(0, 10)
  const shown = rows[0]?.checkVisibility({ visibilityProperty: true })
  const whole = document.readyState !== "loading" && !document.querySelector("html.asked")
  frames_seen.push([now, shown ? rows.map(row => row.textContent).join("|") : "", whole])
  requestAnimationFrame(look)
}
requestAnimationFrame(look)"""
#: What browsers call it.
_DRAWN = "first-contentful-paint"
_TOLD = """drawn => {
  const first = performance.getEntriesByName(drawn)[0].startTime
  const last = frames_seen[frames_seen.length - 1][1]
  const at = last ? frames_seen.find(([, names, whole]) => names === last && whole)[0] : first
  let stale = 0
  frames_seen.forEach(([now, names], i) => {
    if (names && !last.startsWith(names)) stale += (frames_seen[i + 1]?.[0] ?? now) - now
  })
  const all = performance.getEntriesByType("resource")
    .concat(performance.getEntriesByType("navigation")).filter(e => e.transferSize)
  const sum = list => list.reduce((sum, e) => sum + e.transferSize, 0)
  const early = all.filter(e => e.startTime < at && e.responseEnd <= at)
  return [first, at, early.length, sum(early), all.length, sum(all), stale]
}"""


class Link(NamedTuple):
    """Milliseconds until something is drawn and until ten rows are there, requests and bytes until
    then, all requests and bytes, and milliseconds in which other rows were visible.
    """

    drawn: float
    first: float
    requests: float
    bytes: float
    all_requests: float
    all_bytes: float
    stale: float


def linked(browser: Any, origin: str, path: str) -> Link:
    page = opened(browser, origin)
    page.add_init_script(_WATCH)
    page.goto(path, wait_until="networkidle")
    page.wait_for_function(f"() => performance.getEntriesByName('{_DRAWN}').length")
    page.wait_for_timeout(700)
    found = Link(*page.evaluate(_TOLD, _DRAWN))
    page.context.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("before", type=Path, nargs="?")
    parser.add_argument("--one", default="status=active")
    parser.add_argument("--two", default="status=active&location=us")
    parser.add_argument("--words", default="q=payments")
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    links = {
        "home": "/", "a list": "/projects/", "one filter": f"/projects/?{asked.one}",
        "two filters": f"/projects/?{asked.two}", "a word": f"/projects/?{asked.words}",
    }  # fmt: skip
    builds = [build for build in (asked.before, asked.build) if build]
    print("| | | drawn | first ten | requests | bytes | all requests | all bytes | other rows |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    with browsers.launched() as browser, ExitStack() as stack:
        origins = [stack.enter_context(browsers.served(out, plain=True)) for out in builds]
        for name, path in links.items():
            runs = [[linked(browser, one, path) for one in origins] for _ in range(asked.runs)]
            sides = list(zip(*runs, strict=True))
            for side, of in zip(sides, ("before", "now")[-len(sides) :], strict=True):
                drawn, first, *rest, stale = map(statistics.median, zip(*side, strict=True))
                numbers = " | ".join(f"{number:,.0f}" for number in rest)
                print(
                    f"| {name} | {of} | {drawn:,.0f} ms | {first:,.0f} ms | {numbers} "
                    f"| {stale:,.0f} ms |"
                )
            if len(sides) > 1:
                ratio = statistics.median(now.first / before.first for before, now in runs)
                drawn = statistics.median(now.drawn / before.drawn for before, now in runs)
                print(f"| {name} | ratio | {drawn:.2f} | {ratio:.2f} | | | | | |", flush=True)


if __name__ == "__main__":
    main()
