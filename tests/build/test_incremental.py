"""An incremental build writes the same bytes as a clean build."""

from __future__ import annotations

import itertools
import os
import random
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from generator.build import build, executors, load, pipeline
from generator.build.cache.fingerprint import _DISTRIBUTIONS
from generator.build.options import BuildOptions
from generator.build.provenance import Moment
from generator.build.report import FullBuild, NothingChanged, PartialBuild, Report
from generator.dialect.folder import Content
from support import caches, part
from support.commands import files, walk

pytestmark = pytest.mark.slow

CONTENT = Path(__file__).parents[2] / "content"
AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


#: A series of builds, and the same with the cache deleted before one of them.
half_way = pytest.mark.parametrize("forgotten", [None, 4], ids=["kept", "deleted half way"])


#: A host with rules and a host without, to cover the files of both kinds; and the API alone, unless
#: a test uses `with_site`.
OPTIONS: dict[str, object] = {"hosts": ("netlify", "github-pages"), "site": False}


@pytest.fixture
def with_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds include the site."""
    monkeypatch.setitem(OPTIONS, "site", True)


def run(content: Path, out: Path, as_of: date = date(2026, 6, 1), **options: object) -> Report:
    chosen = {**OPTIONS, **options}
    return build(str(content), out, Moment(AT, as_of, None), BuildOptions(**chosen))  # type: ignore[arg-type]


def clean(content: Path, folder: Path, as_of: date = date(2026, 6, 1)) -> dict[str, bytes]:
    """The output of a build without cache and state, from a content folder with the same name."""
    shutil.rmtree(folder, ignore_errors=True)
    with caches.none():
        report = run(content, folder / "out", as_of, jobs=1)
    assert not report.failed, report.problems
    return files(folder / "out")


def assert_same(out: Path, expected: dict[str, bytes], message: str = "") -> None:
    found = files(out)
    assert sorted(found) == sorted(expected), message
    assert [path for path in expected if found[path] != expected[path]] == [], message
    assert [folder for folder, *entries in os.walk(out) if not any(entries)] == [], message


def check_messages(report: Report, content: Path, as_of: date) -> list[str]:
    """Assert that a build reports the same problems as a full check and return them. Problems of
    registry.yaml are left out: in a build they are about the output and its hosts, which a check
    does not look at.
    """
    messages = [str(p) for p in report.problems if not p.path.endswith("registry.yaml")]
    assert messages == [str(p) for p in load.check(str(content), as_of).problems]
    return messages


#: Records that the tests change by slug, and records that are similar to them.
NAMED = (
    "airbnb", "apache-echarts", "apache-flink", "apache-kafka", "ecole-42",
    "eic-accelerator-november-2026", "fosdem-2027", "wise", "y-combinator", "yc-summer-2005",
    "zipline",
)  # fmt: skip


@pytest.fixture
def content(tmp_path: Path) -> Path:
    # A small part still has several records of each kind, and several pages of some lists.
    part.copy(tmp_path / "content", *NAMED, one_in=9)
    with (tmp_path / "content" / "registry.yaml").open("a") as settings:
        settings.write("\nrepository: https://github.example/acme/registry\n")
    return tmp_path / "content"


@pytest.fixture
def out(tmp_path: Path, content: Path) -> Path:
    run(content, tmp_path / "build")
    return tmp_path / "build"


def stamp(out: Path) -> dict[str, tuple[int, int]]:
    """Path -> inode, time and size of each file of the output, to see which files were written."""
    found, skipped = {}, len(str(out)) + 1
    for entry in walk(str(out)):
        if entry.is_file():
            stat = entry.stat()
            found[entry.path[skipped:]] = stat.st_mtime_ns, stat.st_ino
    return found


def edit(path: Path, pattern: str, text: str) -> None:
    before = path.read_text("utf-8")
    after = re.sub(pattern, text, before, count=1, flags=re.M)
    assert after != before, f"{path} has no {pattern}"
    path.write_text(after, "utf-8")


def project(content: Path, slug: str) -> Path:
    return content / "projects" / slug[0] / f"{slug}.yaml"


def test_second_build_writes_nothing(content: Path, out: Path) -> None:
    before = stamp(out)
    report = run(content, out)
    assert report.outcome == NothingChanged() and not report.written and not report.removed
    assert stamp(out) == before


def test_a_document_without_inputs_is_written_once(content: Path, out: Path) -> None:
    assert (out / ".nojekyll").read_bytes() == b""
    edit(project(content, "zipline"), r"^name: .*$", "name: Another")
    assert "/.nojekyll" not in run(content, out).written
    (out / ".nojekyll").unlink()
    assert "/.nojekyll" in run(content, out).written and (out / ".nojekyll").is_file()


def test_an_edited_summary_writes_the_record_its_pages_and_a_few_small_documents(
    content: Path, out: Path, tmp_path: Path
) -> None:
    edit(project(content, "zipline"), r"^summary: .*$", "summary: Drones that carry medicine.")
    report = run(content, out)
    assert report.outcome == PartialBuild()
    assert_same(out, clean(content, tmp_path / "clean"))
    wanted = {"/api/projects/slug/zipline.json", "/api/index.json", "/api/build.json"}
    # These state rounded sizes of changed files, which may stay equal.
    rounded = {"/api/v1/agent/catalog.json", "/skill.md"}
    other_files = {
        path
        for path in report.written
        if path not in wanted | rounded
        and not path.startswith(("/.well-known/agent-skills/", "/api/manifest/"))
    }
    assert wanted <= set(report.written)
    index = {path for path in other_files if path.startswith("/api/index/")}
    manifest = "/api/index/projects/manifest.json"
    # A file with other bytes has another name.
    kinds = Counter(path.rpartition("/")[0] for path in index - {manifest})
    assert manifest in index and Counter(p.rpartition("/")[0] for p in report.removed) == kinds
    assert kinds.pop("/api/index/projects/keys") <= 8
    # The suggestion words store their record counts as powers of two.
    assert kinds.pop("/api/index/projects/spell", 0) <= 1
    # The rows of a block share the check of their group, which has at most sixteen blocks.
    assert kinds.pop("/api/index/projects/rows/0") <= 16
    assert kinds == {"/api/index/projects/rows/1": 1}
    lists = other_files - index
    assert all(
        re.fullmatch(r"/api/projects/((by/[a-z_]+/[^/]+|sort/[^/]+)/)?page/\d+\.json", path)
        for path in lists
    ), lists
    folders = [path.rpartition("/page/")[0] for path in lists]
    assert len(folders) == len(set(folders)), "one page of each slice"


def pages(report: Report) -> set[str]:
    """The site pages that a build wrote."""
    return {path for path in report.written if path.endswith(".html")}


def test_an_edited_summary_writes_its_page_its_lists_and_pages_that_show_it(
    with_site: None, content: Path, out: Path
) -> None:
    edit(project(content, "zipline"), r"^summary: .*$", "summary: Other words.")
    # The reference also shows the sizes of its examples.
    wrote = {path for path in pages(run(content, out)) if not path.startswith("/docs/")}
    for path in wrote:
        assert "Other words." in (out / path[1:]).read_text()
    records = {path for path in wrote if re.fullmatch(r"/projects/[^/]+/index.html", path)}
    assert "/projects/zipline/index.html" in records and len(records) < 10  # and similar ones


def test_a_new_name_updates_the_pages_of_similar_projects(
    with_site: None, content: Path, out: Path
) -> None:
    edit(project(content, "apache-flink"), r"^name: .*$", "name: Apache FLINK")
    wrote = pages(run(content, out))
    records = {path for path in wrote if re.fullmatch(r"/projects/[^/]+/index.html", path)}
    assert "/projects/apache-kafka/index.html" in records
    for path in records:
        assert "Apache FLINK" in (out / path[1:]).read_text()


def test_a_new_tag_updates_the_pages_of_projects_that_have_it(
    with_site: None, content: Path, out: Path
) -> None:
    page = out / "projects" / "zipline" / "index.html"
    assert "/projects/apache-flink/" not in page.read_text()
    kafka = project(content, "apache-kafka").read_text()
    tags = re.search(r"^tags:\n(?: .*\n)+", kafka, re.M)
    assert tags is not None
    edit(project(content, "zipline"), r"^tags:\n(?: .*\n)+", tags[0])
    run(content, out)
    assert "/projects/apache-flink/" in page.read_text()


def test_touched_files_with_the_same_bytes_write_nothing(content: Path, out: Path) -> None:
    for path in content.rglob("*.yaml"):
        os.utime(path)
    report = run(content, out)
    assert report.outcome == NothingChanged() and not report.written
    again = run(content, out)
    assert not again.written


def test_a_clean_checkout_with_new_times_writes_nothing(content: Path, out: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words],
            cwd=content,
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "content")
    for path in content.rglob("*.yaml"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    git("update-index", "--refresh")
    report = run(content, out)
    assert report.outcome == NothingChanged() and not report.written


def test_an_edit_that_keeps_time_and_size_is_detected(
    content: Path, out: Path, tmp_path: Path
) -> None:
    path = project(content, "zipline")
    stat = path.stat()
    text = path.read_bytes()
    path.write_bytes(text.replace(b"name: Zipline", b"name: Zipl1ne"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    run(content, out)
    assert_same(out, clean(content, tmp_path / "clean"))


def _alias_to_record(content: Path) -> None:
    edit(project(content, "wise"), r"^aliases:\n( *- .*\n)+", "")
    (content / "projects" / "transferwise.yaml").write_text("name: TransferWise\n")


def _organization_to_alias(content: Path) -> None:
    (content / "organizations" / "ecole-42.yaml").unlink()
    path = content / "organizations" / "y-combinator.yaml"
    path.write_text(path.read_text("utf-8").rstrip("\n") + "\naliases: [ecole-42, yc]\n", "utf-8")


def _alias_to_program(content: Path) -> None:
    path = next((content / "programs").rglob("yc-summer-2005.yaml"))
    edit(path, r"^aliases:.*\n(?: *- .*\n)*", "")
    path.with_name("summer-founders-program.yaml").write_text(path.read_text("utf-8"), "utf-8")


def _record_to_alias(content: Path) -> None:
    project(content, "zipline").unlink()
    edit(project(content, "airbnb"), r"^summary", "aliases: [zipline]\nsummary")


def _linked(content: Path, path: str) -> None:
    """Move the target elsewhere and replace it by a link to it."""
    real = content.parent / "real"
    (content / path).rename(real)
    (content / path).symlink_to(real)


EDITS: dict[str, Callable[[Path], object]] = {
    "a name that moves the record": lambda c: edit(
        project(c, "zipline"), r"^name: .*$", "name: Aaa Zipline"
    ),
    "a name with another first letter": lambda c: edit(
        project(c, "airbnb"), r"^name: .*$", 'name: "Ångström: rooms"'
    ),
    "a tag label": lambda c: edit(
        c / "registry.yaml", r"^(      [a-z-]+): .*$", r"\1: Another label"
    ),
    "the page size": lambda c: edit(c / "registry.yaml", r"^page_size: .*$", "page_size: 12"),
    "a program's name": lambda c: edit(
        next((c / "programs").rglob("yc-summer-2005.yaml")), r"^name: .*$", "name: First batch"
    ),
    "an organization's name": lambda c: edit(
        c / "organizations" / "y-combinator.yaml", r"^name: .*$", "name: YC"
    ),
    "an organization's category": lambda c: edit(
        c / "organizations" / "y-combinator.yaml", r"^category: .*$", "category: university"
    ),
    "a description that lists do not show": lambda c: edit(
        project(c, "airbnb"), r"^status: .*$", "status: public\nteam_size: 7"
    ),
    "a status that its programs count": lambda c: edit(
        project(c, "airbnb"), r"^status: .*$", "status: inactive"
    ),
    "a stray file": lambda c: (c / "notes.txt").write_text("x"),
    "a stray folder": lambda c: (c / "pictures").mkdir(),
    "a hidden folder": lambda c: (c / "projects" / ".old").mkdir(),
    "a file from before 1970": lambda c: os.utime(project(c, "airbnb"), (-(10**9), -(10**9))),
    "an event's day": lambda c: edit(
        next((c / "events").rglob("fosdem-2027.yaml")), r"^starts: .*$", "starts: 2027-01-29"
    ),
    "an event of a program": lambda c: edit(
        next((c / "events").rglob("eic-accelerator-november-2026.yaml")),
        r"^name: .*$",
        "name: Another cut-off",
    ),
    "an event that is gone": lambda c: next((c / "events").rglob("fosdem-2027.yaml")).unlink(),
    "an event with another slug": lambda c: (
        path := next((c / "events").rglob("fosdem-2027.yaml"))
    ).rename(path.with_name("fosdem.yaml")),
    "a new event": lambda c: (c / "events" / "new.yaml").write_text(
        "name: New\nkind: event\nstarts: 2027-03-01\norganization: y-combinator\n"
    ),
    "a record that is gone": lambda c: project(c, "zipline").unlink(),
    "a record in another folder": lambda c: project(c, "zipline").rename(
        c / "projects" / "zipline.yml"
    ),
    "a record with another slug": lambda c: project(c, "zipline").rename(
        c / "projects" / "z" / "zip-line.yaml"
    ),
    "a new record": lambda c: (c / "projects" / "new.yaml").write_text(
        "name: Middle\nlocations: [{country: FJ, city: Suva}]\n"
    ),
    "a new program": lambda c: (c / "programs" / "new-one.yaml").write_text(
        "name: New\nkind: program\ntype: accelerator\norganization: y-combinator\n"
    ),
    "an organization that is gone": lambda c: (c / "organizations" / "ecole-42.yaml").unlink(),
    "an alias that becomes a record": lambda c: _alias_to_record(c),
    "a record that becomes an alias": lambda c: _record_to_alias(c),
    "an organization that becomes an alias": lambda c: _organization_to_alias(c),
    "an alias that becomes a program": lambda c: _alias_to_program(c),
    "a link instead of a collection's folder": lambda c: _linked(c, "projects"),
    "a link instead of a record": lambda c: _linked(c, "organizations/y-combinator.yaml"),
}
#: Series of edits that can follow each other.
SERIES = [list(EDITS)[number::4] for number in range(4)]


@pytest.mark.parametrize("edits", SERIES, ids=range(4))
def test_the_output_after_each_edit_is_that_of_a_clean_build(
    edits: list[str], with_site: None, content: Path, out: Path, tmp_path: Path
) -> None:
    for edit_name in edits:
        EDITS[edit_name](content)
        report = run(content, out)
        assert not report.failed, (edit_name, [str(p) for p in report.problems])
        assert_same(out, clean(content, tmp_path / "clean"), edit_name)
        again = run(content, out)
        assert not again.written and not again.removed, edit_name


def test_a_passed_date_changes_the_warnings_of_its_record(
    content: Path, out: Path, tmp_path: Path
) -> None:
    (content / "projects" / "early.yaml").write_text("name: Early\nyear: 2027\n", "utf-8")
    fair = "name: Fair\nkind: event\nstatus: tentative\nstarts: 2026-06-20\n"
    (content / "events" / "fair.yaml").write_text(fair, "utf-8")
    warned = []
    for as_of in (date(2026, 6, 1), date(2026, 9, 1), date(2027, 1, 1), date(2026, 6, 1)):
        messages = check_messages(run(content, out, as_of), content, as_of)
        warned.append(
            [any(name in line for line in messages) for name in ("early.yaml", "fair.yaml")]
        )
    assert warned == [[True, False], [True, True], [False, True], [True, False]]


@pytest.mark.parametrize("target", ["projects", "events", "programs"])
def test_a_collection_behind_a_symlink_stays_published(
    target: str, content: Path, tmp_path: Path
) -> None:
    _linked(content, target)
    out = tmp_path / "build"
    counts = [run(content, out).records for _ in range(3)]
    assert counts[0][target] and counts == [counts[0]] * 3
    edit(next((tmp_path / "real").rglob("*.yaml")), r"^name: .*$", "name: Another")
    report = run(content, out)
    assert report.outcome == PartialBuild() and report.records == counts[0]
    assert_same(out, clean(content, tmp_path / "clean"))


def test_a_record_added_while_the_build_begins_is_published(
    content: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline.scan

    def meanwhile(folder: str) -> Content:
        (content / "projects" / "came-meanwhile.yaml").write_text("name: Meanwhile\n", "utf-8")
        return real(folder)

    monkeypatch.setattr(pipeline, "scan", meanwhile)
    (content / "organizations" / "ecole-42.yaml").unlink()
    assert run(content, out).outcome == PartialBuild()
    monkeypatch.undo()
    assert_same(out, clean(content, tmp_path / "clean"))
    assert not run(content, out).written


def test_warnings_about_shared_values_follow_added_and_removed_records(
    content: Path, out: Path, tmp_path: Path
) -> None:
    project(content, "zipline").rename(content / "projects" / "zipline.yml")
    project(content, "airbnb").unlink()
    new = content / "projects" / "new.yml"
    new.write_text("name: Zipline\nwebsite: https://www.flyzipline.com\n", "utf-8")
    report = run(content, out)
    assert report.outcome == PartialBuild()
    assert any(
        "same-record" in message for message in check_messages(report, content, date(2026, 6, 1))
    )
    assert_same(out, clean(content, tmp_path / "clean"))


@pytest.mark.parametrize(
    "paths",
    [
        ["projects/zipline.yml"],
        ["projects/new.yaml", "projects/z/new.yml"],
        ["projects/No Slug.yaml"],
        ["projects/New.yaml"],
        ["projects/new.YAML"],
        ["projects/new.yaml", "new.yaml"],
        ["events/zipline.yaml"],
        ["people/new.yaml"],
    ],
)
def test_warnings_about_file_names_are_the_same_in_partial_and_full_builds(
    paths: list[str], content: Path, out: Path, tmp_path: Path
) -> None:
    for path in paths:
        (content / path).parent.mkdir(exist_ok=True)
        (content / path).write_text("name: New\n", "utf-8")
    report = run(content, out)
    assert report.problems and report.problems == run(content, tmp_path / "other").problems


@pytest.mark.parametrize("change", ["moved", "removed", "with its program"])
def test_an_event_and_the_day_may_change_together(
    change: str, content: Path, tmp_path: Path
) -> None:
    """As in a daily build: every list of the event's former month, year or program is updated."""
    event, program = content / "events" / "fair.yaml", content / "programs" / "fairs.yaml"
    program.write_text(
        "name: Fairs\nkind: program\ntype: accelerator\norganization: y-combinator\n", "utf-8"
    )
    event.write_text("name: Fair\nkind: event\nstarts: 2036-10-05\nprogram: fairs\n", "utf-8")
    out = tmp_path / "build"
    run(content, out, date(2026, 8, 1))
    lists = out / "api/calendar/events/by"
    old_pages = [
        lists / place / "page/1.json" for place in ("month/2036-10", "year/2036", "program/fairs")
    ]
    assert all(path.exists() for path in old_pages)
    if change == "moved":
        edit(event, "2036-10-05", "2037-11-05")
    else:
        event.unlink()
    if change == "with its program":
        program.unlink()
    report = run(content, out, date(2026, 8, 2))
    assert report.outcome == PartialBuild()
    assert_same(out, clean(content, tmp_path / "clean", date(2026, 8, 2)))
    assert [path.exists() for path in old_pages] == [False, False, change != "with its program"]


