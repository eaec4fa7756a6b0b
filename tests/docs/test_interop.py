"""docs/interop.md is made from interop.toml; `pytest --regenerate` writes it.

Lines that name a test have the locked version of the tool, and the test imports it.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date
from typing import Any

from support.commands import ROOT

PAGE = ROOT / "docs" / "interop.md"
TOOLS: list[dict[str, Any]] = tomllib.loads(
    (ROOT / "tests" / "docs" / "interop.toml").read_text("utf-8")
)["tool"]


def locked(package: str) -> str:
    """The version of a package in the lock of the tests; "" if the lock lacks it."""
    lock = (ROOT / "requirements-dev.txt").read_text("utf-8")
    found = re.search(rf"^{re.escape(package)}==(\S+)", lock, re.M)
    return found[1] if found else ""


def row(tool: dict[str, Any]) -> str:
    if "test" in tool:
        version, ran = locked(tool["lock"]), f"[every run](../{tool['test']})"
    else:
        version, ran = tool["version"], f"by hand, {tool['by_hand']}"
    cells = (tool["name"], version, tool["reads"], tool["result"], ran)
    return f"| {' | '.join(cells)} |\n"


def test_the_page_has_the_lines_of_the_file(regenerate: bool) -> None:
    before = PAGE.read_text("utf-8").partition("\n| tool |")[0]
    head = "\n| tool | version | reads | result | run |\n|---|---|---|---|---|\n"
    made = before + head + "".join(map(row, TOOLS))
    if regenerate:
        PAGE.write_text(made, "utf-8")
    assert PAGE.read_text("utf-8") == made
    assert len(before.split()) <= 200


def test_each_line_says_how_it_was_run() -> None:
    for tool in TOOLS:
        if "test" in tool:
            text = (ROOT / tool["test"]).read_text("utf-8")
            module = tool["lock"].replace("-", "_")
            assert re.search(rf"^ *(?:from|import) {module}\b", text, re.M), tool["name"]
        else:
            assert tool["version"] and isinstance(tool["by_hand"], date), tool["name"]
