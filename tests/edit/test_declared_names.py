"""`registry rename --kind` and `--field`: what registry.yaml declares, with all that names it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from generator.problems.diagnostic import is_error
from generator.published.check import check
from support.commands import files, run_forked

REGISTRY = """\
# A registry of money.
name: Investors
description: Who pays whom.
tag_families: {topic: {label: Topic}}
kinds:
  investors: # those who pay
    one: investor
    has: [tags, website, locations, year]
    badge: stage  # shown
    fields:
      stage: {label: Stage, type: choice, values: {seed: Seed}, filter: true, summary: true}
      assets: {label: Assets, type: number, sort: true}
      parent_fund: {label: Part of, type: record, of: investors, filter: parent_fund}
  rounds:
    one: round-of-money
    fields:
      lead: {label: "Lead", type: record, of: investors, filter: lead, through: [stage, tag_topic]}
      backers:
        label: Backers
        type: record
        of: investors   # them, too
        many: true
        filter: true
      before: {label: Before, type: record, of: rounds, filter: before, through: [investor]}
fields:
  projects:
    motto: {label: Motto, type: choice, values: {go: Go}, filter: true}
    backed_by: {label: Backed by, type: record, of: investors, filter: true, through: [stage]}
  events:
    host: {label: Host, type: record, of: investors, filter: true}
nouns:
  investors: {one: Investor, many: Investors}
labels:
  investors: {year: Since}
guards:
  least: {investors: 1}
  tags: {investors: {topic: {money: {least: 0}}}}
