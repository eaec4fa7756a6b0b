"""A small registry with own fields of every type, on records of every kind."""

from __future__ import annotations

from typing import Any

from support.registries import Content, content

#: The declarations of registry.yaml.
FIELDS: dict[str, dict[str, dict[str, Any]]] = {
    "projects": {
        "funding": {"label": "Total funding", "type": "number", "unit": "USD", "summary": True,
                    "filter": True, "sort": True},
        "margin": {"label": "Margin", "type": "number", "filter": True},
        "stage": {"label": "Stage", "type": "choice", "summary": True, "filter": True,
                  "required": True, "values": {"seed": "Seed round", "series-a": "Series A",
                                               "series-b": "Series B"}},
        "roles": {"label": "Open roles", "type": "choice", "many": True, "filter": True},
        "hiring": {"label": "Hiring now", "type": "boolean", "filter": True, "summary": True},
        "incorporated": {"label": "Incorporated", "type": "date", "filter": True, "sort": True},
        "deck": {"label": "Deck", "type": "url"},
        "mirrors": {"label": "Mirrors", "type": "url", "many": True},
        "motto": {"label": "Motto", "type": "text"},
        "phrases": {"label": "Phrases", "type": "text", "many": True, "summary": True},
    },
    "programs": {"equity": {"label": "Equity", "type": "number", "unit": "%", "sort": True}},
    "events": {"online": {"label": "Online", "type": "boolean", "filter": True, "summary": True}},
}  # fmt: skip

OWN: Content = content(
    registry={"fields": FIELDS},
    programs={
        "launch": {"name": "Launch", "kind": "program", "type": "accelerator",
                   "organization": "north-college", "fields": {"equity": 6.5}},
    },
    events={
        "launch-2026-day": {"name": "Launch 2026 demo day", "kind": "event", "program": "launch",
                            "starts": "2026-05-30", "fields": {"online": True}},
    },
    projects={
        "acme": {"name": "Acme", "year": 2020, "team_size": 12, "programs": ["launch"], "fields": {
            "funding": 1250000, "margin": -0.25, "stage": "series-a",
            "roles": ["engineer", "founder"], "hiring": True, "incorporated": "2020-02-29",
            "deck": "https://acme.example/deck",
            "mirrors": ["https://a.example", "https://b.example"], "motto": "Do it",
            "phrases": ["One", "Two"]}},
        "bare": {"name": "Bare", "fields": {"stage": "seed"}},
        "cairn": {"name": "Cairn", "year": 2024, "fields": {
            "stage": "seed", "funding": 0.5, "margin": 3, "hiring": False, "roles": ["engineer"],
            "incorporated": "1999-12-31"}},
    },
)  # fmt: skip
