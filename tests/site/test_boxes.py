"""Where everything is on every kind of page, at three widths and on paper, recorded in
recorded/boxes/: a moved box is a changed line.  `--regenerate` writes them again; read the diff.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from support import audit, boxes
from support.boxes import Look
from support.browser import Visiting

HERE = Path(__file__).parent / "recorded" / "boxes"
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
#: Origin -> the name of a file -> a page.
PAGES: dict[str, dict[str, str]] = {
    "site": {
        "home": "/",
        "projects": "/projects/",
        "programs": "/programs/",
        "organizations": "/organizations/",
        "project": "/projects/airbnb/",
        "cohort": "/programs/yc-winter-2009/",
        "organization": "/organizations/y-combinator/",
        "value": "/projects/status/active/",
        "calendar": "/calendar/",
        "month": "/calendar/month/2026-12/",
        "year": "/calendar/year/2026/",
        "compare": "/compare/",
        "landscape": "/landscape/",
        "map": "/map/",
        "changes": "/changes/",
        "agents": "/docs/agents/",
        "reference": "/docs/api/",
        "data": "/docs/data/",
        "missing": "/404.html",
    },
    "german_site": {"home": "/", "projects": "/projects/", "project": "/projects/kite/"},
    "conferences_site": {"home": "/", "calendar": "/calendar/"},
    "tools_site": {"home": "/", "projects": "/projects/"},
}
EVERY = [(origin, name, path) for origin, of in PAGES.items() for name, path in of.items()]


@pytest.mark.parametrize("origin, name, path", EVERY)
def test_the_boxes_of_a_page_are_the_recorded_ones_and_sound(
    origin: str,
    name: str,
    path: str,
    visit: Visiting,
    request: pytest.FixtureRequest,
    regenerate: bool,
) -> None:
    window = visit(request.getfixturevalue(origin))
    window.page.clock.set_fixed_time(NOW)  # the time left is as long on each day
    page = window.go(path)
    boxes.set_fonts(page)
    tables, faults = [], []
    for look in boxes.LOOKS:
        boxes.look_at(page, look)
        tables.append(f"# {look.name}, {look.width} px\n{boxes.table(page)}\n")
        faults += boxes.faults(page, look)
        if not look.is_print:
            faults += audit.violations(page, "reach")
    assert faults == []
    recorded = HERE / f"{origin}-{name}.txt"
    if regenerate:
        recorded.parent.mkdir(exist_ok=True)
        recorded.write_text("\n".join(tables), "utf-8")
    assert recorded.read_text("utf-8") == "\n".join(tables)


_LIST = "<ol>" + "<li>One of several</li>" * 4 + "</ol>"
_TABLE = "<table><tbody>" + "<tr><td>A</td><td></td></tr>" * 2 + "</tbody></table>"
#: A fault -> a page that has it, and a page that has none.
FAULTS = {
    "outside of the page": (
        '<p style="width: 3000px">Wide</p>',
        '<div style="overflow-x: auto"><p style="width: 3000px">Wide</p></div>',
    ),
    "narrower than its longest word": (
        '<p style="width: 20px">Förderprogramm</p>',
        '<p style="width: 400px">Förderprogramm</p>',
    ),
    "an empty column": (_TABLE, _TABLE.replace("<td></td>", "<td>B</td>")),
    "less than half of the page": (
        f'<div style="width: 200px">{_LIST}</div>',
        f"<div>{_LIST}</div>",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_page_is_seen(fault: str, visit: Visiting, site: str) -> None:
    page, look = visit(site).page, Look("print", 718, is_print=True)
    for body, is_seen in zip(FAULTS[fault], (True, False), strict=True):
        page.set_content(f"<main>{body}</main>")
        boxes.look_at(page, look)
        found = boxes.faults(page, look)
        assert any(fault in one for one in found) is is_seen, found
