"""What all pages of a registry share: its style sheet, its texts, its icon and its card."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator.contract.templates import template_folder
from generator.feature import files
from generator.site.drawing import card
from generator.site.theme import Theme
from support import commands, registries
from support.commands import ROOT

BASE = "https://registry.example/data"


def stylesheet() -> str:
    return Theme("en").assets["site.css"].data.decode()


def test_printed_pages_have_neither_navigation_nor_dark_colours() -> None:
    css = stylesheet()
    printed = css[css.index("@media print") :]
    assert ".masthead nav" in printed
    assert css.count("{") == css.count("}")
    for dark in re.findall(r"@media ([^{]*prefers-color-scheme: ?dark[^{]*)\{", css):
        assert dark.startswith("screen and"), dark


def test_the_style_sheet_names_no_colour_of_its_own_and_no_other_host() -> None:
    css = Theme("en").file("assets/site.css").decode()
    assert "url(" not in css
    assert "@import" not in css
    unknown = set(re.findall(r"var\(--([a-z0-9-]+)\)", css)) - set(
        re.findall(r"--([a-z0-9-]+) ?:", stylesheet())
    )
    assert not unknown


def test_both_languages_have_the_same_texts() -> None:
    def keys(known: dict[str, Any], at: str = "") -> set[str]:
        return {
            key
            for name, text in known.items()
            for key in (keys(text, f"{at}{name}.") if isinstance(text, dict) else {at + name})
        }

    for folder in (template_folder() / "site", *files("templates/site")):
        texts = [folder / f"texts/{language}.json" for language in ("en", "de")]
        english, german = (keys(orjson.loads(file.read_bytes())) for file in texts)
        assert english == german, folder


def test_the_manual_has_every_custom_property() -> None:
    manual = (ROOT / "docs" / "site.md").read_text()
    table = manual[manual.index("| custom properties |") : manual.index("```css")]
    names = set(re.findall(r"`--([a-z0-9-]+)`", table))
    names |= {f"s{i}" for i in range(1, 9)} | {f"step-{i}" for i in range(1, 6)}
    names |= {f"{tone}-tint" for tone in ("good", "warn", "bad")}
    css = stylesheet()
    roots = "".join(re.findall(r":root ?{([^}]*)}", css))
    assert names == set(re.findall(r"--([a-z0-9-]+) ?:", roots))


def test_the_icon_is_the_registrys_letter_or_its_own() -> None:
    def icon(name: str, own: dict[str, bytes] | None = None) -> str:
        return Theme("en", own, name=name).assets["favicon.svg"].data.decode()

    assert ">É</text>" in icon("écluse") and "&lt;</text>" in icon("<b>")
    assert icon("x", {"favicon.svg": b"<svg/>"}) == "<svg/>"


#: Hides Pillow from a command whose module path starts with this folder.
_WITHOUT = """
import sys
sys.modules["PIL"] = None
"""


@pytest.mark.slow
def test_without_pillow_there_is_no_card_and_a_build_says_so(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(_WITHOUT)
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(commands.ROOT)])}
    records = registries.content(registry={"base_url": BASE})
    content = registries.write(tmp_path / "content", records)
    out = tmp_path / "out"
    command = ("build", "--content", content, "--out", out, "--as-of", commands.TODAY)
    first = commands.run(*command, env=env)
    assert "pip install 'pillow>=11,<14'" in first.out
    assert "warning" not in first.err
    assert "og:image" not in (out / "index.html").read_text("utf-8")
    assert not list((out / "assets").glob("card-*"))
    (content / "projects" / "cairn.yaml").write_text("name: Cairn on the hill")
    assert "Pillow would draw" in commands.run(*command, env=env).out
    assert "Pillow would draw" not in commands.run(*command, "--no-site", env=env).out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Zürich, Łódź", "Zürich, Łódź"),
        ("Ελλάδα и Россия", "Ελλάδα и Россия"),
        ("Rocket 🚀 lab", "Rocket lab"),
        ("Cafe\u0301", "Café"),
        ("a\u200fb", "ab"),
        ("日本", ""),
        ("שלום", ""),
        ("<b>&</b>", "<b>&</b>"),
    ],
)
def test_a_card_shows_only_whole_names_that_its_fonts_support(text: str, expected: str) -> None:
    assert card.drawable_text(text) == expected


@pytest.mark.parametrize("name", ["A", "x" * 200, "日本", "two words " * 19])
def test_a_card_can_be_drawn_for_any_name_and_is_reproducible(name: str) -> None:
    from generator.model.settings.registry import Settings

    settings = Settings(name=name, description="long " * 1000, base_url=BASE)
    data = card.draw(settings)
    assert data == card.draw(settings)
    assert len(data) < 40_000
    assert card.path(settings) != card.path(settings.model_copy(update={"name": "Another"}))
