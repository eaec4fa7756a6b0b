"""How soon pages are there on a phone: `python benchmarks/phone.py BUILD [--runs N] [PATH …]`.

Chromium with a processor four times slower, 1.6 Mbit/s and 150 ms to the server, the profile of
Lighthouse's phones, applied by DevTools rather than computed.  A run is a new browser profile, so
nothing is cached.  The score is Lighthouse's, of each metric a log-normal curve by the value that
scores 0.9 and the one that scores 0.5, weighted:
developer.chrome.com/docs/lighthouse/performance/performance-scoring
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = map(str, (Path(__file__).parents[1] / "tests", Path(__file__).parents[1]))

from support import browser as browsers  # noqa: E402

#: The weight of a metric in Lighthouse 10 and later, the milliseconds (of CLS, the share) that
#: score 0.9 and those that score 0.5 on phones.
CURVES = {
    "FCP": (0.10, 1800, 3000),
    "SI": (0.10, 3387, 5800),
    "LCP": (0.25, 2500, 4000),
    "TBT": (0.30, 200, 600),
    "CLS": (0.25, 0.1, 0.25),
}
#: What DevTools slow down: the network, and how many times the processor.
THROTTLED_NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
THROTTLED_CPU = 4
#: What the browser tells of itself, noted from the beginning.
_NOTE = """window.noted = { lcp: 0, cls: 0, long: [] };
new PerformanceObserver(list => { for (const e of list.getEntries()) noted.lcp = e.startTime })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver(list => {
  for (const e of list.getEntries()) if (!e.hadRecentInput) noted.cls += e.value })
  .observe({ type: "layout-shift", buffered: true });
new PerformanceObserver(list => {
  for (const e of list.getEntries()) noted.long.push([e.startTime, e.duration]) })
  .observe({ type: "longtask", buffered: true });"""
_TOLD = """() => ({ ...noted,
  fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  ready: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
  bytes: performance.getEntriesByType("resource").concat(
    performance.getEntriesByType("navigation")).reduce((sum, e) => sum + e.transferSize, 0) })"""


class Run(NamedTuple):
    """One visit: milliseconds from its beginning, the layout's shift, bytes received."""

    fcp: float
    lcp: float
    tbt: float
    cls: float
    interactive: float
    bytes: float

    @property
    def score(self) -> float:
        # Of pages that are drawn at once, how fast they fill is when they are first seen.
        seen = {"FCP": self.fcp, "SI": self.fcp, "LCP": self.lcp, "TBT": self.tbt, "CLS": self.cls}
        return sum(
            weight * _curve(seen[name], good, fair) for name, (weight, good, fair) in CURVES.items()
        )


def _curve(value: float, good: float, fair: float) -> float:
    """A metric's score: 0.9 at `good` and 0.5 at `fair`, log-normal between and beyond."""
    if value <= 0:
        return 1.0
    # 1.2815… is where the normal distribution leaves a tenth.
    return 0.5 * math.erfc(
        math.log(value / fair) / math.log(fair / good) * 1.2815515655446004 / math.sqrt(2)
    )


def visit(browser: Any, address: str) -> Run:
    context = browser.new_context(**browsers.PHONE)
    context.add_init_script(_NOTE)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", THROTTLED_NETWORK)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED_CPU})
    page.goto(address, wait_until="networkidle")
    page.wait_for_function(
        "() => noted.lcp && performance.getEntriesByName('first-contentful-paint').length"
    )
    told = page.evaluate(_TOLD)
    context.close()
    # Blocked is what a long task takes beyond 50 ms after something is seen; with it the page is
    # interactive once the last of them is over and its scripts have run.
    late = [(start, time) for start, time in told["long"] if start + time > told["fcp"]]
    blocked = sum(max(0.0, time - 50) for _, time in late)
    interactive = max(told["fcp"], told["ready"], *(start + time for start, time in late))
    return Run(told["fcp"], told["lcp"], blocked, told["cls"], interactive, told["bytes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    print("| page | bytes | FCP | LCP | blocked | shift | interactive | score |")
    print("|---|---|---|---|---|---|---|---|")
    with browsers.launched() as browser, browsers.served(asked.build) as origin:
        for path in asked.paths or ["/", "/projects/", record(asked.build), "/calendar/", "/map/"]:
            runs = [visit(browser, origin + path) for _ in range(asked.runs)]
            fcp, lcp, tbt, cls, interactive, size = map(statistics.median, zip(*runs, strict=True))
            score = statistics.median(run.score for run in runs)
            print(
                f"| `{path}` | {size:,.0f} | {fcp:.0f} ms | {lcp:.0f} ms | {tbt:.0f} ms "
                f"| {cls:.3f} | {interactive:.0f} ms | {100 * score:.0f} |"
            )


def record(out: Path) -> str:
    """The page of the record that says most."""
    files = (out / "projects").glob("*/index.html")
    return f"/projects/{max(files, key=lambda file: file.stat().st_size).parent.name}/"


if __name__ == "__main__":
    main()
