"""Small registries for tests: a content folder from a dict, and the Registry of a build."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from generator.contract.artifact import BuildInfo, Details, History
from generator.model.tables.table import Registry
from generator.problems.diagnostic import is_error
from generator.published.content.guards import Guard
from generator.published.content.records import read
from generator.published.families.documents import Inputs, documents, render_output
from generator.published.history.provenance import Moment
from generator.published.published import Options, Published
from generator.published.report import Listing

#: collection -> slug -> record, and `registry` -> the fields of registry.yaml.
Content = Mapping[str, Mapping[str, Any]]

AS_OF = date(2026, 11, 21)

#: A minimal registry with every kind, reference and type of value.
SMALL: Content = {
    "registry": {
        "name": "Small Registry",
        "description": "Three projects and what they came from.",
        "license": "CC0-1.0",
        "tag_families": {
            "topic": {"label": "Topic", "tags": {"climate": "Climate", "health": "Health",
                                                 "space": "Space"}},
            "technology": {"label": "Technology"},
        },
        "organization_categories": {"university": "University", "investor": "Investor"},
        "program_types": {"accelerator": "Accelerator"},
    },
    "organizations": {
        "north-college": {"name": "North College", "category": "university",
                          "locations": [{"country": "NO", "city": "Bergen"}]},
        "harbour-fund": {"name": "Harbour Fund", "category": "investor"},
    },
    "programs": {
        "launch": {"name": "Launch", "kind": "program", "type": "accelerator",
                   "organization": "north-college"},
        "launch-2025": {"name": "Launch 2025", "kind": "cohort", "type": "accelerator",
                        "organization": "north-college",
                        "parent": "launch", "year": 2025},
    },
    "projects": {
        "aurora-grid": {"name": "Aurora Grid", "summary": "Heat pumps for fjords.", "year": 2025,
                        "programs": ["launch-2025"],
                        "tags": {"topic": ["climate"], "technology": ["heat-pumps"]},
                        "remote": True},
        "bloom": {"name": "Bloom", "year": 2024, "organizations": ["harbour-fund"],
                  "tags": {"topic": ["health"]},
                  "locations": [{"country": "US", "region": "CA", "city": "San Francisco"}]},
        "cairn": {"name": "Cairn", "status": "inactive", "tags": {"topic": ["climate"]}},
    },
    "events": {
        "launch-2027-applications": {"name": "Launch 2027 applications",
                                     "kind": "application_window", "program": "launch",
                                     "organization": "north-college", "opens": "2026-12-01",
                                     "closes": "2027-01-31 17:00",
                                     "timezone": "Europe/Oslo", "website": "https://launch.example/apply"},
        "launch-2026-day": {"name": "Launch 2026 demo day", "kind": "event", "program": "launch",
                            "starts": "2026-05-30",
                            "ends": "2026-05-31"},
        "harbour-2020": {"name": "Harbour call 2020", "kind": "deadline",
                         "organization": "harbour-fund", "due": "2020-03-01"},
    },
}  # fmt: skip

#: Right-to-left text, double-width characters, and text that looks like a formula.
HOSTILE = "=1+1 \u200fabc 日本語 café"
#: 24 projects, three pages of ten.
PAGED: Mapping[str, Any] = {
    **SMALL["projects"],
    **{f"kite-{n:02}": {"name": f"Kite {n:02}", "year": 2000 + n, "programs": ["launch"],
                        "tags": {"topic": ["space"]}}
       for n in range(20)},
    "hostile": {"name": HOSTILE, "summary": "Two, \"three\"", "founders": ["A", "B"],
                "tags": {"topic": ["climate", "health"]},
                "description": "One.\nTwo.", "aliases": ["once-hostile"]},
}  # fmt: skip


def content(base: Content = SMALL, **changed: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """A copy with other collections and fields of `registry`; None removes a field.

    Nothing of it is shared with another registry, so tests may change it.
    """
    made = {name: copy.deepcopy(dict(part)) for name, part in base.items()}
    for name, part in copy.deepcopy(changed).items():
        made[name] = (
            {k: v for k, v in {**made.get(name, {}), **part}.items() if v is not None}
            if name == "registry"
            else dict(part)
        )
    return made


def api_alone(registry: Mapping[str, Any] | None = None, **changed: Any) -> Any:
    """The same without the site: what holds for files holds for all, and the site has hundreds."""
    return content(registry={"site": False, **(registry or {})}, **changed)


def write(folder: Path, records: Content = SMALL) -> Path:
    """A content folder with a file for each record; a record given as text becomes the file
    unchanged.
    """
    for collection, members in records.items():
        files = (
            {"registry.yaml": members}
            if collection == "registry"
            else {f"{collection}/{s}.yaml": r for s, r in members.items()}
        )
        for path, fields in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                fields if isinstance(fields, str) else as_yaml(fields), "utf-8", newline=""
            )
    return folder


API = api_alone()


def as_yaml(fields: Any) -> str:
    """JSON is YAML, except for characters that YAML rejects or treats as line breaks."""
    text = json.dumps(fields, ensure_ascii=False, indent=1)
    return (
        re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda found: f"\\u{ord(found[0]):04x}", text)
        + "\n"
    )


def published(folder: Path, content: Content = SMALL, **options: Any) -> Published:
    """The files of a registry, which are made when they are read."""
    records = read(str(write(folder / "content", content)), Moment.of_day(AS_OF))
    return Published(records, Options(**options))


def registry(folder: Path, content: Content = SMALL, as_of: date = AS_OF) -> Registry:
    """The Registry of the records.  Fails with the problems of the content."""
    records = read(str(write(folder, content)), Moment.of_day(as_of))
    problems = records.check(Guard(loss="allow"))[1]
    assert not any(map(is_error, problems)), "\n".join(map(str, problems))
    return Published(records).registry


class _Registry:
    """What documents need of a registry, without its files."""

    def __init__(self, registry: Registry, functions: bool, size: int):
        self.registry, self.functions, self._size = registry, functions, size
        self.settings, self.symbols = registry.settings, registry.symbols
        self.tables = registry.tables
        self.history, self.listing = (History("none"), Details()), Listing()
        self.records = self.linked = self
        self.moment, self.removed, self.past = Moment.of_day(registry.as_of), {}, None

    def info(self) -> BuildInfo:
        return BuildInfo("2026-11-21T00:00:00Z", self.registry.as_of, None, "sha256:0")

    def get(self, address: str) -> bytes:
        return bytes(self._size)


def rendered(
    name: str, registry: Registry, functions: bool = False, size: int = 9_900
) -> dict[str, bytes]:
    """path -> bytes of everything that an output renders, if all other files have this size.  Fails
    if two artifacts share a path.  The output of a feature is named like `features.identifiers`.
    """
    given = Inputs(_Registry(registry, functions, size))  # type: ignore[arg-type]
    wanted = name if "." in name else f"outputs.{name}"
    output = next(each for each in documents(()) if each.name == wanted)
    artifacts = list(render_output(output, given))
    made = {artifact.path: artifact.data for artifact in artifacts}
    assert len(made) == len(artifacts)
    return made
