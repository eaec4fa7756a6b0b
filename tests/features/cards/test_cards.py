"""The card of link previews, and builds without Pillow."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.features.cards import card
from support import commands, registries

BASE = "https://registry.example/data"

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
