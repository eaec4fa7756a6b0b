"""`registry remove`: removed files, entries in removed.yaml, and refusals."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from generator.dialect.libyaml import parse
from support.commands import files, run_forked
from support.registries import content, write

RECORDS = content(
    organizations={
        "harbour": "name: Harbour\ncategory: investor\naliases: [harbor, haven]\n",
        "pier": "name: Pier\n# its house\nparent: harbour # since 2020\ncategory: investor\n",
        "north": "name: North\ncategory: university\n",
    },
    programs={"launch": "name: Launch\nkind: program\ntype: accelerator\norganization: north\n"},
    projects={
        "both": 'name: Both\norganizations: [ "harbour" ,  north ]   # two\nyear: 2020\n',
        "block": "name: Block\r\norganizations:\r\n- north # one\r\n# between\r\n- harbour\r\n",
        "one": "name: One\norganizations: [harbour]\nsummary: harbour\n",
        "apart": "name: harbour\n",
    },
    events={"day": "name: Day\nkind: event\nstarts: 2026-05-30\norganization: harbour"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "content", RECORDS)


def test_a_record_with_references_stays_and_they_are_listed(folder: Path) -> None:
    before = files(folder)
    done = run_forked("remove", "organization", "harbour", "--content", folder)
    assert done.status == 2 and files(folder) == before
    places = re.findall(r"^  (\S+): (\w+)$", done.err, re.M)
    assert places == [
        (f"{folder}/organizations/pier.yaml:3:9", "parent"),
        (f"{folder}/events/day.yaml:4:15", "organization"),
        (f"{folder}/projects/block.yaml:5:3", "organizations"),
        (f"{folder}/projects/both.yaml:2:18", "organizations"),
        (f"{folder}/projects/one.yaml:2:17", "organizations"),
    ]
    assert "Add --unlink to remove these references" in done.err


def test_unlink_removes_only_the_references(folder: Path) -> None:
    before = files(folder)
    done = run_forked("remove", "organization", "harbour", "--unlink", "--reason",
                      "Asked: to be gone", "--content", folder)  # fmt: skip
    assert (done.status, done.err) == (0, "")
    after = files(folder)
    day = datetime.now(UTC).date().isoformat()
    assert after.pop("removed.yaml").decode() == (
        "# Records that were removed for good. No other record gets their slugs.\nremoved:\n"
        + "".join(
            f'  - {{kind: organization, slug: {slug}, date: {day}, reason: "Asked: to be gone"}}\n'
            for slug in ("harbour", "harbor", "haven")
        )
    )
    del before["organizations/harbour.yaml"]
    assert after == before | {
        "organizations/pier.yaml": b"name: Pier\n# its house\ncategory: investor\n",
        "projects/both.yaml": b"name: Both\norganizations: [ north ]   # two\nyear: 2020\n",
        "projects/block.yaml": (b"name: Block\r\norganizations:\r\n- north # one\r\n# between\r\n"),
        "projects/one.yaml": b"name: One\nsummary: harbour\n",
        "events/day.yaml": b"name: Day\nkind: event\nstarts: 2026-05-30\n",
    }
    assert run_forked("check", "--content", folder).status == 0

    # The next entry follows it; a slug that was given up is not used again.
    removed = folder / "removed.yaml"
    removed.write_text(removed.read_text() + "# the end\n")
    assert run_forked("remove", "project", "apart", "--content", folder).status == 0
    last = removed.read_text().splitlines()[-2:]
    assert last == [f"  - {{kind: project, slug: apart, date: {day}}}", "# the end"]
    assert len(parse(removed.read_bytes())["removed"]) == 4
    again = run_forked("new", "project", "--name", "Apart", "--content", folder)
    assert again.status == 1 and "error[removed-slug]" in again.err
    assert not (folder / "projects" / "apart.yaml").exists()


def test_a_required_reference_is_never_removed(folder: Path) -> None:
    before = files(folder)
    for asked in ((), ("--unlink",)):
        done = run_forked("remove", "organization", "north", *asked, "--content", folder)
        assert done.status == 2 and files(folder) == before
    assert f"  {folder}/programs/launch.yaml:4:15: organization\n" in done.err
    assert "both.yaml" not in done.err and "name another record there" in done.err


def test_a_record_with_errors_can_be_removed_and_a_missing_record_cannot(
    folder: Path,
) -> None:
    (folder / "projects" / "apart.yaml").write_bytes(b"name: [\n\xff")
    shown = run_forked("remove", "project", "apart", "--dry-run", "--content", folder)
    assert shown.status == 0 and "+++ b/removed.yaml" in shown.out
    assert not (folder / "removed.yaml").exists()
    assert run_forked("remove", "project", "apart", "--content", folder).status == 0
    (folder / "projects" / "odd.yaml").write_text("nam: Odd\naliases: [Was Odd, was-odd, 7]\n")
    assert run_forked("remove", "project", "odd", "--content", folder).status == 0
    removed = parse((folder / "removed.yaml").read_bytes())["removed"]
    assert [one["slug"] for one in removed] == ["apart", "odd", "was-odd"]
    assert run_forked("check", "--content", folder).status == 0
    done = run_forked("remove", "project", "bloc", "--content", folder)
    assert done.status == 2 and 'did you mean "block"?' in done.err
    done = run_forked("remove", "organization", "haven", "--content", folder)
    assert done.status == 2 and 'is now called "harbour"' in done.err


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("a" * 2000, "reason has 2,000 characters; at most 300 are allowed"),
        ("two\nlines", "contains a line break"),
    ],
)
def test_an_invalid_reason_is_refused(folder: Path, reason: str, told: str) -> None:
    before = files(folder)
    for asked in (("remove", "project", "apart"), ("approve", "a" * 16)):
        done = run_forked(*asked, "--reason", reason, "--content", folder)
        assert done.status == 2 and told in done.err and files(folder) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "{name}:\n{entry}\n"),
        ("# ours\n", "# ours\n{name}:\n{entry}\n"),
        ("# ours\n{name}:", "# ours\n{name}:\n{entry}\n"),
        ("# ours\r\n{name}: # a\r\n# b\r\n", "# ours\r\n{name}: # a\r\n{entry}\r\n# b\r\n"),
        ("{name}: []\n", None),
    ],
)
@pytest.mark.parametrize(
    ("name", "asked", "entry"),
    [
        ("removed", ("remove", "project", "apart"), "kind: project, slug: apart"),
        ("approvals", ("approve", "a" * 16), f"fingerprint: {'a' * 16}"),
    ],
)
def test_a_file_whose_list_is_empty_is_read_and_written_with_its_comments(
    folder: Path, name: str, asked: tuple[str, ...], entry: str, before: str, after: str | None
) -> None:
    file = folder / f"{name}.yaml"
    file.write_bytes(before.format(name=name).encode())
    assert run_forked("check", "--content", folder).status == 0
    assert run_forked(*asked, "--content", folder).status == 0
    day = datetime.now(UTC).date().isoformat()
    if after is not None:
        wanted = after.format(name=name, entry=f"  - {{{entry}, date: {day}}}")
        assert file.read_bytes().decode() == wanted
    assert len(parse(file.read_bytes())[name]) == 1
    assert run_forked("check", "--content", folder).status == 0


def test_a_slug_that_was_removed_before_is_listed_once(folder: Path) -> None:
    """A record that came back after its removal can be removed again."""
    path = folder / "projects" / "apart.yaml"
    text = path.read_bytes()
    assert run_forked("remove", "project", "apart", "--content", folder).status == 0
    listed = (folder / "removed.yaml").read_bytes()
    path.write_bytes(text)
    done = run_forked("remove", "project", "apart", "--content", folder)
    assert (done.status, done.err) == (0, "")
    assert not path.exists() and (folder / "removed.yaml").read_bytes() == listed
