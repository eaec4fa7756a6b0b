"""A registry with own fields of every type, and with more cases that queries distinguish: numbers
with gaps, place names with special letters, names of one and two words.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from support import commands, registries

SIZE = 20

#: collection -> key -> what registry.yaml declares.
FIELDS: dict[str, dict[str, dict[str, Any]]] = {
    "projects": {
        "funding": {"label": "Total funding", "type": "number", "unit": "USD", "summary": True,
                    "filter": True, "sort": True},
        "growth": {"label": "Growth", "type": "number", "filter": True, "sort": True},
        "score": {"label": "Score", "type": "number", "sort": True},
        "founded_on": {"label": "Founded on", "type": "date", "summary": True, "filter": True,
                       "sort": True},
        "seen": {"label": "Last seen", "type": "date", "filter": True},
        "hiring": {"label": "Hiring", "type": "boolean", "summary": True, "filter": True},
        "audited": {"label": "Audited", "type": "boolean"},
        "stage": {"label": "Stage", "type": "choice", "summary": True, "filter": True,
                  "values": {"idea": "An idea", "seed": "Seed & angels", "growth": "Growth",
                             "unused": "Not used"}},
        "market": {"label": "Market", "type": "choice", "many": True, "summary": True,
                   "filter": True},
        "badge": {"label": "Badge", "type": "choice", "many": True, "filter": True,
                  "values": {"gold": "Gold", "silver": "Silver", "bronze": "Bronze"}},
        "colour": {"label": "Colour", "type": "choice"},
        "motto": {"label": "Motto", "type": "text", "summary": True},
        "awards": {"label": "Awards", "type": "text", "many": True},
        "deck": {"label": "Deck", "type": "url", "summary": True},
        "press": {"label": "Press", "type": "url", "many": True},
        "code": {"label": "Code", "type": "text", "required": True},
    },
    "programs": {
        "seats": {"label": "Seats", "type": "number", "summary": True, "filter": True,
                  "sort": True},
        "online": {"label": "Online", "type": "boolean", "filter": True},
    },
    "organizations": {
        "since": {"label": "Since", "type": "date", "filter": True, "sort": True},
        "size": {"label": "Size", "type": "choice", "filter": True, "summary": True},
    },
    "events": {
        "fee": {"label": "Fee", "type": "number", "unit": "EUR", "filter": True, "sort": True},
        "remote": {"label": "Can be joined from afar", "type": "boolean", "summary": True,
                   "filter": True},
        # No event has these fields.
        "announced": {"label": "Announced", "type": "date", "filter": True, "sort": True},
        "seats": {"label": "Seats", "type": "number", "filter": True},
    },
}  # fmt: skip

_PLACES = [
    ("NO", None, "Tromsø"), ("PL", "Łódź", "Łódź"), ("IS", None, "Þorlákshöfn"),
    ("DE", "Thüringen", "Weißenfels"), ("US", "CA", "San Francisco"), ("US", "NY", "New York"),
    ("DK", None, "Ærøskøbing"), ("JP", None, "Ōsaka"), ("BR", "SP", "São Paulo"),
]  # fmt: skip
_WORDS = """robot robots box boxes company companies glass news women's womens e-commerce ecommerce
DoorDash doordash Open AI OpenAI machine learning climate data café naïve straße Łódź søk solar grid
pump pumps city cities bus buses the of for and 3d 東京 スカイ ツリー 日本語 検索 ภาษาไทย น้ำ ລາວ
ខ្មែរ မြန်မာ हिन्दी खोज 한국어 검색 AirBnB iOS O'Reilly l’été""".split()  # noqa: SIM905
_MARKETS = ["retail", "health-care", "schools", "ports", "farms", "homes"]


def _maybe(rng: random.Random, chance: float, fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if rng.random() < chance}


