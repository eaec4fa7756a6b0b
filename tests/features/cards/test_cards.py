"""The card of link previews."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from generator.features.cards import views
from generator.site.pictures import drawable_text
from support import registries
from support.kinds import Settings

BASE = "https://registry.example/data"


def test_a_card_needs_no_library_but_a_base_url(tmp_path: Path) -> None:
    for base, number in ((BASE, 1), (None, 0)):
        records = registries.content(registry={"base_url": base} if base else {})
        published = registries.published(tmp_path / str(number), records)
        home = published["/index.html"].decode()
        assert home.count('property="og:image"') == number
        cards = re.findall(f'content="{BASE}(/assets/card-[^"]+)"', home)
        assert len(cards) >= number
        for path in cards:
            with Image.open(io.BytesIO(published[path])) as picture:
                picture.load()
                assert picture.size == (views.WIDTH, views.HEIGHT)


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
    assert drawable_text(text) == expected


@pytest.mark.parametrize("name", ["A", "x" * 200, "日本", "two words " * 19])
def test_a_card_can_be_drawn_for_any_name_and_is_reproducible(name: str) -> None:

    settings = Settings(name=name, description="long " * 1000, base_url=BASE)
    data = views.draw_card(settings)
    assert data == views.draw_card(settings)
    assert len(data) < 80_000
    renamed = settings.model_copy(update={"name": "Another"})
    assert views.card_path(settings) != views.card_path(renamed)
