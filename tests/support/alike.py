"""A registry of names, tags and numbers that differ little: spellings of one name, the same words
in another order, similar tags in three families, the largest and the smallest numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support import commands, registries

_LONG = "Many more words than any other record of this registry has, which makes each weigh less."
_NAMES = [
    "Kelpworks", "Kelp Works International", "Weave", "Shuttle Loom", "DoorDash", "Open AI",
    "हिन्दी कंपनी", "ไทยพาณิชย์", "株式会社メルカリ", "技术能力", "Łódź Robotics", "Women's Health",
    "Fixie", "Fjordfish", "Tidewater",
]  # fmt: skip
_MORE: dict[str, dict[str, Any]] = {
    "Kelp Works International": {"summary": "Kelpworks and kelpworks, of Kelpworks"},
    "Shuttle Loom": {"former_names": ["Weave"], "summary": "Weaves"},
    "Łódź Robotics": {"summary": "A robot that sorts boxes",
                      "description": "E-commerce for companies"},
    "Fixie": {"locations": [{"country": "BR", "city": "São Paulo"}]},
}  # fmt: skip
#: The same words joined, apart, hyphenated; names of countries and statuses.
_TERMS: dict[str, dict[str, Any]] = {
    "apart": {"name": "Stack Ink", "description": _LONG},
    "hyphenated": {"name": "Stack-Ink", "description": f"{_LONG} {_LONG}"},
    "joined": {"name": "StackInk"},
    "longer": {"name": "Stack Ink Tools"},
    "former": {"name": "Piles", "former_names": ["Stack Ink"]},
    "three-joined": {"name": "YouTube TV"},
    "three-apart": {"name": "You Tube TV", "description": _LONG},
    "lagos": {"name": "Kobo", "locations": [{"country": "NG", "city": "Lagos"},
                                            {"country": "NG", "city": "Abuja"}]},
    "seoul": {"name": "Won", "status": "acquired", "locations": [{"country": "KR"}]},
    "bissau": {"name": "Peso", "status": "active", "locations": [{"country": "GW"}]},
    "said": {"name": "Franc", "description": "Nigeria."},
}  # fmt: skip
#: Names with the same words; the slugs and summaries put them in another order.
_SAME_WORDS = {
    "a1": "C", "a2": "C++", "a3": "C#", "a4": "The C", "b1": "Muller", "b2": "Müller",
    "b3": "MÜLLER", "c1": "Tromso", "c2": "Tromsø", "d1": "AI Open", "d2": "Open AI",
    "d3": "OpenAI", "e1": "東京", "e2": "東京!",
}  # fmt: skip
#: The same and similar tags in three families.
_TWINS: list[tuple[int, dict[str, list[str]]]] = [
    (2001, {"topic": ["ai"]}),
    (2002, {"topic": ["artificial-intelligence"]}),
    (2003, {"topic": ["artificial-intelligence", "health"]}),
    (2003, {"industry": ["ai"]}),
    (2004, {"market": ["a-i"]}),
    (2001, {"market": ["a-intelligence"]}),
    (2005, {"topic": ["health", "food"]}),
    (2005, {"topic": ["ai", "food"]}),
]
#: Python and JavaScript write small numbers differently unless they take care.
_NUMBERS = [1e-5, 1.5e-6, -1.5e-6, 1e-7, 2.5e-300, 0.1, 0, 1 << 53, -(1 << 53), 123456.789]


def content() -> registries.Content:
    made = {
        f"made-{n:02}": {"name": name, "summary": "Made by hand", **_MORE.get(name, {})}
        for n, name in enumerate(_NAMES)
    }
    twins = {
        f"twin-{n}": {"name": f"Twin {n}", "year": year, "tags": tags}
        for n, (year, tags) in enumerate(_TWINS)
    }
    numbers = {
        f"number-{n}": {"name": f"Number {n}", "fields": {"value": value, "shown": value}}
        for n, value in enumerate(_NUMBERS)
    }
    number = {"label": "Value", "type": "number"}
    return {
        "registry": {
            **registries.SMALL["registry"],
            "language": "de",
            "tag_families": {
                "topic": {"label": "Topic"},
                "industry": {"label": "Industry", "tags": {"ai": "Machine wits", "void": "Void"}},
                "market": {"label": "Market"},
            },
            "fields": {
                "projects": {"value": {**number, "sort": True, "filter": True},
                             "shown": {**number, "summary": True}},
            },
        },
        "programs": {"quiet": {"name": "The Quiet Program", "kind": "program",
                               "type": "accelerator", "organization": "d2"}},
        "projects": {**_TERMS, **made, **twins, **numbers},
        "organizations": {
            slug: {"name": name, "category": "investor"} | ({"summary": name} if n % 2 else {})
            for n, (slug, name) in enumerate(_SAME_WORDS.items())
        },
        "events": {
            status: {"name": "Call", "kind": "deadline", "due": "2027-01-01", "status": status}
            for status in ("confirmed", "tentative", "extended", "cancelled")
        },
    }  # fmt: skip


def build(folder: Path, base_url: str | None = None) -> Path:
    changed = registries.content(content(), registry={"base_url": base_url})
    made = registries.write(folder / "content", changed)
    return commands.build(made, folder / "out", "--as-of", commands.TODAY)
