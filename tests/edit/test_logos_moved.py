"""The logos of records that are renamed, removed, merged, fixed, exported and imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.commands import files, run_forked
from support.malicious_svg import svg
from support.registries import content, write

RED, BLUE = svg('<circle r="4" fill="red"/>'), svg('<circle r="4" fill="blue"/>')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A registry in which acme and buoy have a logo of their own, and cairn and dune share one."""
    records = content(
        organizations={},
        programs={},
        events={},
        projects={
            "acme": "name: Acme\nlogo: acme.svg # ours\n",
            "buoy": "name: Buoy\nlogo: buoy.svg\n",
            "cairn": "name: Cairn\nlogo: cairn.svg\n",
            "dune": "name: Dune\nlogo: cairn.svg\n",
            "ebb": "name: Ebb\n",
        },
    )
    place = write(tmp_path / "content", records)
    (place / "projects/more").mkdir()
    (place / "projects/more/fjord.yaml").write_text("name: Fjord\nlogo: buoy.svg\n")
    for name, raw in {"acme": RED, "buoy": BLUE, "cairn": RED, "more/buoy": RED}.items():
        (place / f"projects/{name}.svg").write_bytes(raw)
    return place


def run(folder: Path, *arguments: str) -> dict[str, bytes]:
    """Run a command that succeeds, and check the content; returns its files."""
    done = run_forked(*arguments, "--content", folder)
    assert done.status == 0, done.err
    checked = run_forked("check", "--strict", "--content", folder)
    assert checked.status == 0, checked.err
    return files(folder)


def test_a_renamed_record_takes_its_logo_along(folder: Path) -> None:
    after = run(folder, "rename", "project", "acme", "apex")
    assert after["projects/apex.yaml"] == b"name: Acme\naliases: [acme]\nlogo: apex.svg # ours\n"
    assert after["projects/apex.svg"] == RED and "projects/acme.svg" not in after


def test_a_logo_that_another_record_names_keeps_its_name(folder: Path) -> None:
    after = run(folder, "rename", "project", "cairn", "scree")
    assert b"logo: cairn.svg" in after["projects/scree.yaml"]
    assert after["projects/cairn.svg"] == RED


def test_a_renamed_record_overwrites_no_other_logo(folder: Path) -> None:
    (folder / "projects/ebb.svg").write_bytes(BLUE)
    (folder / "projects/dune.yaml").write_text("name: Dune\nlogo: ebb.svg\n")
    (folder / "projects/ebb.yaml").unlink()
    after = run(folder, "rename", "project", "acme", "ebb")
    assert after["projects/ebb.svg"] == BLUE and after["projects/acme.svg"] == RED


def test_the_logo_of_a_removed_record_is_removed(folder: Path) -> None:
    after = run(folder, "remove", "project", "acme")
    assert "projects/acme.svg" not in after
    assert "projects/cairn.svg" in run(folder, "remove", "project", "cairn")
    assert "projects/cairn.svg" not in run(folder, "remove", "project", "dune")


def test_a_merged_record_gets_the_only_logo(folder: Path) -> None:
    after = run(folder, "merge", "project", "acme", "ebb", "--prefer", "into")
    assert b"logo: acme.svg" in after["projects/ebb.yaml"] and after["projects/acme.svg"] == RED


@pytest.mark.parametrize("keep", ["acme", "buoy"])
def test_of_two_logos_of_a_merge_the_other_one_is_removed(folder: Path, keep: str) -> None:
    (folder / "projects/acme.yaml").write_text("name: Buoy\nlogo: acme.svg\n")
    prefer = "from" if keep == "acme" else "into"
    after = run(folder, "merge", "project", "acme", "buoy", "--prefer", prefer)
    assert f"logo: {keep}.svg".encode() in after["projects/buoy.yaml"]
    logos = {path for path in after if path.endswith(".svg") and "/more/" not in path}
    assert logos == {"projects/cairn.svg", f"projects/{keep}.svg"}


def test_a_logo_moves_into_the_folder_of_the_record_that_is_kept(folder: Path) -> None:
    (folder / "projects/more/buoy.svg").rename(folder / "projects/more/fjord.svg")
    (folder / "projects/more/fjord.yaml").write_text("name: Fjord\nlogo: fjord.svg\n")
    after = run(folder, "merge", "project", "fjord", "ebb", "--prefer", "into")
    assert b"logo: fjord.svg" in after["projects/ebb.yaml"]
    assert after["projects/fjord.svg"] == RED and "projects/more/fjord.svg" not in after


def test_a_merge_that_would_mix_up_two_logos_is_refused(folder: Path) -> None:
    before = files(folder)
    done = run_forked("merge", "project", "fjord", "ebb", "--prefer", "into", "--content", folder)
    assert done.status == 2 and "rename one of the two logos first" in done.err
    assert files(folder) == before


def test_fix_corrects_the_letters_of_a_name(folder: Path) -> None:
    (folder / "projects/acme.svg").rename(folder / "projects/Acme.svg")
    after = run(folder, "fix")
    assert after["projects/acme.yaml"] == b"name: Acme\nlogo: Acme.svg # ours\n"


def test_fmt_has_a_place_for_the_logo(folder: Path) -> None:
    record = folder / "projects/acme.yaml"
    record.write_text("logo: acme.svg\nwebsite: https://acme.example/\nname: Acme\n")
    run(folder, "fmt")
    assert record.read_text() == "name: Acme\nwebsite: https://acme.example/\nlogo: acme.svg\n"


def test_a_table_has_a_column_of_logos(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "projects.csv"
    done = run_forked("export", "project", "--out", table, "--content", folder)
    assert done.status == 0, done.err
    text = table.read_text()
    assert "logo" in text.partition("\n")[0] and "acme.svg" in text
    table.write_text(text.replace("acme.svg", "cairn.svg"))
    done = run_forked("import", table, "--kind", "project", "--write", "--content", folder)
    assert done.status == 0, done.err
    assert b"logo: cairn.svg" in files(folder)["projects/acme.yaml"]
