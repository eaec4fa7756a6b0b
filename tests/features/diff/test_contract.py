"""For each rule of the contract, a change that breaks only it, and its fingerprint."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from generator.features.diff import contract, records
from generator.features.diff.contract import rules, tiers
from generator.features.diff.interface import _is_related
from generator.grammar.grammar import Grammar
from generator.guard.finding import Finding
from generator.guard.limits import tripped_guards
from generator.kinds import built_in
from support.contract_pairs import (
    BASE,
    BEFORE,
    FILTERS,
    GUARD_PAIRS,
    INDEX,
    MANIFEST,
    OPENAPI,
    PAIRS,
    PROJECTS,
    TOOLS,
    Files,
    at,
    changed,
    investors,
    state,
)  # fmt: skip
from support.kinds import Guards
from support.lanes import fast_first

#: Rule -> the fingerprint of its pair's change.
FINGERPRINTS = Path(__file__).with_name("fingerprints.txt")
#: What is said of each pair's change; written anew by `pytest tests/features/diff --regenerate`.
FINDINGS = Path(__file__).with_name("findings.txt")


def findings(old: Files, new: Files, *, released: bool = True) -> list[Finding]:
    a, b = state(old), state(new)
    changes = {
        name: records.compare(a, b, of) for name, of in Grammar(built_in()).collections.items()
    }
    return contract.findings(a, b, changes, released=released)


def test_every_rule_has_a_pair() -> None:
    contract = [name for tier in tiers()[1:] for name in tier.rules]
    assert {pair.partition(" ")[0] for pair in PAIRS} == {*contract} <= PAIRS.keys()
    assert len(contract) + len(tiers()[0].rules) == len(rules()), "each in one tier"


def test_an_unchanged_state_breaks_nothing() -> None:
    assert findings(BASE, BASE) == []


@pytest.mark.parametrize("pair", PAIRS)
def test_a_rule_is_broken_alone_and_its_places_exist(pair: str) -> None:
    after = changed(pair)
    (one,) = findings(BASE, after)
    assert one.rule == pair.partition(" ")[0] and one.subject and one.words
    assert one.old.path in BASE
    assert one.new.path.startswith("/") and re.fullmatch(r"(/.*)?", one.new.pointer)
    for files, place in ((BASE, one.old), (after, one.new)):
        assert _there(files, place.path, place.pointer) is place.there, place


def _there(files: Files, path: str, pointer: str) -> bool:
    value: Any = files.get(path)
    for key in pointer.split("/")[1:]:
        key = key.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict) and key in value:
            value = value[key]
        else:
            return False
    return isinstance(value, dict) if not pointer and path.endswith(".json") else path in files


def test_an_approval_holds_in_the_next_version() -> None:
    """Fingerprints in a registry's approvals.yaml stay valid in every version."""
    now = {rule: findings(BASE, changed(rule))[0].fingerprint for rule in PAIRS if rule in rules()}
    for rule, (settings, after) in GUARD_PAIRS.items():
        now[rule] = tripped_guards(Guards(**settings), BEFORE, after)[0].fingerprint
    assert len(set(now.values())) == len(now)
    assert now == dict(map(str.split, FINGERPRINTS.read_text("utf-8").splitlines()))


def test_findings_say_what_they_said(regenerate: bool) -> None:
    """Rule, subject, words and places of each pair, and of each guard."""
    every = [findings(BASE, changed(rule))[0] for rule in PAIRS]
    for settings, after in GUARD_PAIRS.values():
        every += tripped_guards(Guards(**settings), BEFORE, after)
    lines = [
        f"{one.rule} | {one.subject} | {one.words} | {one.old.path}#{one.old.pointer} | "
        f"{one.new.path}#{one.new.pointer} | {one.was!r} | {one.now!r}"
        for one in every
    ]
    text = "\n".join(lines) + "\n"
    if regenerate:
        FINDINGS.write_text(text, "utf-8")
    assert text == FINDINGS.read_text("utf-8")


def test_a_fingerprint_ignores_other_changes_and_positions() -> None:
    (alone,) = findings(BASE, changed("parameter-narrowed (most)"))
    after = changed("parameter-narrowed (most)")
    after[OPENAPI]["paths"][PROJECTS]["get"]["parameters"].insert(
        0, {"name": "new", "in": "query", "required": False, "schema": {"type": "string"}}
    )
    after[INDEX]["data"]["license"] = "MIT"
    with_others = {one.rule: one.fingerprint for one in findings(BASE, after)}
    assert with_others["parameter-narrowed"] == alone.fingerprint


def test_another_change_of_the_same_thing_has_another_fingerprint() -> None:
    prints = set()
    for size in (10, 20, 30):
        after = copy.deepcopy(BASE)
        at(MANIFEST, "size", to=size)(after)
        prints.add(findings(BASE, after)[0].fingerprint)
    assert len(prints) == 3


def test_growth_breaks_nothing() -> None:
    after = copy.deepcopy(BASE)
    api = after[OPENAPI]
    api["components"]["schemas"]["Project"]["properties"]["more"] = {"type": "string"}
    api["paths"]["/api/more.json"] = api["paths"][FILTERS]
    api["components"]["schemas"]["projects.tag_topic"]["enum"].append("space")
    after[INDEX]["data"]["surfaces"].append({"name": "more", "href": "/m", "template": None})
    after[TOOLS]["data"]["tools"][0]["input"]["properties"]["extra"] = {"type": "string"}
    after[f"{PROJECTS}/page/1.json"]["data"].append({"slug": "cog"})
    after[f"{PROJECTS}/slug/cog.json"] = {"kind": "project", "data": {"slug": "cog"}}
    assert findings(BASE, after) == []


