"""The schema.lock.json of a registry: what of its kinds readers rely on."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from generator.kinds import Kinds, built_in
from generator.kinds.promised import broken_promises, promised, read_promises
from generator.published.check import check
from support.commands import run_forked
from support.registries import content, write

BACKED = {"type": "record", "of": "investors", "many": True, "filter": True, "through": ["stage"]}
MONTHS = ("2026-05", "2026-06")
KINDS: dict[str, Any] = {
    "investors": {
        "one": "investor",
        "has": ["tags"],
        "fields": {
            "stage": {"label": "Stage", "type": "choice", "filter": True},
            "assets": {"label": "Assets", "type": "money", "currency": "USD", "filter": True},
        },
    },
    "funds": {"one": "fund", "retired": "2026-05"},
}


def kinds(change: Callable[[Any, Any, list[str]], object] = lambda *_: None) -> Kinds:
    """The kinds of the registry after a change of own kinds, of the fields of projects, and of
    those that are left out.
    """
    own, fields, left_out = json.loads(json.dumps(KINDS)), {"backed_by": {**BACKED}}, list[str]()
    change(own, fields, left_out)
    return built_in().having({"projects": fields}, own, left_out)


def lost(change: Callable[[Any, Any, list[str]], object], month: str = "2026-05") -> list[str]:
    before = read_promises(json.loads(json.dumps({"kinds": promised(kinds())})))
    assert before is not None
    found = broken_promises(before, kinds(change), month)
    return [f"{'.'.join(map(str, of.loc))}: {of.message}" for of in found]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda k, f, o: o.append("events"), ["without_kinds: the kind events is gone"]),
        (lambda k, f, o: k.pop("funds"), ["kinds: the kind funds is gone"]),
        (lambda k, f, o: k["investors"].update(one="backer"), [
            "fields.projects.backed_by.filter: the filter investor of projects is gone",
            "kinds.investors.one: a record was called investor and is now called backer",
        ]),
        (lambda k, f, o: k["investors"].update(has=["website"]),
            ["kinds.investors.has: investors no longer have tags"]),
        (lambda k, f, o: k["investors"]["fields"].pop("assets"),
            ["kinds.investors.fields: the field assets of investors is gone"]),
        (lambda k, f, o: f.clear(), ["fields.projects: the field backed_by of projects is gone"]),
        (lambda k, f, o: k["investors"]["fields"]["assets"].update(currency="EUR"),
            ["kinds.investors.fields.assets.currency: assets of investors was in USD and is now in "
             "EUR"]),
        (lambda k, f, o: k["investors"]["fields"]["assets"].update(type="number"), [
            "kinds.investors.fields.assets.type: assets of investors was of type money "
            "and is now of type number"
        ]),
        (lambda k, f, o: f["backed_by"].update(of="funds", through=[]), [
            "fields.projects.backed_by.of: backed_by of projects referred to investors and now "
            "refers to funds",
            "fields.projects.backed_by.filter: the filter investor of projects is gone",
        ]),
        (lambda k, f, o: f["backed_by"].update(many=False),
            ["fields.projects.backed_by.many: backed_by of projects has a single value now"]),
        (lambda k, f, o: f["backed_by"].update(through=[]),
            ["fields.projects.backed_by.through: the filter investor_stage of projects is gone"]),
        (lambda k, f, o: k["investors"]["fields"]["stage"].update(filter=False),
            ["kinds.investors.fields.stage.filter: the filter stage of investors is gone"]),
    ],
)  # fmt: skip
def test_what_readers_lose_is_named_with_its_place(change: Any, said: list[str]) -> None:
    assert sorted(lost(change)) == sorted(said)


def test_a_relation_goes_with_the_kind_that_it_refers_to() -> None:
    def change(own: Any, fields: Any, left_out: Any) -> None:
        own["backers"] = own.pop("investors")
        fields["backed_by"]["of"] = "backers"

    assert lost(change) == ["kinds: the kind investors is gone"]


def test_growth_labels_and_orders_break_nothing() -> None:
    def change(own: Any, fields: Any, left_out: Any) -> None:
        own["investors"]["fields"]["stage"]["label"] = "Stages"
        own["investors"]["fields"] = dict(reversed(own["investors"]["fields"].items()))
        own["investors"]["fields"]["more"] = {"label": "More", "type": "text"}
        own["prizes"] = {"one": "prize"}
        fields["rank"] = {"label": "Rank", "type": "number"}

    assert lost(change) == []


def test_what_was_announced_may_go_after_its_month() -> None:
    def change(own: Any, fields: Any, left_out: Any) -> None:
        del own["funds"]

    assert lost(change, "2026-05") and not lost(change, "2026-06")


def test_filters_through_a_relation_go_with_the_field_that_they_are_of() -> None:
    announced = json.loads(json.dumps(promised(kinds())))
    announced["investors"]["fields"]["stage"]["retired"] = "2026-05"

    def change(own: Any, fields: Any, left_out: Any) -> None:
        del own["investors"]["fields"]["stage"]
        fields["backed_by"]["through"] = []

    found = [[*broken_promises(announced, kinds(change), month)] for month in MONTHS]
    assert [len(of) for of in found] == [2, 0]


REGISTRY = """\
name: R
description: Of investors.
kinds:
  investors:
    one: investor
    fields:
      stage: {label: Stage, type: text}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write(tmp_path / "content", content())
    (folder / "registry.yaml").write_text(REGISTRY, "utf-8")
    return folder


def codes_of(folder: Path, day: date = date(2026, 11, 21)) -> list[str]:
    return [problem.code for problem in check(str(folder), day).problems]


def test_a_break_is_an_error_until_it_is_taken_on_purpose(folder: Path) -> None:
    registry = folder / "registry.yaml"
    assert "breaks-readers" not in codes_of(folder)
    done = run_forked("schema", "--write", "--content", folder)
    assert done.status == 0 and "written  schema.lock.json" in done.out, done.err
    registry.write_text(REGISTRY.replace("stage", "round"), "utf-8")
    assert codes_of(folder).count("breaks-readers") == 1
    assert run_forked("schema", "--write", "--content", folder).status == 0
    assert "breaks-readers" not in codes_of(folder)


def test_a_field_is_removed_after_its_last_month(folder: Path) -> None:
    registry = folder / "registry.yaml"
    registry.write_text(REGISTRY.replace("type: text", "type: text, retired: 2026-10"), "utf-8")
    assert run_forked("schema", "--write", "--content", folder).status == 0
    assert "may-be-removed" not in codes_of(folder, date(2026, 10, 31))
    assert codes_of(folder, date(2026, 11, 1)).count("may-be-removed") == 1
    registry.write_text(REGISTRY.partition("    fields")[0], "utf-8")
    assert "breaks-readers" in codes_of(folder, date(2026, 10, 31))
    assert "breaks-readers" not in codes_of(folder, date(2026, 11, 1))


@pytest.mark.parametrize("text", ["{", "[]", '{"kinds": {"a": {"fields": []}}}', "<<<<<<< HEAD"])
def test_a_spoilt_lock_is_an_error(folder: Path, text: str) -> None:
    (folder / "schema.lock.json").write_text(text, "utf-8")
    assert codes_of(folder).count("unreadable-file") == 1


def test_a_registry_without_declarations_needs_no_lock(folder: Path) -> None:
    (folder / "registry.yaml").write_text(REGISTRY.partition("kinds")[0], "utf-8")
    done = run_forked("schema", "--write", "--content", folder)
    assert done.status == 2 and "nothing to note" in done.err
