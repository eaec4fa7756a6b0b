"""axe-core finds nothing on any page, in light and dark, on a phone and on a desktop."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from support import browser as browsers
from support import commands, engines, pages
from support.browser import Visit, Visiting

Scheme = Literal["light", "dark"]

AXE = commands.ROOT / "tests" / "hosts" / "node_modules" / "axe-core" / "axe.min.js"

#: axe-core describes passed rules with one element only.
_FOUND: dict[str, Any] = {"resultTypes": ["violations"]}
#: All rules of axe-core, and the rule for target sizes, which is off by default.
_ALL: dict[str, Any] = {**_FOUND, "rules": {"target-size": {"enabled": True}}}
#: Rules about colours.
_COLOURS: dict[str, Any] = {
    **_FOUND,
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
#: The violations; passing the passed rules to Python would take longer than the check itself.
_RUN = "async options => (await axe.run(options)).violations"
#: Leaves of siblings with the same elements and classes in them the first three and the longest.
_THIN = """() => {
  const made = element => `${element.localName}.${element.getAttribute('class')}`
  function thin(parent) {
    const kinds = {}
    for (const child of parent.children) {
      const inner = new Set([...child.querySelectorAll('*')].map(made))
      ;(kinds[JSON.stringify([made(child), ...inner])] ??= []).push(child)
    }
    const long = (one, other) => other.textContent.length - one.textContent.length
    for (const all of Object.values(kinds)) {
      const kept = new Set([...all.slice(0, 3), all.toSorted(long)[0]])
      for (const child of all) kept.has(child) ? thin(child) : child.remove()
    }
  }
  thin(document.body)
}"""


@pytest.mark.parametrize(
    ("phone", "schemes"),
    [(False, ("light", "dark")), (True, ("dark", "light"))],
    ids=["desktop", "phone"],
)
def test_axe_finds_nothing(
    visit: Visiting, site: str, built_content: Path, phone: bool, schemes: tuple[Scheme, ...]
) -> None:
    """Whole pages on a desktop, and thin ones on a phone."""
    assert_axe_finds_nothing(visit(site, phone=phone), built_content, *schemes, whole=not phone)


@pytest.mark.parametrize("name", ["conferences", "tools"])
def test_axe_finds_nothing_on_registries_of_other_shapes(
    visit: Visiting, name: str, request: pytest.FixtureRequest
) -> None:
    out: Path = request.getfixturevalue(name)
    with browsers.served(out) as origin:
        assert_axe_finds_nothing(visit(origin), out, "light", whole=True)


def assert_axe_finds_nothing(
    window: Visit, out: Path, first: Scheme, *others: Scheme, whole: bool = False
) -> None:
    """Check a few pages that together have every kind of element: by all rules in the first colour
    scheme, and by the rules about colours in the others, where the pages are thin.
    """
    engines.need("axe-core")
    axe = AXE.read_text("utf-8")
    violations: list[str] = []
    for path in pages.telling(pages.read(out)):
        window.page.emulate_media(color_scheme=first)
        page = window.go(path, "load")
        page.evaluate(axe)
        if not whole:
            page.evaluate(_THIN)
        findings = page.evaluate(_RUN, _ALL)
        if whole and others:
            page.evaluate(_THIN)
        for scheme in others:
            page.emulate_media(color_scheme=scheme)
            findings += page.evaluate(_RUN, _COLOURS)
        for finding in findings:
            for node in finding["nodes"]:
                violations.append(
                    f"{path} {finding['id']}: {node['target']} {node['failureSummary']}"
                )
    assert violations == [], "\n\n".join(violations)
