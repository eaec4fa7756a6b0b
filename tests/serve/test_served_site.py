"""The development server shows an editor each save and its problems at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import browser as browsers
from support import registries
from support.commands import lacking
from support.serving import serving

RECORD = "/projects/aurora-grid/"
PROBLEMS = "#registry-problems"


@pytest.mark.slow
def test_an_editor_sees_each_save_and_its_problems(tmp_path: Path) -> None:
    """An open page in a browser reloads by itself."""
    registries.write(tmp_path / "content")
    record = tmp_path / "content" / "projects" / "aurora-grid.yaml"
    text = record.read_text()

    def save(changed: str) -> None:
        """In one step: half of it would be read first, and reload the page once more."""
        draft = tmp_path / "draft"
        draft.write_text(changed)
        draft.replace(record)

    try:
        with browsers.launched() as browser, serving(tmp_path, reload=True) as origin:
            window = browsers.Visit(browser, origin)
            page = window.page
            page.goto(origin + RECORD)
            heading = page.locator("h1")
            assert heading.inner_text() == "Aurora Grid"
            save(text.replace("Aurora Grid", "Aurora <b>Grid</b> & Co"))
            page.wait_for_selector("h1:has-text('Co')")
            assert heading.inner_text() == "Aurora <b>Grid</b> & Co"

            save(text.replace('"name"', '"colour": "blue", "name"', 1))
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

            save(text)
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
