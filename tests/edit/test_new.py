"""`registry new`: its questions on a terminal.  What it writes and refuses is in
sessions/.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.dialect.libyaml import parse
from generator.edit.new import missing_fields
from generator.model.settings.own_fields import record_model
from generator.model.validate import read_model
from support.commands import Done, files, typed
from support.kinds import COLLECTIONS, Settings
from support.registries import content, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "content", content())


def _asked(kind: str, folder: Path, answers: bytes, *options: str) -> Done:
    """`registry new` on a terminal with this input."""
    return typed(answers, "new", kind, "--content", folder, *options)


def test_on_a_terminal_it_asks_for_required_fields(folder: Path) -> None:
    answers = b"Call\ndeadline\n2027-02-03 17:00\nEurope/Oslo\nLast call.\n\n"
    done = _asked("event", folder, answers)
    assert done.status == 0, done.err
    assert parse((folder / "events/call.yaml").read_bytes()) == {
        "name": "Call", "summary": "Last call.", "kind": "deadline", "due": "2027-02-03 17:00",
        "timezone": "Europe/Oslo",
    }  # fmt: skip


def test_an_invalid_answer_is_asked_for_again(folder: Path) -> None:
    answers = b"Call\ndeadline\nsoon\n2027-02-30\n2027-02-03 17:00\nEurope/Osl\nAoE\n\na b\n\n"
    done = _asked("event", folder, answers)
    assert done.status == 0, done.err
    errors = [one.split("Error: ")[1] for one in done.err.splitlines() if "Error: " in one]
    assert [one.partition(":")[0] for one in errors] == ["due", "due", "timezone", "website"]
    assert parse((folder / "events/call.yaml").read_bytes())["due"] == "2027-02-03 17:00"
    answers = b"Next\nprogram\naccelerator\nnorth-colege\nnorth-college\n\n\n\n"
    done = _asked("program", folder, answers)
    assert done.status == 0, done.err
    assert 'there is no organization "north-colege"; did you mean "north-college"?' in done.err


def test_without_organizations_one_must_be_added_first(tmp_path: Path) -> None:
    folder = write(tmp_path / "content", {"registry": content()["registry"]})
    done = _asked("program", folder, b"Next\nprogram\naccelerator\nnobody\n\x04")
    assert (done.status, files(folder).keys()) == (2, {"registry.yaml"})
    assert '"nobody"; make it first: registry new organization' in done.err


OWN = {
    "stage": {"label": "Stage", "type": "choice", "values": {"seed": "Seed"}, "required": True},
    "funding": {"label": "Funding", "type": "number", "unit": "USD", "required": True},
    "code": {"label": "Code", "type": "text", "required": True},
    "areas": {"label": "Areas", "type": "choice", "many": True, "required": True},
    "note": {"label": "Note", "type": "text"},
}


def test_required_own_fields_are_asked_for(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "content", content(projects={}, registry={"fields": {"projects": OWN}})
    )
    answers = b"none\nseed\n12.5\n1984\nnorth, far-east\n\n\n\n"
    done = _asked("project", folder, answers, "--name", "Own")
    assert done.status == 0, done.err
    assert "Stage (seed): " in done.err and "Funding (USD): " in done.err
    assert parse((folder / "projects/own.yaml").read_bytes())["fields"] == {
        "stage": "seed", "funding": 12.5, "code": "1984", "areas": ["north", "far-east"],
    }  # fmt: skip


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_missing_fields_come_from_the_model(collection: str) -> None:
    settings, *_ = read_model(json.dumps(content()["registry"]).encode(), Settings)
    assert settings is not None
    missing = missing_fields(settings, collection, {})
    lacking = {need.name for need in missing}
    assert {need.label for need in missing} == {name.capitalize() for name in lacking}
    model = record_model(settings.kinds[collection])
    assert lacking == {name for name, field in model.model_fields.items() if field.is_required()}


def test_a_likely_duplicate_needs_a_confirmation(tmp_path: Path) -> None:
    here = {"airbnb": "name: Airbnb\nwebsite: https://airbnb.example/\n"}
    folder = write(tmp_path / "content", content(projects=here))
    before = files(folder)
    # The terminal asks for a summary, a website and a year only with an option.
    refused = typed(b"\n", "new", "project", "--content", folder, "--name", "Airbnb")
    assert refused.status == 2 and "Is the new one different?" in refused.err
    assert "no record was created; edit " in refused.err and files(folder) == before
    done = typed(b"y\n", "new", "project", "--content", folder, "--name", "Airbnb")
    assert done.status == 0 and len(files(folder)) == len(before) + 1
