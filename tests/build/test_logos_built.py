"""Logos in builds: what is published, what a second build does, and what stops a build."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build
from generator.build.options import BuildOptions
from generator.contract.layout import is_output_path
from generator.features.logos.logo import read_logo
from generator.published.check import check
from generator.published.history.provenance import Moment
from generator.published.report import Report
from support.commands import files
from support.malicious_svg import svg
from support.registries import content as records
from support.registries import write

DAY = date(2026, 6, 1)
RED, BLUE = svg('<circle r="4" fill="red"/>'), svg('<circle r="4" fill="blue"/>')


def address(raw: bytes) -> str:
    """Where a logo is published."""
    return f"media/{read_logo('a.svg', raw).name}"


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A registry in which a record of each kind has a logo, and two have the same."""
    folder = write(
        tmp_path / "content",
        records(
            organizations={"pier": "name: Pier\ncategory: investor\nlogo: pier.svg\n"},
            programs={
                "launch": "name: Launch\nkind: program\ntype: accelerator\norganization: pier\n"
                "logo: launch.svg\n"
            },
            projects={
                "acme": "name: Acme\nlogo: acme.svg\nprograms: [launch]\n",
                "buoy": "name: Buoy\nlogo: acme.svg\n",
                "cairn": "name: Cairn\n",
            },
            events={"day": "name: Day\nkind: event\nstarts: 2026-05-30\nprogram: launch\n"},
        ),
    )
    for path, raw in {
        "organizations/pier": RED,
        "programs/launch": BLUE,
        "projects/acme": RED,
    }.items():
        (folder / f"{path}.svg").write_bytes(raw)
    return folder


def run(content: Path, out: Path, **options: object) -> Report:
    moment = Moment(datetime(2026, 6, 1, 12, tzinfo=UTC), DAY, None)
    chosen = BuildOptions(**{"hosts": ("netlify",), "site": False, **options})  # type: ignore[arg-type]
    return build(str(content), out, moment, chosen)


def assert_as_clean(content: Path, out: Path) -> None:
    """Assert that the output is that of a build into an empty folder."""
    clean = content.parent / "clean"
    shutil.rmtree(clean, ignore_errors=True)
    assert not run(content, clean, jobs=1).failed
    assert files(out) == files(clean)


def document(out: Path, path: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads((out / "api" / path).read_bytes())["data"]
    return loaded


def media(out: Path) -> set[str]:
    return {path for path in files(out) if path.startswith("media/")}


def test_each_logo_is_published_once_under_the_digest_of_its_bytes(
    content: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    report = run(content, out)
    assert not report.problems
    assert media(out) == {address(RED), address(BLUE)}
    assert (out / address(RED)).read_bytes() == read_logo("a.svg", RED).data
    assert all(is_output_path(f"/{path}") for path in media(out))
    for path, raw in {
        "projects/slug/acme.json": RED,
        "projects/slug/buoy.json": RED,
        "programs/slug/launch.json": BLUE,
        "organizations/slug/pier.json": RED,
    }.items():
        assert document(out, path)["logo"] == f"/{address(raw)}"
    assert document(out, "projects/slug/cairn.json")["logo"] is None
    assert "logo" not in document(out, "calendar/events/slug/day.json")


def test_lists_have_the_address_of_each_logo(content: Path, tmp_path: Path) -> None:
    run(content, tmp_path / "out")
    summaries = document(tmp_path / "out", "projects/page/1.json")
    assert {s["slug"]: s["logo"] for s in summaries} == {  # type: ignore[index]
        "acme": f"/{address(RED)}",
        "buoy": f"/{address(RED)}",
        "cairn": None,
    }


def test_a_path_in_the_base_url_begins_the_address(content: Path, tmp_path: Path) -> None:
    settings = records(registry={"base_url": "https://registry.example/under"})["registry"]
    write(content, {"registry": settings})
    run(content, tmp_path / "out")
    logo = document(tmp_path / "out", "projects/slug/acme.json")["logo"]
    assert logo == f"/under/{address(RED)}"


def test_a_changed_logo_changes_its_records_and_the_old_file_is_removed(
    content: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(content, out)
    (content / "programs/launch.svg").write_bytes(RED)
    report = run(content, out)
    assert media(out) == {address(RED)}
    assert document(out, "programs/slug/launch.json")["logo"] == f"/{address(RED)}"
    assert f"/{address(BLUE)}" in report.difference.removed
    assert "/api/projects/slug/acme.json" not in report.difference.changed
    assert_as_clean(content, out)


@pytest.mark.slow
def test_a_logo_written_differently_changes_no_file(content: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(content, out)
    before = files(out)
    (content / "projects/acme.svg").write_bytes(b"<!-- the same -->\n" + RED)
    run(content, out)
    changed = {path for path, raw in files(out).items() if before.get(path) != raw}
    assert media(out) == {address(RED), address(BLUE)}
    assert not {path for path in changed if "projects" in path or "media" in path}
    assert_as_clean(content, out)


def test_a_logo_that_no_record_names_is_a_warning_and_not_published(
    content: Path, tmp_path: Path
) -> None:
    other = svg('<rect width="8" height="8"/>')
    (content / "projects/other.svg").write_bytes(other)
    (content / "programs/acme.svg").write_bytes(other)
    for _ in range(2):
        report = run(content, tmp_path / "out")
        assert [problem.code for problem in report.problems] == ["unused-logo"] * 2
        assert not report.failed and address(other) not in media(tmp_path / "out")
    assert check(str(content), DAY).problems == report.problems


@pytest.mark.parametrize(
    ("raw", "code"),
    [(svg("<script/>"), "unsafe-svg"), (None, "missing-logo"), (b"Acme", "invalid-logo")],
)
def test_a_bad_logo_stops_a_build_and_the_output_stays(
    content: Path, tmp_path: Path, raw: bytes | None, code: str
) -> None:
    out = tmp_path / "out"
    run(content, out)
    before = files(out)
    logo = content / "programs/launch.svg"
    logo.unlink()
    if raw is not None:
        logo.write_bytes(raw)
    report = run(content, out)
    assert report.failed and [problem.code for problem in report.problems] == [code]
    assert files(out) == before
    assert check(str(content), DAY).problems == report.problems
    logo.write_bytes(BLUE)
    assert not run(content, out).failed
    assert_as_clean(content, out)


@pytest.mark.slow
def test_several_processes_read_the_same_logos(content: Path, tmp_path: Path) -> None:
    for number in range(200):
        (content / f"projects/p{number}.yaml").write_text(
            f"name: P {number}\nlogo: p{number}.svg\n"
        )
        shape = f'<circle r="{number % 7}"/>' if number != 99 else "<script/>"
        (content / f"projects/p{number}.svg").write_bytes(svg(shape))
    one, two = (check(str(content), DAY, jobs=jobs).problems for jobs in (1, 2))
    assert one == two and [problem.code for problem in one] == ["unsafe-svg"]
    (content / "projects/p99.svg").write_bytes(svg())
    assert not run(content, tmp_path / "out", jobs=2).problems
    assert_as_clean(content, tmp_path / "out")


def test_a_content_digest_has_the_bytes_of_logos(content: Path, tmp_path: Path) -> None:
    def digest() -> object:
        run(content, tmp_path / "out")
        return json.loads((tmp_path / "out/api/build.json").read_bytes())["content_digest"]

    before = digest()
    (content / "projects/acme.svg").write_bytes(b"<!-- other bytes -->\n" + RED)
    assert digest() != before
