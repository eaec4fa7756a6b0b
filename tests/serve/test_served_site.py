"""The development server shows an editor each save and its problems at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import browser as browsers
from support import registries
from support.commands import lacking
from support.serving import Server

RECORD = "/projects/aurora-grid/"
PROBLEMS = "#registry-problems"


@pytest.mark.slow
def test_an_editor_sees_each_save_and_its_problems(tmp_path: Path) -> None:
    """An open page in a browser reloads by itself."""
    registries.write(tmp_path / "content")
    record = "projects/aurora-grid.yaml"
    text = (tmp_path / "content" / record).read_text()
    try:
        with browsers.launched() as browser, Server(tmp_path).running() as server:
            origin = f"http://127.0.0.1:{server.port}"
            window = browsers.Visit(browser, origin)
            page = window.page
            page.goto(origin + RECORD)
            heading = page.locator("h1")
            assert heading.inner_text() == "Aurora Grid"
            server.save(record, text.replace("Aurora Grid", "Aurora <b>Grid</b> & Co"))
            page.wait_for_selector("h1:has-text('Co')")
            assert heading.inner_text() == "Aurora <b>Grid</b> & Co"

            server.save(record, text.replace('"name"', '"colour": "blue", "name"', 1))
            page.wait_for_selector(PROBLEMS)
            problems = page.inner_text(PROBLEMS)
            assert "1 record is missing here" in problems
            assert (
                "aurora-grid.yaml:" in problems
                and "unknown-field" in problems
                and "colour" in problems
            )
            page.goto(f"{origin}/projects/")
            assert page.locator(PROBLEMS).bounding_box()["y"] == 0
            page.click(f"{PROBLEMS} a")
            assert "colour" in page.inner_text("li:target")
            page.goto(f"{origin}/projects/")

            server.save(record, text)
            page.wait_for_selector(PROBLEMS, state="detached")

            page.goto(f"{origin}/")
            own = tmp_path / "templates" / "site"
            own.mkdir(parents=True)
            (own / "home.md").write_text("Kept by the *harbour* office.")
            page.wait_for_selector("main em:text('harbour')")
            # While its file had an error, the record had no page.
            assert [fault for fault in window.faults if "aurora-grid" not in fault] == []
            window.close()
    except LookupError as error:
        lacking(str(error))
