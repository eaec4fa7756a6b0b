"""A registry with slugs and tag families that break careless rules, and a build of it.

Slugs equal segments of canonical paths (`page`, `by`, `sort`, `filters`, `slug`) and, in the
calendar, a list (`upcoming`).  Records were renamed, one tag family starts with another's name, one
closed tag has no record, and one value is a property of every JavaScript object.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.grammar.grammar import Grammar
from generator.kinds import built_in
from support import commands, registries

AS_OF = "2026-11-21"
FAMILIES = {"topic": "Topic", "topic_deep": "Deep topic"}
_COMMON: dict[str, Any] = {
    "year": 2024,
    "tags": {"topic": ["space"], "topic_deep": ["heat-pumps"]},
    "locations": [{"country": "US", "region": "CA", "city": "San Francisco"}],
}

CONTENT: registries.Content = {
    "registry": {
        "name": "Awkward Registry",
        "description": "Eleven projects and events, so that lists have a second page of one "
                       "record.",
        "page_size": 10,
        "fields": {"projects": {"shape": {"label": "Shape", "type": "choice", "summary": True}}},
        "tag_families": {
            "topic": {"label": "Topic", "tags": {"space": "Space", "energy": "Energy",
                                                 "unused": "Unused"}},
            "topic_deep": {"label": "Deep topic"},
        },
        "organization_categories": {"university": "University", "fund": "Fund"},
        "program_types": {"accelerator": "Accelerator"},
    },
    "organizations": {
        "renamed-org": {"name": "Renamed organization", "category": "fund",
                        "aliases": ["old-org", "older-org"]},
        **{slug: {**_COMMON, "name": f"Organization {slug}",
                  "category": "university"} for slug in ("org", "filters", "sort")},
    },
    "programs": {
        "renamed-program": {"name": "Renamed program", "kind": "program", "type": "accelerator",
                            "organization": "renamed-org",
                            "aliases": ["old-program"]},
        **{slug: {**_COMMON, "name": f"Program {slug}", "kind": "cohort", "type": "accelerator",
                  "organization": "org"}
           for slug in ("page", "by", "slug", "sort", "filters")},
    },
    "projects": {
        "page": {**_COMMON, "name": "Page", "aliases": ["2"]},
        "filters": {**_COMMON, "name": "Filters", "fields": {"shape": "constructor"}},
        "new-name": {**_COMMON, "name": "Renamed", "programs": ["page"],
                     "aliases": ["old-name", "sort"]},
        **{f"project-{n}": {**_COMMON, "name": f"Project {n}",
                            "programs": ["page", "renamed-program"], "remote": True}
           for n in range(1, 12)},
    },
    "events": {
        "renamed-call": {"name": "Renamed call", "kind": "deadline", "due": "2027-04-01",
                         "program": "renamed-program",
                         "organization": "renamed-org"},
        "upcoming": {"name": "Upcoming", "kind": "event", "starts": "2027-01-05",
                     "aliases": ["was-upcoming"]},
        **{
            f"call-{n}": {"name": f"Call {n}", "kind": "deadline", "due": f"2027-05-{n:02}",
                          "program": "page",
                          "organization": "org"}
            for n in range(1, 12)
        },
    },
}  # fmt: skip


def grammar(prefix: str = "") -> Grammar:
    return Grammar(built_in(), FAMILIES, prefix)


def build(folder: Path, *hosts: str, base_url: str | None = None, site: bool = False) -> Path:
    """The output, in a new folder below `folder`, with the rules of the hosts."""
    records = registries.content(CONTENT, registry={"base_url": base_url})
    content = registries.write(folder / "content", records)
    named = [part for host in hosts for part in ("--host", host)]
    return commands.build(content, folder / "out", "--as-of", AS_OF, *named, site=site)
