"""The pictures of the documentation, of the site as it is: `python tests/site/pictures.py BUILD`.

BUILD is a build of content/.  Chromium takes the pictures and puts several into one.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = map(str, (Path(__file__).parents[1], Path(__file__).parents[2]))

from playwright.sync_api import Browser  # noqa: E402

from support import browser as browsers  # noqa: E402

DOCS = Path(__file__).parents[2] / "docs"


class Shot(NamedTuple):
    """A page, the size of its window, and where the picture stands in one of several: left, top and
    width.
    """

    path: str
    size: tuple[int, int]
    place: tuple[int, int, int] | None = None
    dark: bool = False

    @property
    def is_phone(self) -> bool:
        return self.size[0] < 600


FILTERED = "/projects/?tag_topic=developer-tools,data&year=2005..2020"
#: Picture -> its size and what is in it.
PICTURES = {
    "site.png": (
        (1640, 1010),
        Shot("/", (1280, 900), (0, 0, 1000)),
        Shot("/projects/?status=acquired,public", (1280, 900), (400, 250, 1000), dark=True),
        Shot("/projects/tag-topic/climate/", (390, 844), (1290, 150, 330)),
    ),
    "site-list.png": ((1280, 900), Shot(FILTERED, (1280, 900))),
    "site-calendar.png": ((1280, 800), Shot("/calendar/month/2026-11/", (1280, 800))),
    "site-phone.png": (
        (1280, 893),
        Shot("/programs/yc-winter-2016/", (390, 844), (20, 20, 394), dark=True),
        Shot("/calendar/", (390, 844), (443, 20, 394), dark=True),
        Shot("/docs/api/projects/", (390, 844), (866, 20, 394), dark=True),
    ),
}


def taken(shot: Shot, origin: str, browser: Browser) -> bytes:
    """A picture of the first screen of a page."""
    size: dict[str, Any] = dict(browsers.PHONE if shot.is_phone else browsers.DESKTOP)
    size["viewport"] = dict(zip(("width", "height"), shot.size, strict=True))
    visit = browsers.Visit(browser, origin, **size, color_scheme="dark" if shot.dark else "light")
    page = visit.go(shot.path)
    page.wait_for_load_state("networkidle")
    picture = page.screenshot()
    assert not visit.faults, visit.faults
    visit.close()
    return picture


def together(shots: list[Shot], size: tuple[int, int], origin: str, browser: Browser) -> bytes:
    """Several pictures in one."""
    images = []
    for shot in shots:
        assert shot.place is not None
        left, top, width = shot.place
        data = base64.b64encode(taken(shot, origin, browser)).decode()
        images.append(
            f'<img src="data:image/png;base64,{data}" '
            f'style="left:{left}px;top:{top}px;width:{width}px">'
        )
    page = browser.new_page(viewport=dict(zip(("width", "height"), size, strict=True)))  # type: ignore[arg-type]
    page.set_content(
        "<style>body{margin:0;background:#fff}img{position:absolute;border:1px solid #bbb;"
        f"border-radius:8px;box-shadow:0 4px 24px #0003}}</style>{''.join(images)}"
    )
    picture = page.screenshot()
    page.close()
    return picture


def main() -> None:
    with browsers.launched() as browser, browsers.served(Path(sys.argv[1])) as origin:
        for name, (size, *shots) in PICTURES.items():
            if shots[0].place is None:
                picture = taken(shots[0], origin, browser)
            else:
                picture = together(shots, size, origin, browser)
            (DOCS / name).write_bytes(picture)
            print(f"docs/{name}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
