"""Screenshots of the pages of a build, for review: `python tests/site/screenshots.py BUILD OUT`.

Without `--pages` a few pages are chosen that together show every kind of element.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path[:0] = map(str, (Path(__file__).parents[1], Path(__file__).parents[2]))

from support import browser as browsers  # noqa: E402
from support import pages  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pages", nargs="+", metavar="PATH", help="/ /projects/ …")
    parser.add_argument("--widths", default="320,390,1280")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    parser.add_argument("--no-scripts", action="store_true", help="with JavaScript off")
    parser.add_argument("--print", action="store_true", help="as on paper, A4")
    parser.add_argument("--plain", action="store_true", help="as on a host of plain files")
    parser.add_argument("--screen", action="store_true", help="only what the first screen shows")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    names = asked.pages or pages.telling(pages.read(asked.build))
    faults: list[str] = []
    with browsers.launched() as browser, browsers.served(asked.build, plain=asked.plain) as origin:
        for width in (794,) if asked.print else map(int, asked.widths.split(",")):
            size = browsers.PHONE if width < 600 else browsers.DESKTOP
            visit = browsers.Visit(
                browser,
                origin,
                **size | {"viewport": {**size["viewport"], "width": width}},
                color_scheme="dark" if asked.dark else "light",
                java_script_enabled=not asked.no_scripts,
            )
            if asked.print:
                visit.page.emulate_media(media="print")
            for path, name in pages.kinds(names).items():
                page = visit.go(path)
                marks = "".join(
                    f"-{mark}"
                    for mark in ("dark", "no_scripts", "print", "plain")
                    if getattr(asked, mark)
                )
                file = asked.out / f"{name}-{width}{marks}.png"
                page.screenshot(path=file, full_page=not asked.screen)
                wide = page.evaluate("document.documentElement.scrollWidth")
                print(file, *([f"  wider than the window: {wide} px"] if wide > width else []))
            faults += visit.faults
            visit.close()
    print(*faults, sep="\n")


if __name__ == "__main__":
    main()
