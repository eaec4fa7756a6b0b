"""axe-core finds nothing on any page, in light and dark, on a phone and on a desktop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support import browser as browsers
from support import commands, engines, pages
from support.browser import Visit, Visiting

AXE = commands.ROOT / "tests" / "hosts" / "node_modules" / "axe-core" / "axe.min.js"

#: All rules of axe-core, and the rule for target sizes, which is off by default.
_ALL: dict[str, Any] = {"rules": {"target-size": {"enabled": True}}}
#: Rules about colours and widths.
_LOOKS: dict[str, Any] = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "target-size"]}
}


@pytest.mark.parametrize(
    ("dark", "phone", "options"),
    [
        pytest.param(False, False, _ALL, id="light-desktop"),
        pytest.param(True, True, _ALL, id="dark-phone"),
        pytest.param(True, False, _LOOKS, id="dark-desktop"),
        pytest.param(False, True, _LOOKS, id="light-phone"),
    ],
)
def test_axe_finds_nothing(
    visit: Visiting,
    site: str,
    built_content: Path,
    dark: bool,
    phone: bool,
    options: dict[str, Any],
) -> None:
    window = visit(site, dark=dark, phone=phone)
    assert_axe_finds_nothing(window, built_content, options)


@pytest.mark.parametrize("name", ["conferences", "tools"])
def test_axe_finds_nothing_on_registries_of_other_shapes(
    visit: Visiting, name: str, request: pytest.FixtureRequest
) -> None:
    out: Path = request.getfixturevalue(name)
    with browsers.served(out) as origin:
        assert_axe_finds_nothing(visit(origin), out, _ALL)


def assert_axe_finds_nothing(window: Visit, out: Path, options: dict[str, Any]) -> None:
    """Check a few pages that together have every kind of element."""
    engines.need("axe-core")
    axe = AXE.read_text("utf-8")
    violations: list[str] = []
    for path in pages.telling(pages.read(out)):
        page = window.go(path, "load")
        page.evaluate(axe)
        # Without the passed rules: passing those to Python takes longer than the check itself.
        for finding in page.evaluate("async asked => (await axe.run(asked)).violations", options):
            for node in finding["nodes"]:
                violations.append(
                    f"{path} {finding['id']}: {node['target']} {node['failureSummary']}"
                )
    assert violations == [], "\n\n".join(violations)
