"""What all pages of a registry share: its style sheets, its texts and its icon."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest

from generator.contract.templates import template_folder
from generator.feature import files
from generator.site.colours import MONOGRAMS, TONES
from generator.site.theme import Theme
from support.commands import ROOT


def sheet(name: str = "site.css") -> str:
    return Theme("en").assets[name].data.decode()


SHEETS = sorted(name for name in Theme("en").assets if name.endswith(".css"))


@pytest.mark.parametrize("name", SHEETS)
def test_a_style_sheet_is_whole_dark_only_on_screens_and_of_the_colours_of_all(name: str) -> None:
    css = sheet(name)
    assert css.count("{") == css.count("}")
    for dark in re.findall(r"@media ([^{]*prefers-color-scheme: ?dark[^{]*)\{", css):
        assert dark.startswith("screen and"), dark
    assert "url(" not in css
    assert "@import" not in css
    known = re.findall(r"--([a-z0-9-]+) ?:", sheet() + css)
    assert not {*re.findall(r"var\(--([a-z0-9-]+)\)", css)} - {*known}


def test_both_languages_have_the_same_texts() -> None:
    def keys(known: dict[str, Any], at: str = "") -> set[str]:
        return {
            key
            for name, text in known.items()
            for key in (keys(text, f"{at}{name}.") if isinstance(text, dict) else {at + name})
        }

    for folder in (template_folder() / "site" / "texts", *files("templates/site/texts")):
        texts = [folder / f"{language}.json" for language in ("en", "de")]
        english, german = (keys(orjson.loads(file.read_bytes())) for file in texts)
        assert english == german, folder


def test_the_manual_has_every_custom_property() -> None:
    manual = (ROOT / "docs" / "site.md").read_text()
    table = manual[manual.index("| custom properties |") : manual.index("```css")]
    names = set(re.findall(r"`--([a-z0-9-]+)`", table))
    names |= {f"s{i}" for i in range(1, 9)} | {f"step-{i}" for i in range(1, 6)}
    names |= {f"{part}-{i}" for part in ("face", "on-face") for i in range(MONOGRAMS)}
    names |= {f"{tone}-tint" for tone in TONES if tone != "quiet"}
    css = sheet()
    roots = "".join(re.findall(r":root ?{([^}]*)}", css))
    assert names == set(re.findall(r"--([a-z0-9-]+) ?:", roots))


def test_the_icon_is_the_registrys_letter_or_its_own() -> None:
    def icon(name: str, own: dict[str, bytes] | None = None) -> str:
        return Theme("en", own, name=name).assets["favicon.svg"].data.decode()

    assert ">É</text>" in icon("écluse") and "&lt;</text>" in icon("<b>")
    assert icon("x", {"favicon.svg": b"<svg/>"}) == "<svg/>"
