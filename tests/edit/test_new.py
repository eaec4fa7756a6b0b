"""`registry new`: the file it writes, its questions and its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.dialect.folder import COLLECTIONS
from generator.dialect.libyaml import parse
from generator.edit.changes import Change, FileChanged
from generator.edit.forms import workspace
from generator.edit.new import missing_fields
from generator.model.settings.registry import Settings
from generator.model.validate import read_model
from support.commands import Done, files, run_forked, stamps, typed
from support.registries import content, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "content", content())


def test_a_new_record_is_written_in_the_one_layout_and_shown(folder: Path) -> None:
    before = files(folder)
    asked = ("new", "project", "--name", "Åse: Ærø & #1", "--set", "year=2020", "--set",
             "tags.topic=[space]", "--set", "locations=[{country: NO, city: Oslo}]", "--content",
             folder)  # fmt: skip
    assert "+name: " in run_forked(*asked, "--dry-run").out and files(folder) == before
    done = run_forked(*asked)
    text = (
        'name: "Åse: Ærø & #1"\nyear: 2020\ntags:\n  topic: [space]\nlocations:\n'
        '  - country: "NO"\n    city: Oslo\n'
    )
    assert done.status == 0 and files(folder) == before | {
        "projects/ase-aero-1.yaml": text.encode()
    }
    assert "    year: 2020\n" in done.out
    assert run_forked("fmt", "--content", folder, "--check").status == 0
    # A second record of that name gets another slug; a slug given by option stays.
    assert run_forked(*asked, "--duplicate").status == 0
    assert "projects/ase-aero-1-2.yaml" in files(folder)
    again = run_forked(*asked, "--slug", "ase-aero-1")
    assert again.status == 2 and 'the project "ase-aero-1" already exists' in again.err


def test_a_dry_run_checks_what_the_command_checks(folder: Path) -> None:
    (folder / "projects/linked.yaml").symlink_to(next((folder / "projects").glob("*.yaml")).name)
    before = files(folder)
    for options in (("--set", "programs=[nobody]"), ("--set", "website=https://N/A")):
        asked = ("new", "project", "--name", "Acme", *options, "--content", folder)
        dry, real = run_forked(*asked, "--dry-run"), run_forked(*asked)
        assert dry.status == real.status == 1 and files(folder) == before
        assert dry.err == real.err.replace("was written", "would be written")
        assert "error[" in dry.err and f"{folder}/projects/acme.yaml:2:" in dry.err
    fine = run_forked("new", "project", "--name", "Acme", "--content", folder, "--dry-run")
    assert fine.status == 0 and "would be written  projects/acme.yaml" in fine.err
    assert files(folder) == before


@pytest.mark.parametrize(
    ("places", "wanted"),
    [
        (("projects/a/aa", "projects/b/bb", "projects/b/bc"), "projects/n/new.yaml"),
        (("projects/aa/aa", "projects/bb/bb"), "projects/ne/new.yaml"),
        (("projects/x/aa", "projects/y/bb"), "projects/new.yaml"),
    ],
)
def test_a_new_record_is_in_the_folder_of_similar_records(
    tmp_path: Path, places: tuple[str, ...], wanted: str
) -> None:
    folder = write(tmp_path / "content", content(projects={}))
    for place in places:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{place}.yaml").write_text("name: A\n")
    assert run_forked("new", "project", "--name", "New", "--content", folder).status == 0
    assert wanted in files(folder)


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [
        (("project",), 2, "Add --name NAME"),
        (("program", "--name", "P"), 2, "--set type=… (one of accelerator)"),
        (("event", "--name", "E", "--set", "kind=deadline"), 2, "--set due=…"),
        (("project", "--name", "X", "--slug", "No Slug"), 2, 'write "no-slug"'),
        (("project", "--name", "日本"), 2, "no slug can be made from the name"),
        (("project", "--name", "X", "--set", "year"), 2, '"year" is not FIELD=VALUE'),
        (("project", "--name", "X", "--set", "yaer=2020"), 1, 'did you mean "year"?'),
        (("project", "--name", "X", "--set", "programs=[lunch]"), 1, "projects/x.yaml:2:"),
        (("project", "--name", "X", "--set", "year=2020", "--set", "year.x=1"), 2, "have fields"),
    ],
)  # fmt: skip
def test_errors_are_reported_and_nothing_is_written(
    folder: Path, asked: tuple[str, ...], status: int, told: str
) -> None:
    before = stamps(folder).keys(), files(folder)
    done = run_forked("new", *asked, "--content", folder)
    assert done.status == status and told in done.err, done.err
    assert (stamps(folder).keys(), files(folder)) == before


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
    asked = ("new", "project", "--content", folder, "--name", "Own")
    told = run_forked(*asked, "--set", "fields.code=x")
    assert told.status == 2 and told.err.endswith(
        "Add --set fields.stage=… (one of seed), --set fields.funding=…, --set fields.areas=…. "
        "Without a terminal the command asks no questions.\n"
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
    lacking = {need.field for need in missing_fields(settings, collection, {})}
    model = settings.models()[collection]
    assert lacking == {name for name, field in model.model_fields.items() if field.is_required()}


def test_an_interrupt_during_the_check_undoes_the_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before, real = files(folder), workspace.apply
    changes = [Change("projects/odd.yaml", None, b"name: [\n")]
    with monkeypatch.context() as patched:
        patched.setattr(workspace, "check", stopped)
        with pytest.raises(KeyboardInterrupt):
            workspace.apply_checked(str(folder), changes, ["projects/odd.yaml"])
    assert files(folder) == before

    def made_and_stopped(folder: str, changes: list[Change]) -> None:
        """An interrupt while files move is reported after all of them are moved."""
        monkeypatch.setattr(workspace, "apply", real)
        real(folder, changes)
        stopped()

    monkeypatch.setattr(workspace, "apply", made_and_stopped)
    with pytest.raises(KeyboardInterrupt):
        workspace.apply_checked(str(folder), changes, ["projects/odd.yaml"])
    assert files(folder) == before
    (folder / "projects/odd.yaml").write_bytes(b"name: [\n")
    with pytest.raises(FileChanged):
        workspace.apply_checked(str(folder), changes, ["projects/odd.yaml"])
    assert (folder / "projects/odd.yaml").exists()


HERE = {
    "airbnb": "name: Airbnb\nwebsite: https://airbnb.example/\n",
    "acme-inc": "name: Acme, Inc.\n",
    "broken": "name: [Broken\n",
}
WEBSITE = "website=http://www.airbnb.example"


@pytest.mark.parametrize(
    ("asked", "looks"),
    [
        (("Airbnb", "--set", WEBSITE), "airbnb.yaml, which has the same name and website"),
        (("airBNB",), "airbnb.yaml, which has the same name"),
        (("Bed and Breakfast", "--set", WEBSITE), "airbnb.yaml, which has the same website"),
        (("Acme Inc",), "acme-inc.yaml, which has the same name"),
        (("Broken",), "broken.yaml, which has the same name"),
        (("Airbnb", "--slug", "air"), "airbnb.yaml, which has the same name"),
        (("Airbnb", "--set", "website=https://other.example"), ""),
        (("Aircraft",), ""),
    ],
)
def test_a_likely_duplicate_needs_a_confirmation(
    tmp_path: Path, asked: tuple[str, ...], looks: str
) -> None:
    folder = write(tmp_path / "content", content(projects=HERE))
    before = files(folder)
    called = ("new", "project", "--content", folder, "--name", *asked)
    done = run_forked(*called)
    if not looks:
        assert done.status == 0 and len(files(folder)) == len(before) + 1, done.err
        return
    assert done.status == 2 and f"This looks like {folder}/projects/{looks}." in done.err
    assert "If not, add --duplicate" in done.err and files(folder) == before
    shown = run_forked(*called, "--dry-run")
    assert shown.status == 0 and looks in shown.err and "+name: " in shown.out
    # The terminal asks for a summary, a website and a year only with an option.
    refused = typed(b"\n", *called)
    assert refused.status == 2 and "Is the new one different?" in refused.err
    assert "no record was created; edit " in refused.err and files(folder) == before
    if "Broken" not in asked:  # a check of all files reports the other file's error
        assert typed(b"y\n", *called).status == 0
        assert len(files(folder)) == len(before) + 1


def test_demo_days_of_two_years_differ_and_those_of_one_day_are_duplicates(tmp_path: Path) -> None:
    days = {"demo": "name: Demo\nkind: event\nstarts: 2027-01-02\n"}
    folder = write(tmp_path / "content", content(events=days))
    asked = ("new", "event", "--content", folder, "--name", "demo", "--set", "kind=event", "--set")
    done = run_forked(*asked, "starts=2027-01-02 10:00", "--set", "timezone=AoE")
    assert done.status == 2 and "demo.yaml, which has the same name and day" in done.err
    assert run_forked(*asked, "starts=2028-01-02").status == 0
    assert "events/demo-2.yaml" in files(folder)
