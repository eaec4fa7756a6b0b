"""Registries that leave out some of the first four kinds: each of the 14 selections, with a kind of
their own beside the rest, is built with its site, verified, queried and read by agents; nothing in
it is about what is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from generator.reader.client import Client
from support import registries
from support.commands import TODAY, build, run_forked
from support.registries import SMALL
from support.talk import answer, every

FOUR = ("projects", "programs", "organizations", "events")
#: Key of a record -> the collection that it refers to.
REFERS = {"programs": "programs", "program": "programs", "organizations": "organizations",
          "organization": "organizations"}  # fmt: skip
SELECTIONS = [gone for size in (1, 2, 3) for gone in combinations(FOUR, size)]
#: What is about a kind, and its parts.
WORDS = {
    "projects": "projects?",
    "programs": "programs?|cohorts?|accelerators?",
    "organizations": "organi[sz]ations?",
    "events": "events?|calendars?",
}


def left_out(gone: Sequence[str]) -> registries.Content:
    """The small registry without some kinds, with a paper about the first record that is left."""
    rest = [name for name in FOUR if name not in gone]
    records = {
        name: {
            slug: {k: v for k, v in fields.items() if REFERS.get(k) not in gone}
            for slug, fields in SMALL[name].items()
        }
        for name in rest
    }
    about = {"label": "About", "type": "record", "of": rest[0], "filter": True, "summary": True,
             "reverse": "Notes"}  # fmt: skip
    settings = {"organization_categories": "organizations", "program_types": "programs"}
    return {
        **records,
        "registry": {
            **{key: v for key, v in SMALL["registry"].items() if settings.get(key) not in gone},
            "description": "Records and papers about them.",
            "kinds": {"papers": {"one": "paper", "fields": {"about": about}}},
            "without_kinds": [*gone],
        },
        "papers": {"first": {"name": "First", "about": next(iter(SMALL[rest[0]]))}},
    }


@pytest.mark.slow
@pytest.mark.parametrize("gone", SELECTIONS, ids="-".join)
def test_nothing_is_about_what_is_left_out(gone: Sequence[str], tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", left_out(gone))
    checked = run_forked("check", "--content", content)
    assert checked.out.endswith("records, no problem.\n"), checked
    out = build(content, tmp_path / "out", "--as-of", TODAY, site=True)
    assert run_forked("verify", out).status == 0

    for name in gone:
        assert not (out / "api" / name).exists() and not (out / name).exists()
        assert not (out / "api" / "index" / name).exists()
    assert (
        (out / "api" / "calendar").exists() == (out / "calendar").exists() == ("events" not in gone)
    )
    assert bool([*out.rglob("*.ics")]) == ("events" not in gone)

    kinds = [name for name in (*FOUR, "papers") if name not in gone]
    for path in ("index", "dashboard", "coverage", "build"):
        document = json.loads((out / "api" / f"{path}.json").read_bytes())
        of = {"index": "kinds", "build": "counts"}.get(path)
        told = document[of] if of else document["data"]
        assert [*(told["counts"] if path == "dashboard" else told)] == kinds, path
    about = re.compile(rf"\b({'|'.join(WORDS[name] for name in gone)})\b", re.IGNORECASE)
    for path in ("skill.md", "llms.txt", "api/v1/agent/tools.json", "api/openapi-queries.json",
                 "api/v1/agent/context/overview.md", "robots.txt",
                 ".well-known/api-catalog", "api/coverage.json"):  # fmt: skip
        found = [*about.finditer((out / path).read_text("utf-8"))]
        shown = [m.string[max(0, m.start() - 60) : m.end() + 40] for m in found]
        assert not shown, f"{path}: {shown[:5]}"

    client = Client.open(str(out))
    catalog: Any = answer(client, "dataset_catalog")
    assert [*catalog["data"]] == kinds
    for name in kinds:
        assert answer(client, "count_records", {"collection": name})["total_items"] >= 1
        assert [*every(client, "search_records", {"collection": name, "q": "l"})]
    asked = {"collection": "papers", "filters": {[*catalog["data"]["papers"]["filters"]][-1]: "x"}}
    asked["filters"] = dict.fromkeys(asked["filters"], next(iter(SMALL[kinds[0]])))
    assert answer(client, "count_records", asked)["total_items"] == 1
