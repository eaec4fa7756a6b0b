"""Two small registries that declare kinds: one beside the first four, and one without them.

Each has relations in several directions, a record that nothing refers to, one without any own
value, and a former slug.
"""

from __future__ import annotations

from support.registries import SMALL, Content, content

#: Investors and rounds beside projects and organizations: relations from an own kind to one of the
#: four, back, and between own kinds; one filter with another name than its kind.
INVESTORS: Content = content(
    registry={
        "name": "Investors and rounds",
        "description": "Companies, and who invested in them.",
        "kinds": {
            "investors": {
                "one": "investor",
                "nouns": {"de": ["Geldgeber", "Geldgeber"]},
                "has": ["tags", "locations", "website", "year"],
                "badge": "stage",
                "schema_org": "Organization",
                "fields": {
                    "stage": {"label": "Stage", "type": "choice", "filter": True, "summary": True,
                              "values": {"seed": "Seed", "growth": "Growth", "late": "Late"}},
                    "assets": {"label": "Assets", "type": "money", "currency": "USD",
                               "filter": True, "sort": True, "summary": True},
                    "owner": {"label": "Owner", "type": "record", "of": "organizations",
                              "filter": True, "summary": True, "reverse": "Investment arms"},
                },
            },
            "rounds": {
                "one": "round-of-money",
                "has": [],
                "fields": {
                    "project": {"label": "Project", "type": "record", "of": "projects",
                                "required": True, "filter": True, "summary": True,
                                "reverse": "Rounds", "through": ["location", "status"]},
                    "lead": {"label": "Lead investor", "type": "record", "of": "investors",
                             "filter": "lead", "summary": True, "reverse": "Rounds led"},
                    "investors": {"label": "Investors", "type": "record", "of": "investors",
                                  "many": True, "filter": True, "summary": True,
                                  "reverse": "Rounds"},
                    "amount": {"label": "Amount", "type": "money", "currency": "USD",
                               "filter": True, "sort": True, "summary": True},
                    "day": {"label": "Announced", "type": "date", "filter": True, "sort": True,
                            "summary": True},
                },
            },
        },
        "fields": {
            "projects": {
                "backed_by": {"label": "Backed by", "type": "record", "of": "investors",
                              "many": True, "filter": True, "summary": True,
                              "reverse": "Portfolio", "through": ["stage", "location"]},
            },
        },
    },
    projects={
        **SMALL["projects"],
        "bloom": {**SMALL["projects"]["bloom"],
                  "fields": {"backed_by": ["birch-capital", "quay-ventures"]}},
        "cairn": {**SMALL["projects"]["cairn"], "fields": {"backed_by": ["quay-ventures"]}},
    },
    investors={
        "birch-capital": {"name": "Birch Capital", "stage": "seed", "assets": 2500000,
                          "owner": "harbour-fund", "year": 1998, "tags": {"topic": ["climate"]},
                          "locations": [{"country": "DE", "city": "Berlin"}]},
        "quay-ventures": {"name": "Quay Ventures", "stage": "growth", "assets": 99.5,
                          "aliases": ["quay"],
                          "locations": [{"country": "US", "region": "CA",
                                         "city": "San Francisco"}]},
        "idle-money": {"name": "Idle Money"},
    },
    rounds={
        "bloom-seed": {"name": "Bloom, seed", "project": "bloom", "lead": "birch-capital",
                       "investors": ["birch-capital", "quay-ventures"], "amount": 400000,
                       "day": "2024-03-01"},
        "bloom-a": {"name": "Bloom, series A", "project": "bloom", "lead": "quay-ventures",
                    "investors": ["quay-ventures"], "amount": 5000000, "day": "2026-02-28"},
        "cairn-seed": {"name": "Cairn, seed", "project": "cairn"},
    },
)  # fmt: skip

#: Tools, papers and venues alone: a relation of a kind to itself, and no calendar.
TOOLS: Content = {
    "registry": {
        "name": "Tools and papers",
        "description": "Tools, what they need, and papers about them.",
        "license": "CC0-1.0",
        "without_kinds": ["projects", "programs", "organizations", "events"],
        "tag_families": {"topic": {"label": "Topic"}},
        "kinds": {
            "tools": {
                "one": "tool",
                "has": ["tags", "website", "year"],
                "fields": {
                    "licence": {"label": "Licence", "type": "choice", "filter": True,
                                "summary": True, "values": {"mit": "MIT", "gpl-3-0": "GPL 3.0"}},
                    "stars": {"label": "Stars", "type": "number", "filter": True, "sort": True,
                              "summary": True},
                    "archived": {"label": "Archived", "type": "boolean", "filter": True},
                    "depends_on": {"label": "Depends on", "type": "record", "of": "tools",
                                   "many": True, "filter": "dependency", "reverse": "Needed by"},
                },
            },
            "papers": {
                "one": "paper",
                "has": ["tags"],
                "fields": {
                    "published": {"label": "Published", "type": "date", "filter": True,
                                  "sort": True, "summary": True},
                    "about": {"label": "About", "type": "record", "of": "tools", "many": True,
                              "filter": True, "summary": True, "reverse": "Papers",
                              "through": ["licence", "tag_topic"]},
                    "venue": {"label": "Venue", "type": "record", "of": "venues", "filter": True,
                              "summary": True, "reverse": "Papers here"},
                },
            },
            "venues": {"one": "venue", "has": ["locations"]},
        },
    },
    "tools": {
        "mapper": {"name": "Mapper", "summary": "Draws maps.", "year": 2012, "licence": "mit",
                   "stars": 900, "archived": False, "tags": {"topic": ["maps"]},
                   "depends_on": ["parse-it"], "aliases": ["map-it"],
                   "website": "https://mapper.example"},
        "parse-it": {"name": "Parse It", "licence": "gpl-3-0", "stars": 12, "year": 2001,
                     "tags": {"topic": ["text", "maps"]}},
        "lone-wolf": {"name": "Lone Wolf"},
    },
    "papers": {
        "maps-that-read": {"name": "Maps that read", "published": "2024-05-06",
                           "about": ["mapper", "parse-it"], "venue": "atlas-days",
                           "tags": {"topic": ["maps"]}},
        "on-parsing": {"name": "On parsing", "published": "2019-01-31", "about": ["parse-it"]},
        "untold": {"name": "Untold"},
    },
    "venues": {
        "atlas-days": {"name": "Atlas Days", "locations": [{"country": "KE", "city": "Nairobi"}]},
        "empty-hall": {"name": "Empty Hall"},
    },
}  # fmt: skip
