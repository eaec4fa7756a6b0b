"""Renames, merges and removals reach every relation, wherever and however a file writes it."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.dialect.libyaml import parse
from generator.dialect.values import flow, yaml_field_lines
from generator.edit.changes import Plan
from generator.edit.layout import plan_formatting
from generator.edit.remove import remove
from generator.edit.rename import merge, rename
from support.own_kinds import INVESTORS
from support.registries import write

pytestmark = pytest.mark.slow

SLUGS = ["birch-capital", "quay-ventures", "idle-money"]
ONE = st.sampled_from(SLUGS)
SEVERAL = st.lists(ONE, min_size=1, max_size=3, unique=True)
ROUND = st.fixed_dictionaries(
    {"name": st.just("A round"), "project": st.just("bloom")},
    optional={"lead": ONE, "investors": SEVERAL, "amount": st.integers(1, 9)},
)
PROJECT = st.fixed_dictionaries(
    {"name": st.just("Dune")},
    optional={
        "fields": st.fixed_dictionaries({}, optional={"backed_by": SEVERAL, "scout": ONE}),
        "year": st.just(2020),
    },
)
SETTINGS: Any = {
    "registry": {
        **INVESTORS["registry"],
        "fields": {
            "projects": {
                **INVESTORS["registry"]["fields"]["projects"],
                "scout": {"label": "Scout", "type": "record", "of": "investors"},
            }
        },
    }
}


def text_of(fields: dict[str, Any], *, in_flow: bool) -> bytes:
    """A record whose values are in flow style, or in block style as commands write them."""
    if in_flow:
        return "".join(f"{name}: {flow(value)}\n" for name, value in fields.items()).encode()
    lines = [line for name, value in fields.items() for line in yaml_field_lines(name, value)]
    return "".join(f"{line} # note {i}\n" for i, line in enumerate(lines)).encode()


def carried_out(plan: Plan, folder: Path) -> dict[str, Any]:
    """The data of the two records after a plan."""
    assert plan.skipped == []
    changed = {change.path: change.after for change in plan.changes}
    paths = "rounds/a-round.yaml", "projects/dune.yaml"
    return {path: parse(changed.get(path) or (folder / path).read_bytes()) for path in paths}


def followed(value: Any, old: str, new: str | None) -> Any:
    """The data with references to `old` changed, without those that would be there twice, and
    without what is left empty.
    """
    if isinstance(value, list):
        kept = [
            new if item == old else item for item in value if not (item == old and new in value)
        ]
        return [item for item in kept if item is not None]
    if isinstance(value, dict):
        changed = {key: followed(item, old, new) for key, item in value.items()}
        return {key: item for key, item in changed.items() if item not in (None, [], {})}
    return new if value == old else value


@given(ROUND, PROJECT, ONE, ONE, st.booleans())
def test_relations_follow_their_records(
    round_: dict[str, Any], project: dict[str, Any], old: str, other: str, in_flow: bool
) -> None:
    if not project.get("fields", True):
        del project["fields"]
    with tempfile.TemporaryDirectory() as root:
        bare = {**INVESTORS, **SETTINGS, "rounds": {}, "projects": {"bloom": {"name": "Bloom"}}}
        folder = write(Path(root, "content"), bare)
        records = {"rounds/a-round.yaml": round_, "projects/dune.yaml": project}
        for path, fields in records.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(text_of(fields, in_flow=in_flow))

        renamed = rename(str(folder), "investors", old, "new-name")
        assert carried_out(renamed, folder) == followed(records, old, "new-name")
        if other != old:
            merged = merge(str(folder), "investors", old=old, into=other, choose=lambda _: [])
            assert carried_out(merged.plan, folder) == followed(records, old, other)
        removed = remove(str(folder), "investors", old, date(2026, 11, 21), unlink=True)
        assert carried_out(removed, folder) == followed(records, old, None)
        formatted = carried_out(plan_formatting(str(folder)), folder)
        assert formatted == records
        assert [*formatted["rounds/a-round.yaml"]] == [
            name for name in ("name", "project", "lead", "investors", "amount") if name in round_
        ]