def content() -> dict[str, dict[str, Any]]:
    rng = random.Random(7)

    def some(least: int, most: int) -> str:
        return " ".join(rng.choice(_WORDS) for _ in range(rng.randint(least, most)))

    def day() -> str:
        return f"{rng.randint(1990, 2026)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"

    def places() -> list[dict[str, str]]:
        return [
            {"country": country, **({"region": region} if region else {}), "city": city}
            for country, region, city in rng.sample(_PLACES, rng.choice((0, 1, 1, 2)))
        ]

    def project(n: int) -> dict[str, Any]:
        own = {
            "funding": rng.choice((0, 5, 1000, 250000, 1e6, 99.5, 3.25)),
            "growth": rng.choice((-2.5, -1, 0, 0.125, 7, 1e-3)),
            "score": rng.randint(-5, 5),
            "founded_on": day(), "seen": day(),
            "hiring": rng.random() < 0.5, "audited": rng.random() < 0.5,
            "stage": rng.choice(("idea", "seed", "growth")),
            "market": rng.sample(_MARKETS, rng.randint(1, 3)),
            "badge": rng.sample(("gold", "silver", "bronze"), rng.randint(1, 2)),
            "colour": rng.choice(("red", "blue")),
            "motto": some(1, 6), "awards": [some(1, 3), some(1, 3)],
            "deck": f"https://decks.example/{n}", "press": [f"https://press.example/{n}?a=1&b=2"],
        }  # fmt: skip
        rest = {
            "summary": some(2, 8), "description": some(5, 20), "year": rng.randint(2010, 2026),
            "team_size": rng.choice((1, 2, 2, 3, 10, 50, 50, 1200)), "locations": places(),
            "remote": rng.random() < 0.4, "status": rng.choice(("active", "acquired", "inactive")),
            "tags": {"topic": rng.sample(["sea", "stone", "sky"], rng.randint(0, 2)),
                     "script": rng.sample(["kanji", "runes", "ink"], rng.randint(1, 2))},
            "programs": rng.sample([f"program-{p}" for p in range(30)], rng.randint(0, 2)),
            "organizations": rng.sample([f"org-{p}" for p in range(20)], rng.randint(0, 2)),
            "former_names": [some(1, 2)],
        }  # fmt: skip
        return {
            "name": f"{some(1, 3)} {n % 40}",
            **_maybe(rng, 0.7, rest),
            "fields": {"code": f"c-{n}", **_maybe(rng, 0.6, own)},
        }

    def program(n: int) -> dict[str, Any]:
        own = {"seats": rng.choice((10, 10, 25, 300)), "online": rng.random() < 0.5}
        return {
            "name": f"{some(1, 2)} {n}", "kind": "program" if n % 3 else "cohort",
            "type": "course", "organization": f"org-{n % 7}",
            **({"parent": f"program-{n // 2}"} if n > 9 else {}),
            **_maybe(rng, 0.7, {"year": 2000 + n % 20, "locations": places(), "summary": some(2, 6),
                                "tags": {"topic": ["sea"]}, "fields": own}),
        }  # fmt: skip

    def organization(n: int) -> dict[str, Any]:
        own = {"since": day(), "size": rng.choice(("small", "large"))}
        rest = {"year": 1900 + n, "locations": places(), "tags": {"topic": ["sea", "sky"]}}
        return {
            "name": some(1, 2), "category": ("school", "fund")[n % 2],
            **_maybe(rng, 0.6, {**rest, "fields": own}),
        }  # fmt: skip

    def event(n: int) -> dict[str, Any]:
        own = {"fee": rng.choice((0, 20, 49.5)), "remote": rng.random() < 0.5}
        return {
            "name": f"{some(1, 2)} Call {n}", "kind": "deadline",
            "due": f"20{20 + n % 10}-{1 + n % 12:02}-11", "summary": some(2, 5),
            **_maybe(rng, 0.6, {"program": f"program-{n % 5}", "organization": f"org-{n % 9}",
                                "fields": own, "locations": places(), "online": n % 2 == 0,
                                "stage": ("outline", "text")[n % 2], "round": 1 + n % 3,
                                "tags": {"topic": ["stone"], "script": ["ink"]},
                                "status": ("extended", "cancelled")[n % 2]}),
            **({"kind": "application_window", "rolling": True, "due": None} if n % 8 == 5 else {}),
        }  # fmt: skip

    return {
        "registry": {
            "name": "Own fields", "description": "Every type of field.", "page_size": SIZE,
            "fields": FIELDS,
            "tag_families": {
                "topic": {"label": "Topic", "tags": {"sea": "Mer d’été", "stone": "Amber & stone",
                                                     "sky": "Open-sky", "void": "Void"}},
                "script": {"label": "Script"},
            },
            "organization_categories": {"school": "School", "fund": "Fund", "none": "None"},
            "program_types": {"course": "Course", "prize": "Prize"},
            "event_stages": {"outline": "Outline", "text": "Whole text"},
        },
        "organizations": {f"org-{n}": organization(n) for n in range(40)},
        "programs": {f"program-{n}": program(n) for n in range(60)},
        "projects": {f"project-{n}": project(n) for n in range(400)},
        "events": {f"event-{n}": event(n) for n in range(90)},
    }  # fmt: skip


def build(folder: Path, base_url: str | None = None) -> Path:
    """Build the content below a folder."""
    changed = registries.content(content(), registry={"base_url": base_url})
    return commands.build(
        registries.write(folder / "content", changed), folder / "out", "--as-of", commands.TODAY
    )