def test_labels_and_new_fields_of_own_kinds_break_nothing() -> None:
    after = copy.deepcopy(BASE)
    for keys, value in (
        (("fields", "assets", "label"), "Under management"),
        (("fields", "more"), {"type": "text", "label": "More"}),
    ):
        investors(*keys, to=value)(after)
        assert findings(BASE, after) == []


@pytest.mark.parametrize("keys", [(), ("fields", "assets")])
def test_what_was_announced_is_gone_without_a_finding_after_its_month(keys: Any) -> None:
    for retired, broken in (("2026-10", False), ("2026-11", True)):
        before, after = copy.deepcopy(BASE), copy.deepcopy(BASE)
        investors(*keys, "retired", to=retired)(before)
        investors(*keys)(after)
        assert bool(findings(before, after)) is broken


def test_what_goes_with_a_kind_is_no_finding_of_its_own() -> None:
    """Its addresses and values of parameters, and the number of its records that others have."""
    before = copy.deepcopy(BASE)
    api, schemas = before[OPENAPI]["paths"], before[OPENAPI]["components"]["schemas"]
    api["/api/investors"] = api["/api/investors/page/{page}.json"] = api[FILTERS]
    at(OPENAPI, "paths", PROJECTS, "get", "parameters", 5, "schema", "items", "enum",
       to=["status", "investors"])(before)  # fmt: skip
    schemas["Project"]["properties"]["investors"] = {"type": "integer"}
    after = copy.deepcopy(before)
    investors()(after)
    for path in ("/api/investors", "/api/investors/page/{page}.json"):
        at(OPENAPI, "paths", path)(after)
    at(OPENAPI, "paths", PROJECTS, "get", "parameters", 5, "schema", "items", "enum",
       to=["status"])(after)  # fmt: skip
    at(OPENAPI, "components", "schemas", "Project", "properties", "investors")(after)
    assert [finding.rule for finding in findings(before, after)] == ["kind-gone"]


def test_a_default_that_is_no_longer_named_breaks_nothing() -> None:
    after = copy.deepcopy(BASE)
    del after[OPENAPI]["paths"][PROJECTS]["get"]["parameters"][1]["schema"]["default"]
    assert findings(BASE, after) == []


def test_a_parameter_may_say_that_it_is_never_empty() -> None:
    def rules(least: int) -> list[str]:
        after = copy.deepcopy(BASE)
        after[OPENAPI]["paths"][PROJECTS]["get"]["parameters"][1]["schema"]["minLength"] = least
        return [one.rule for one in findings(BASE, after)]

    assert (rules(1), rules(2)) == ([], ["parameter-narrowed"])


def test_a_removal_in_removed_yaml_breaks_nothing() -> None:
    after = changed("record-gone")
    after["/api/removed.json"] = {"data": [{"collection": "projects", "slug": "bolt"}]}
    assert findings(BASE, after) == []


def test_a_rename_with_an_alias_breaks_nothing() -> None:
    after = copy.deepcopy(BASE)
    after[f"{PROJECTS}/page/1.json"]["data"] = [{"slug": "acme-2"}, {"slug": "bolt"}]
    record = after.pop(f"{PROJECTS}/slug/acme.json")
    record["data"] |= {"slug": "acme-2", "aliases": ["acme-inc", "acme"]}
    after[f"{PROJECTS}/slug/acme-2.json"] = record
    after[f"{PROJECTS}/slug/acme.json"] = {"kind": "moved", "data": {"replaced_by": "acme-2"}}
    assert findings(BASE, after) == []


def test_a_state_that_was_never_published_may_be_younger() -> None:
    assert findings(BASE, changed("published-back"), released=False) == []


HOSTILE: list[Any] = [
    {"data": {"tools": 1}},
    {"paths": {"/api/projects": []}},
    [],
    None,
    "",
    0,
    {"data": []},
    *(
        {"components": {"schemas": {"Project": schema}}, "paths": BASE[OPENAPI]["paths"]}
        for schema in ([1], {"$ref": "#/components/schemas/Project"}, {"enum": [[]]})
    ),
]


@pytest.mark.parametrize("path", BASE)
@pytest.mark.parametrize("value", fast_first(3, HOSTILE))
def test_any_document_of_a_host_is_compared(path: str, value: Any) -> None:
    broken = {**BASE, path: value}
    for old, new in ((BASE, broken), (broken, BASE), (broken, broken)):
        assert isinstance(findings(old, new), list)


def test_of_own_fields_only_relations_have_labels_that_may_change() -> None:
    """The label of a record changes with its name, that of a choice by a decision."""
    own = {
        "stage": {"label": "Stage", "type": "choice", "values": {"x": "X"}, "filter": True},
        "led_by": {"label": "Led by", "type": "record", "of": "organizations", "filter": True},
    }
    projects = Grammar(built_in().having({"projects": own})).collections["projects"]
    found = {name for name in projects.filters if _is_related(projects, name)}
    assert "field_stage" in projects.filters and found == {"organization", "organization_category"}