def _some_page(out: Path) -> Path:
    return out / "api" / "projects" / "page" / "1.json"


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a deleted page": lambda out: _some_page(out).unlink(),
    "a truncated page": lambda out: os.truncate(_some_page(out), 10),
    "a rewritten record": lambda out: (out / "api/projects/slug/airbnb.json").write_text("{}"),
    "a foreign file": lambda out: (out / "api/projects/notes.txt").write_text("x"),
    "a deleted folder": lambda out: shutil.rmtree(out / "api/programs"),
    "no output": lambda out: shutil.rmtree(out),
    "nothing beside the output": lambda out: shutil.rmtree(out.parent / ".registry"),
    "no cache": lambda out: caches.forget(),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_output_is_repaired(damage: str, content: Path, out: Path) -> None:
    wanted = files(out)
    DAMAGE[damage](out)
    edit(project(content, "zipline"), r"^team_size.*|\Z", "team_size: 3\n")
    run(content, out)
    edit(project(content, "zipline"), r"team_size: 3\n", "")
    run(content, out)
    assert_same(out, wanted)


def test_a_damaged_cache_is_ignored(content: Path, out: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    for turn in range(24):
        if turn % 2:
            caches.damage(chance, shorter=turn % 3 == 0)
        else:
            caches.lose_a_part(chance)
        edit(project(content, "zipline"), r"^summary: .*$", f"summary: Turn {turn}.")
        assert not run(content, out).failed
    assert_same(out, clean(content, tmp_path / "clean"))


def test_a_cache_that_causes_an_error_is_not_used(content: Path, out: Path, tmp_path: Path) -> None:
    for name in ("rows", "pages", "index", "document"):
        caches.change(name, [["nonsense"]])
        edit(project(content, "zipline"), r"^summary: .*$", f"summary: {name}.")
        report = run(content, out)
        assert isinstance(report.outcome, FullBuild), name
        assert "the cache caused an error" in report.outcome.reason, (name, report.outcome)
        assert_same(out, clean(content, tmp_path / "clean"))


@pytest.mark.parametrize("where", ["", "/proc/nowhere", "read-only", "another's", "a checkout"])
def test_a_cache_that_cannot_be_saved_does_not_stop_a_build(
    where: str, content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "caches"
    folder.mkdir(0o755 if where != "another's" else 0o777)
    if where == "another's":
        folder.chmod(0o777)
    if where == "a checkout":
        (content.parent / ".git").mkdir()
    if where == "read-only":
        (folder / "x").write_text("a file")
        folder = folder / "x"
    monkeypatch.setenv("REGISTRY_CACHE", where if where[:1] in ("", "/") else str(folder))
    out = tmp_path / "build"
    for _ in range(2):
        report = run(content, out)
        assert isinstance(report.outcome, FullBuild) and not report.failed
    assert where == "read-only" or not list(folder.iterdir())
    assert_same(out, clean(content, tmp_path / "clean"))


def test_a_cache_that_cannot_be_written_is_told_and_does_not_stop_a_build(
    content: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTRY_CACHE", str(tmp_path / "caches"))
    out = tmp_path / "build"
    assert run(content, out).notes == ()
    cache = caches.newest()
    assert cache is not None
    cache.unlink()
    (cache.with_suffix(".new") / "x").mkdir(parents=True)  # no file can be there
    for _ in range(2):
        report = run(content, out)
        assert isinstance(report.outcome, FullBuild) and not report.failed
        (note,) = report.notes
        assert note.startswith(f"{cache} cannot be written: ")
    assert_same(out, clean(content, tmp_path / "clean"))


def test_a_build_that_fails_keeps_the_cache(content: Path, out: Path) -> None:
    kept = [caches.newest()]
    with pytest.raises(Exception, match="signing key"):
        run(content, out, signing_key="no key")
    assert [caches.newest(), *caches.folder().glob("*.new")] == kept
    assert isinstance(run(content, out).outcome, NothingChanged)


def test_many_pages_are_written_by_several_processes(
    content: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "WORTH_FORKING", 1)
    EDITS["a new record"](content)
    report = run(content, out, jobs=2)
    assert isinstance(report.outcome, PartialBuild)
    assert_same(out, clean(content, tmp_path / "clean"))


def test_another_generator_builds_everything(
    content: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import generator.build

    real = generator.build.fingerprint
    monkeypatch.setattr(generator.build, "fingerprint", lambda *more: "another" + real(*more))
    report = run(content, out)
    assert (
        isinstance(report.outcome, FullBuild)
        and "another version of the generator" in report.outcome.reason
    )


def test_unchanged_files_keep_their_times_in_a_full_build(content: Path, out: Path) -> None:
    before = stamp(out)
    caches.forget()
    edit(project(content, "zipline"), r"^summary: .*$", "summary: Drones.")
    assert isinstance(run(content, out).outcome, FullBuild)
    after = stamp(out)
    differing = {path for path in after if after[path] != before.get(path)}
    assert 3 < len([path for path in differing if not path.startswith("api/manifest/")]) < 60


def test_a_partial_build_reports_every_problem_of_a_full_build(
    content: Path, out: Path, tmp_path: Path
) -> None:
    edit(
        project(content, "zipline"),
        r"^summary: .*$",
        "summary: x\ntags: {topic: [nonsense, nonsense]}\nwrong: 1",
    )
    (content / "programs" / "y-combinator" / "yc-summer-2005.yaml").unlink(missing_ok=True)
    before = stamp(out)
    warm = run(content, out)
    whole = run(content, tmp_path / "other")
    assert warm.failed and not warm.written
    assert warm.problems == whole.problems
    assert stamp(out) == before


def test_a_record_with_an_error_does_not_count_in_warnings_about_others(
    content: Path, out: Path, tmp_path: Path
) -> None:
    """A project that names a removed program has an error. Warnings about other records, such as
    the number with a city in another country, do not count it, in partial and full builds.
    """
    program = "name: Gone\nkind: program\ntype: accelerator\norganization: y-combinator\n"
    (content / "programs" / "zz-gone.yaml").write_text(program)
    for number in range(8):
        country, programs = "US" if number else "CA", "programs: [zz-gone]\n" * (number == 7)
        text = f"name: Place {number}\nlocations: [{{country: {country}, city: Zzyzx}}]\n{programs}"
        (content / "projects" / f"zz-{number}.yaml").write_text(text)
    messages = [p.message for p in run(content, out).problems if p.code == "city-elsewhere"]
    assert len(messages) == 1 and "7 other records put it in" in messages[0]
    (content / "programs" / "zz-gone.yaml").unlink()
    warm = run(content, out)
    assert warm.failed and warm.outcome == PartialBuild()
    assert warm.problems == run(content, tmp_path / "other").problems
    assert any("6 other records put it in" in problem.message for problem in warm.problems)
    (content / "projects" / "zz-7.yaml").write_text("name: Place 7\n")
    allowed = run(content, out, loss="allow")  # of founders, which the new records have not
    assert not allowed.failed
    assert allowed.problems == run(content, tmp_path / "other").problems


def test_former_values_of_a_record_with_an_error_do_not_count(
    content: Path, out: Path, tmp_path: Path
) -> None:
    edit(project(content, "zipline"), r"^name: .*$", "name: Airbnb")
    for name in ("airbnb", "zipline"):
        edit(project(content, name), r"^website: .*\n", "")
    assert "same-record" in [problem.code for problem in run(content, out).problems]
    project(content, "airbnb").write_text("", "utf-8")
    warm = run(content, out)
    assert warm.failed and warm.outcome == PartialBuild()
    assert warm.problems == run(content, tmp_path / "other").problems


@pytest.mark.parametrize("forgotten", [None, 1, 2])
def test_warnings_of_unchanged_files_are_repeated(
    forgotten: int | None, content: Path, out: Path
) -> None:
    (content / "strange.txt").write_text("x")
    edit(project(content, "zipline"), r"^year: .*$", "year: 2100")
    first = run(content, out, hosts=("netlify",))
    assert [p.code for p in first.problems] == ["in-the-future", "stray-file"]
    for number in (1, 2):
        if number == forgotten:
            caches.forget()
        assert run(content, out, hosts=("netlify",)).problems == first.problems
        edit(project(content, "airbnb"), r"^summary: .*$", f"summary: x{number}")


def test_the_generator_version_covers_every_package_that_affects_the_output() -> None:
    project = tomllib.loads((CONTENT.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = itertools.chain(project["dependencies"], *extras)
    used = {re.split(r"[<>=!]", requirement)[0] for requirement in requirements}
    # The terminal, servers and clients, and other machines and stores do not affect it.
    others = {
        "click",
        "livereload",
        "watchfiles",
        "urllib3",
        "mcp",
        "distributed",
        "fsspec",
        "s3fs",
    }
    relevant = used - others
    assert {name.replace("-", "_") for name in relevant} <= set(_DISTRIBUTIONS)


def test_a_library_that_is_installed_later_makes_a_whole_build(
    content: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build without Pillow publishes no pictures, and advises to install it."""
    assert isinstance(run(content, out).outcome, NothingChanged)
    (tmp_path / "installed" / "pillow-12.0.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path / "installed")
    report = run(content, out)
    assert isinstance(report.outcome, FullBuild) and "of a library" in report.outcome.reason


# --- messages -------------------------------------------------------------------------------------


@half_way
def test_a_partial_build_reports_what_a_full_build_reports(
    forgotten: int | None, content: Path, out: Path
) -> None:
    """Also problems of an unchanged record that another, changed record causes."""
    first, second, last = (project(content, slug) for slug in ("aa-one", "aa-two", "zz-other"))
    cohort = content / "programs" / "zz-cohort.yaml"
    owner = next((content / "organizations").rglob("*.yaml")).stem

    def rewrite(path: Path, text: str) -> Callable[[], object]:
        path.parent.mkdir(exist_ok=True)
        return lambda: path.write_text(text, "utf-8")

    def program(year: int) -> str:
        kind = "kind: cohort\ntype: accelerator\n"
        return f"name: A cohort\n{kind}organization: {owner}\nyear: {year}\n"

    steps: list[tuple[Callable[[], object], int, date]] = [
        (rewrite(first, "name: One\nwebsite: https://same.example\n"), 0, date(2026, 6, 1)),
        (rewrite(second, "name: Two\nwebsite: http://www.same.example/\n"), 1, date(2026, 6, 1)),
        (
            rewrite(last, "name: TWO\n"),
            2,
            date(2026, 6, 1),
        ),  # same name as a record with a website
        (
            rewrite(second, "name: Two\nyear: 2020\nwebsite: http://www.same.example/\n"),
            2,
            date(2026, 6, 1),
        ),  # lower in its file
        (
            rewrite(first, "name: One\nsummary: a <b>\nwebsite: https://other.example\n"),
            2,
            date(2026, 6, 1),
        ),
        (rewrite(first, "name: One\nwebsite: https://same.example\n"), 2, date(2026, 6, 1)),
        (lambda: first.rename(content / "projects" / "aa-one.yaml"), 2, date(2026, 6, 1)),
        ((content / "projects" / "aa-one.yaml").unlink, 1, date(2026, 6, 1)),
        (rewrite(cohort, program(2024)), 1, date(2026, 6, 1)),
        (rewrite(last, "name: Other\nyear: 2000\nprograms: [zz-cohort]\n"), 1, date(2026, 6, 1)),
        (rewrite(cohort, program(2010)), 0, date(2026, 6, 1)),
        (rewrite(cohort, program(2028)), 2, date(2026, 6, 1)),
        (lambda: None, 2, date(2026, 12, 31)),
        (lambda: None, 1, date(2027, 1, 1)),
        (rewrite(second, "name: Two\n"), 1, date(2027, 1, 1)),
        (cohort.unlink, 0, date(2027, 1, 1)),
    ]
    for number, (step, count, as_of) in enumerate(steps):
        step()
        if number == len(steps) - 1:
            rewrite(last, "name: Other\n")()
        if number == forgotten:
            caches.forget()
        report = run(content, out, as_of)
        messages = check_messages(report, content, as_of)
        assert isinstance(report.outcome, FullBuild) == (number == forgotten), (
            number,
            report.outcome,
        )
        assert len(messages) == count, (number, messages)