feeds: [investor]
site: {lead: investors}
landscape: {of: investors, size: assets}
compare: {of: investors}
"""
FILES = {
    "registry.yaml": REGISTRY,
    "removed.yaml": "removed:\n  - {kind: investor, slug: gone, date: 2026-01-31}\n"
    "  - {kind: project, slug: past, date: 2026-01-31}\n",
    "investors/acme.yaml": "# ours\nname: Acme\nstage: seed # first\ntags: {topic: [money]}\n",
    "investors/north/bolt.yaml": "{name: Bolt, stage: seed, parent_fund: acme, assets: 3}\n",
    "investors/README.md": "Those who pay.\n",
    "rounds/first.yaml": "name: First\nlead: acme\nbackers: [acme, bolt]\n",
    "projects/cog.yaml": "name: Cog\nfields:\n  motto: go\n  # since 2020\n  backed_by: acme\n",
    "projects/dot.yaml": "name: Dot\nsummary: motto\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert not errors(folder)
    return folder


def errors(folder: Path) -> list[str]:
    problems = check(str(folder), date(2026, 11, 21)).problems
    return [f"{problem.code} {problem.message}" for problem in filter(is_error, problems)]


def rename(folder: Path, *arguments: str) -> Any:
    return run_forked("rename", *arguments, "--content", folder)


def changed_lines(folder: Path) -> dict[str, str]:
    """Line of registry.yaml -> the line that replaced it."""
    lines = (folder / "registry.yaml").read_text("utf-8").splitlines()
    pairs = zip(REGISTRY.splitlines(), lines, strict=True)
    return {old.strip(): new.strip() for old, new in pairs if old != new}


def test_a_kind_is_renamed_with_its_folder_and_all_that_names_it(folder: Path) -> None:
    done = rename(folder, "--kind", "investors", "funders")
    assert done.status == 0, done.err
    assert "investors are funders; 4 files written, 3 removed." in done.out
    assert (
        "  what is below /api/investors and /investors/\n  the kind investors is gone\n" in done.err
    )
    now = files(folder)
    for name in ("acme.yaml", "north/bolt.yaml", "README.md"):
        assert now[f"funders/{name}"].decode() == FILES[f"investors/{name}"]
    assert not (folder / "investors").exists()
    assert now["removed.yaml"].decode() == FILES["removed.yaml"]
    for old, new in changed_lines(folder).items():
        renamed = old.replace("of: investors", "of: funders").replace("investors:", "funders:")
        assert new == renamed.replace("lead: investors", "lead: funders")
    assert (folder / "registry.yaml").read_text("utf-8").count("investors") == 0
    assert errors(folder) == []
    assert rename(folder, "--kind", "funders", "investors").status == 0
    assert {name: raw.decode() for name, raw in files(folder).items()} == FILES


def test_with_another_singular_filters_that_have_its_name_follow(folder: Path) -> None:
    assert rename(folder, "--kind", "investors", "funders", "--one", "funder").status == 0
    lines = changed_lines(folder)
    assert lines["one: investor"] == "one: funder"
    assert lines["feeds: [investor]"] == "feeds: [funder]"
    (before,) = (new for old, new in lines.items() if old.startswith("before:"))
    assert "through: [funder]" in before
    text = (folder / "removed.yaml").read_text("utf-8")
    assert "kind: funder," in text and "kind: project," in text
    assert errors(folder) == []


def test_the_singular_alone_is_changed(folder: Path) -> None:
    done = rename(folder, "--kind", "investors", "investors", "--one", "funder")
    assert done.status == 0 and (folder / "investors/acme.yaml").exists(), done.err
    assert errors(folder) == []


def test_a_field_of_an_own_kind_is_renamed_in_all_files(folder: Path) -> None:
    done = rename(folder, "--field", "investors.stage", "phase")
    assert done.status == 0, done.err
    assert "stage of investors is phase; 3 files written." in done.out
    now = files(folder)
    assert b"phase: seed # first\n" in now["investors/acme.yaml"]
    assert now["investors/north/bolt.yaml"].startswith(b"{name: Bolt, phase: seed, ")
    lines = changed_lines(folder)
    assert lines["badge: stage  # shown"] == "badge: phase  # shown"
    throughs = [new.partition("through: ")[2] for new in lines.values() if "through" in new]
    assert throughs == ["[phase, tag_topic]}", "[phase]}"]
    assert errors(folder) == []
    assert rename(folder, "--field", "investor.phase", "stage").status == 0
    assert {name: raw.decode() for name, raw in files(folder).items()} == FILES


def test_an_own_field_of_projects_is_renamed_below_fields(folder: Path) -> None:
    assert rename(folder, "--field", "projects.backed_by", "paid_by").status == 0
    cog = (folder / "projects/cog.yaml").read_text("utf-8")
    assert cog == FILES["projects/cog.yaml"].replace("backed_by", "paid_by")
    assert rename(folder, "--field", "projects.motto", "words").status == 0
    assert (folder / "projects/dot.yaml").read_text("utf-8") == FILES["projects/dot.yaml"]
    assert errors(folder) == []


def test_the_landscape_keeps_its_sizes(folder: Path) -> None:
    assert rename(folder, "--field", "investors.assets", "wealth").status == 0
    assert "size: wealth}" in changed_lines(folder)["landscape: {of: investors, size: assets}"]


def test_readers_loss_is_said_and_the_lock_holds_it(folder: Path) -> None:
    assert run_forked("schema", "--write", "--content", folder).status == 0
    done = rename(folder, "--field", "investors.stage", "phase", "--dry-run")
    assert done.status == 0 and "the field stage of investors is gone" in done.err
    assert (folder / "registry.yaml").read_text("utf-8") == REGISTRY
    done = rename(folder, "--field", "investors.stage", "phase")
    assert "until you run `registry schema --write`" in done.err
    assert any(line.startswith("breaks-readers ") for line in errors(folder))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--kind", "projects", "works"), '"projects" is one of the first four'),
        (("--kind", "investor", "works"), '"investor" is not in registry.yaml'),
        (("--kind", "investors", "rounds"), "is there already: choose another name"),
        (("--kind", "investors", "investors"), "already called"),
        (("--kind", "investors", "files"), "reserved"),
        (("--kind", "investors", "Funders"), "is not a valid name for a kind"),
        (("--field", "investors.name", "title"), 'declares no field "name" of investors'),
        (("--field", "investors.stage", "assets"), 'already have a field "assets"'),
        (("--field", "investors.stage", "slug"), "is a name of this API"),
        (("--field", "stage", "phase"), "write KIND.FIELD"),
        (("--field", "funds.stage", "phase"), 'there is no kind "funds"'),
        (("--kind", "investors", "works", "project", "a", "b"), "Give KIND OLD NEW, or"),
        (("project", "cog"), "Give KIND OLD NEW, or"),
        (("project", "cog", "gear", "--one", "work"), "--one needs --kind"),
    ],
)
def test_what_cannot_be_renamed_is_refused(
    folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = files(folder)
    done = rename(folder, *arguments)
    assert done.status in (1, 2) and said in done.err, done.err
    assert files(folder) == before


def test_a_file_that_cannot_be_changed_stays_and_is_named(folder: Path) -> None:
    (folder / "investors/acme.yaml").write_text("name: Acme\nstage: seed\nphase: seed\n", "utf-8")
    done = rename(folder, "--field", "investors.stage", "phase")
    assert "investors/acme.yaml is not changed: " in done.err
    assert b"phase: seed" in (folder / "investors/north/bolt.yaml").read_bytes()


def test_the_next_command_removes_what_a_kill_leaves_in_the_old_folder(folder: Path) -> None:
    assert rename(folder, "--kind", "investors", "funders").status == 0
    left = folder / "investors/.acme.yaml.registry-0123abcd"
    left.parent.mkdir()
    left.write_bytes(b"")
    done = rename(folder, "project", "cog", "gear")
    assert "Its temporary files are removed now" in done.err and not left.parent.exists()
