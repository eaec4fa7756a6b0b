"""`registry init`: its files, questions and refusals, and that all of it works at once."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import tomllib
import urllib.request
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator import __version__
from generator.contract.templates import markdown
from generator.dialect.tree import parse_or_raise
from generator.edit.changes import is_registry_file
from generator.edit.starting import init
from generator.problems.extras import EXTRAS
from support.commands import (
    REGISTRY,
    ROOT,
    Signal,
    environment,
    files,
    run,
    run_forked,
    stamps,
    start_forked,
)  # fmt: skip
from support.serving import serving

GITHUB, GITLAB = "https://github.com/Harbour/companies", "https://gitlab.com/harbour/companies"
WHEEL = f"wheels/registry_generator-{__version__}-py3-none-any.whl"
GIT = "git+https://github.com/o/g@" + "ab" * 20
EVERYWHERE = {
    ".generator.json", ".gitignore", "README.md", "requirements.txt", WHEEL,
    "content/registry.yaml",
    "content/organizations/example-college.yaml", "content/programs/example-accelerator.yaml",
    "content/projects/example-project.yaml", "content/events/example-applications.yaml",
    ".vscode/settings.json", ".vscode/extensions.json",
    *(f".vscode/schemas/{kind}.json"
      for kind in ("registry", "removed", "project", "program", "organization", "event")),
}  # fmt: skip
OF_GITHUB = {
    ".github/dependabot.yml",
    *(f".github/workflows/{name}.yml"
      for name in ("check", "comment", "links", "publish", "submissions")),
    *(f".github/ISSUE_TEMPLATE/{name}.yml"
      for name in ("project", "program", "organization", "event", "error")),
}  # fmt: skip


@pytest.mark.parametrize(
    ("host", "repository", "more", "base_url"),
    [
        ("github-pages", GITHUB, OF_GITHUB, "https://harbour.github.io/companies"),
        ("netlify", GITHUB, {*OF_GITHUB, "netlify.toml"}, None),
        ("cloudflare", "", {*OF_GITHUB, "wrangler.jsonc"}, None),
        ("gitlab-pages", GITLAB, {".gitlab-ci.yml"}, "https://harbour.gitlab.io/companies"),
        ("netlify", GITLAB, {".gitlab-ci.yml", "netlify.toml"}, None),
        ("cloudflare", GITLAB, {".gitlab-ci.yml", "wrangler.jsonc"}, None),
    ],
)
def test_every_host_gets_its_files_and_the_content_has_no_problem(
    tmp_path: Path, host: str, repository: str, more: set[str], base_url: str | None
) -> None:
    folder, content = tmp_path / "harbour-companies", tmp_path / "harbour-companies" / "content"
    asked = ("init", folder, "--host", host, "--repository", repository)
    done = run_forked(*asked)
    assert done.status == 0, done.err
    written = files(folder)
    assert written.keys() == EVERYWHERE | more
    settings = parse_or_raise(written["content/registry.yaml"])
    assert (settings["name"], settings["hosts"]) == ("Harbour Companies", [host])
    assert settings.get("base_url") == base_url
    assert (settings.get("repository") or {}).get("url", "") == repository
    assert run_forked("check", "--strict", "--content", content).out == "4 records, no problem.\n"
    assert run_forked("fmt", "--check", "--content", content).status == 0
    # Existing files stay.
    before = stamps(folder)
    assert "; 0 files written.\n" in run_forked(*asked).out and stamps(folder) == before
    (folder / "README.md").unlink()
    assert "written  README.md\n" in run_forked(*asked).out and files(folder) == written


@pytest.mark.slow
def test_another_process_writes_the_same_bytes(tmp_path: Path) -> None:
    for seed in ("1", "2", "3"):
        env = {"PYTHONHASHSEED": seed}
        done = run("init", tmp_path / "r", "--name", "R", "--repository", GITHUB, env=env)
        assert done.status == 0, done.err
    assert "; 0 files written.\n" in done.out


@pytest.mark.slow
def test_from_an_empty_folder_to_an_answer(tmp_path: Path) -> None:
    assert (
        run_forked("init", ".", "--name", "Harbour", "--host", "netlify", cwd=tmp_path).status == 0
    )
    checked = run_forked("check", "--strict", cwd=tmp_path)
    assert (checked.status, checked.out) == (0, "4 records, no problem.\n")
    built = run_forked("build", "--strict", cwd=tmp_path)
    assert (built.status, built.err) == (0, "")
    assert (tmp_path / "build/_redirects").is_file() and (tmp_path / "build/index.html").is_file()
    # Generated files are not committed.
    assert subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True).returncode == 0
    listed = subprocess.run(
        ["git", "ls-files", "-o", "--exclude-standard"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert set(listed.stdout.splitlines()) == EVERYWHERE | OF_GITHUB | {"netlify.toml"}
    with serving(tmp_path) as address:
        for path, told in {
            "/": b"Harbour",
            "/projects/example-project/": b"Example Project",
            "/api/projects?mode=page&tag_topic=climate": b'"slug":"example-project"',
            "/api/calendar/events?mode=page&upcoming=true": b'"slug":"example-applications"',
        }.items():
            with urllib.request.urlopen(address + path, timeout=30) as answer:
                assert answer.status == 200 and told in answer.read(), path


def test_editors_find_a_schema_for_every_file_of_the_content(tmp_path: Path) -> None:
    run_forked("init", tmp_path / "r", "--host", "netlify")
    mapped: dict[str, Any] = json.loads((tmp_path / "r/.vscode/settings.json").read_bytes())
    seen = set()
    for schema, patterns in mapped["yaml.schemas"].items():
        assert json.loads((tmp_path / "r" / schema).read_bytes())["title"]
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            seen |= {path.relative_to(tmp_path / "r") for path in (tmp_path / "r").glob(pattern)}
    assert {p.as_posix() for p in seen} == {p for p in EVERYWHERE if p.startswith("content/")}


@pytest.mark.parametrize(
    "name",
    ['Ærø "&" Sons: #1', "${{ secrets.TOKEN }} $(id) `id`", "{= host =} <% if x %> {{ 7 * 7 }}",
     "](https://evil.example) <script>", "- 'x'", "no", "1984"],
)  # fmt: skip
def test_any_name_works(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "r"
    done = run_forked("init", folder, "--name", name, "--repository", GITHUB)
    assert done.status == 0, done.err
    plain = run_forked("init", tmp_path / "plain", "--name", "Plain", "--repository", GITHUB)
    assert plain.status == 0
    assert parse_or_raise((folder / "content/registry.yaml").read_bytes())["name"] == name
    differ = {
        path for path, data in files(folder).items() if files(tmp_path / "plain")[path] != data
    }
    assert differ == {"README.md", "content/registry.yaml"}
    title, *_ = (folder / "README.md").read_text("utf-8").splitlines()
    assert title == f"# {markdown(name)}"
    assert run_forked("check", "--strict", "--content", folder / "content").status == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--name", "a\nb"), 'name: "a\\nb" contains a line break: write it on one line'),
        (("--name", ""), "name"),
        (("--base-url", "ftp://example.org"), 'base_url: "ftp://example.org" is not a valid'),
        (("--repository", "nowhere"), "repository"),
        (("--repository", "jane/my-registry"), "like https://github.com/jane/my-registry"),
        (("--repository", "https://github.com/jane"), "write https://github.com/OWNER/NAME"),
        (("--repository", "https://[x/a"), "repository"),
        (("--repository", "https://me:token@github.com/a/b"), "repository"),
        (("--repository", GITLAB, "--host", "github-pages"), f"does not publish {GITLAB}"),
        (("--repository", GITHUB, "--host", "gitlab-pages"), f"does not publish {GITHUB}"),
        (("--repository", "https://x.example/a\n  b: c"), "repository"),
        (("--host", "netlify", "--base-url", "nowhere"), "Invalid value for --base-url"),
        (("--host", "github-pages"), "say with --repository which"),
        (("--host", "geocities"), "'geocities' is not one of"),
        (("--generator", "a\nb"), "does not say where to get the generator"),
        (("--generator", f"{GIT}\nevil"), "does not say where to get the generator"),
        (("--generator", "registry-generator==0.1.0"), "would be installed from PyPI"),
        (
            ("--generator", "git+https://github.com/o/g"),
            "write git+https://HOST/OWNER/registry-generator@COMMIT",
        ),
        (("--generator", f"other @ {GIT}"), "does not say where to get the generator"),
    ],
)
def test_errors_are_reported_and_nothing_is_written(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    done = run_forked("init", tmp_path / "r", *options)
    assert done.status == 2 and told in done.err, done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ("README.md", "README.md."),
        ("content/projects/mine.yaml", "content/."),
        (".github/workflows/check.yml", ".github/workflows/check.yml."),
        (".vscode", ".vscode/"),
    ],
)
def test_existing_files_are_named_and_nothing_is_changed(
    tmp_path: Path, there: str, told: str
) -> None:
    (tmp_path / there).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / there).write_text("name: Mine\n")
    before = stamps(tmp_path)
    done = run_forked("init", tmp_path, "--host", "netlify")
    assert done.status == 2 and f"has files in the way: {told}" in done.err
    assert "Nothing is overwritten" in done.err and stamps(tmp_path) == before


def test_a_link_is_in_the_way_wherever_it_leads(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "r").mkdir()
    (tmp_path / "r/.github").symlink_to(tmp_path / "elsewhere")
    done = run_forked("init", tmp_path / "r", "--host", "netlify")
    assert done.status == 2 and ".github/dependabot.yml" in done.err
    assert not list((tmp_path / "elsewhere").iterdir())


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "LICENSE").write_text("MIT")
    assert run_forked("init", tmp_path, "--host", "netlify").status == 0
    assert (tmp_path / "LICENSE").read_text() == "MIT" and not list((tmp_path / ".git").iterdir())


def test_extras_are_written_for_the_workflows(tmp_path: Path) -> None:
    assert run_forked("init", tmp_path / "none").status == 0
    assert not (tmp_path / "none/extra.txt").exists()
    asked = ("--extra", "signing", "--extra", "parquet", "--extra", "signing")
    assert run_forked("init", tmp_path / "r", *asked).status == 0
    lines = (tmp_path / "r/extra.txt").read_text().splitlines()
    packages = [line for line in lines if not line.startswith("#")]
    assert packages == [EXTRAS["parquet"], EXTRAS["signing"]]
    refused = run_forked("init", tmp_path / "s", "--extra", "gold")
    assert refused.status == 2 and "'brotli', 'cards', 'parquet', 'signing'" in refused.err


def test_extras_need_the_packages_of_the_generator() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert {extra: [package] for extra, package in EXTRAS.items()} == {
        extra: extras[extra] for extra in extras.keys() - {"mcp", "cluster", "s3"}
    }


def test_the_command_to_look_at_it_can_be_pasted(tmp_path: Path) -> None:
    away = run_forked("init", "a registry", cwd=tmp_path).out
    assert "\nLook at it:     cd 'a registry' && registry serve\n" in away
    command = tmp_path / "b" / ".venv" / "bin" / "registry"
    command.parent.mkdir(parents=True)
    command.touch()
    here = run_forked("init", ".", cwd=tmp_path / "b").out
    assert "\nLook at it:     .venv/bin/registry serve\n" in here


def test_a_dry_run_shows_all_and_makes_nothing(tmp_path: Path) -> None:
    done = run_forked("init", tmp_path / "r", "--repository", GITHUB, "--dry-run")
    assert done.status == 0 and "+name: Example Project\n" in done.out
    assert "+++ b/.github/workflows/publish.yml\n" in done.out and not list(tmp_path.iterdir())


def test_a_killed_init_leaves_all_files_or_none(tmp_path: Path) -> None:
    options = ("--host", "netlify", "--generator", GIT)
    run_forked("init", tmp_path / "whole", "--name", "R", *options)
    whole, seen = files(tmp_path / "whole"), set()
    for count in (1, 2, 3, 10, 21, 22, 23, 24, 25, 40, 60):
        folder = tmp_path / f"r{count}"
        ended = start_forked("init", folder, "--name", "R", *options, signals=Signal(count)).wait()
        begun = (folder / ".edit/journal.json").exists()
        seen.add((ended.status == 0, begun))
        # The next run completes it, or finds it complete.
        again = run_forked("init", folder, "--name", "R", *options)
        assert again.status == 0 and files(folder) == whole
        assert ("; 0 files written." in again.out) == (begun or ended.status == 0)
    assert (False, True) in seen and (False, False) in seen


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    asked = ("init", tmp_path / "r", "--host", "netlify")
    done = start_forked(*asked, signals=Signal(8, signal.SIGINT)).wait()
    assert done.status == 2 and "nothing was changed" in done.err and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "path",
    [".git/hooks/pre-commit", ".git", ".GIT/config", ".venv/bin/python", ".edit/0", "Makefile",
     "../README.md", "content/../.git/config", "content/notes.txt", ".envrc", "conftest.py"],
)  # fmt: skip
def test_a_journal_that_came_with_a_folder_changes_no_other_files(
    tmp_path: Path, path: str
) -> None:
    (tmp_path / ".edit").mkdir()
    (tmp_path / ".edit/0").write_text("x")
    digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    journal = {"write": [["0", path, digest]], "remove": []}
    (tmp_path / ".edit/journal.json").write_text(json.dumps(journal))
    before = stamps(tmp_path)
    done = run_forked("init", tmp_path, "--host", "netlify")
    assert done.status == 2 and "was not left by an interrupted command" in done.err
    assert stamps(tmp_path) == before


def test_a_journal_accepts_every_file_of_init(tmp_path: Path) -> None:
    run_forked("init", tmp_path / "r", "--host", "netlify")
    assert all(map(is_registry_file, files(tmp_path / "r")))


def on_a_terminal(folder: Path, answers: str, *options: str) -> subprocess.CompletedProcess[str]:
    ours, theirs = pty.openpty()
    os.write(ours, answers.encode())
    done = subprocess.run(
        [*REGISTRY, "init", "my-registry", *options],
        cwd=folder, env=environment(), stdin=theirs, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    return done


def test_on_a_terminal_it_asks_for_name_repository_and_host(tmp_path: Path) -> None:
    done = on_a_terminal(tmp_path, f"Harbour\n{GITHUB}.git\n\n")
    assert done.returncode == 0, done.stderr
    assert "Name [My Registry]: " in done.stderr and "[github-pages]: " in done.stderr
    settings = yaml.safe_load((tmp_path / "my-registry/content/registry.yaml").read_text("utf-8"))
    assert settings["name"] == "Harbour" and settings["repository"]["url"] == GITHUB
    assert settings["hosts"] == ["github-pages"]


def test_an_invalid_answer_is_asked_for_again_at_once(tmp_path: Path) -> None:
    answers = [
        "x" * 300, "Harbour",
        "jane/my-registry", "https://github.com/jane/x/tree/main", "https://github.com/jane/x",
        "gitlab-pages", "geocities", "",
    ]  # fmt: skip
    done = on_a_terminal(tmp_path, "".join(f"{answer}\n" for answer in answers))
    assert done.returncode == 0, done.stderr
    asked = ["Name [", "Error: name has 300 characters", "Name [",
             "Repository, ", "Error: \"jane/my-registry\" has no host", "Repository, ",
             "Error: \"https://github.com/jane/x/tree/main\" is a page inside a repository: "
             "write https://github.com/jane/x", "Repository, ",
             "Host (", "Error: gitlab-pages does not publish https://github.com/jane/x", "Host (",
             'Error: there is no host "geocities"', "Host ("]  # fmt: skip
    at = -1
    for said in asked:
        at = done.stderr.index(said, at + 1)
    settings = yaml.safe_load((tmp_path / "my-registry/content/registry.yaml").read_text("utf-8"))
    assert settings["base_url"] == "https://jane.github.io/x"


@pytest.mark.slow
def test_pages_with_an_unknown_address_ask_for_it(tmp_path: Path) -> None:
    done = on_a_terminal(
        tmp_path, "\n\nnowhere\nhttps://jane.github.io/x\n", "--name", "R", "--host", "github-pages"
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Address of the registry") == 3
    settings = yaml.safe_load((tmp_path / "my-registry/content/registry.yaml").read_text("utf-8"))
    assert settings["base_url"] == "https://jane.github.io/x"


def test_an_invalid_option_is_refused_before_the_first_question(tmp_path: Path) -> None:
    done = on_a_terminal(tmp_path, "Harbour\n", "--repository", "jane/my-registry")
    assert done.returncode == 2 and "Name" not in done.stderr and not list(tmp_path.iterdir())


def test_the_first_date_is_in_the_future(tmp_path: Path) -> None:
    run_forked("init", tmp_path / "r", "--host", "netlify")
    event = parse_or_raise((tmp_path / "r/content/events/example-applications.yaml").read_bytes())
    assert event["closes"] > date.today().isoformat()


@pytest.mark.parametrize(
    ("repository", "wanted"),
    [
        ("git@github.com:A/b.git", "https://github.com/A/b"),
        ("ssh://git@gitlab.com/a/b/c.git", "https://gitlab.com/a/b/c"),
        ("https://github.com/A/b.git", "https://github.com/A/b"),
        ("https://github.com/A/b/", "https://github.com/A/b"),
        ("github.com/A/b", "https://github.com/A/b"),
        ("", ""),
    ],
)
def test_a_clone_address_becomes_the_page_of_the_repository(repository: str, wanted: str) -> None:
    assert init.repository_page(repository) == wanted


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("https://github.com/jane/x/tree/main", "write https://github.com/jane/x"),
        ("https://github.com/jane/x?tab=readme", "write https://github.com/jane/x"),
        ("https://www.github.com/jane/x", "write https://github.com/jane/x"),
        ("https://gitlab.com/a/b/c/-/tree/main", "write https://gitlab.com/a/b/c"),
        ("https://gitlab.com/a", "write https://gitlab.com/OWNER/NAME"),
        ("https://github.com/jane/x y", "repository"),
        ("https://github.com", "write https://github.com/OWNER/NAME"),
    ],
)
def test_a_page_inside_a_repository_is_refused(said: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        init.checked_repository(said)


@pytest.mark.parametrize(
    "said", ["", GITHUB, GITLAB, "https://gitlab.com/a/b/c", "https://code.example/a"]
)
def test_the_page_of_a_repository_stays_unchanged(said: str) -> None:
    assert init.checked_repository(said) == said


@pytest.mark.parametrize(
    ("host", "repository", "wanted"),
    [
        ("github-pages", "https://github.com/Ada/notes", "https://ada.github.io/notes"),
        ("github-pages", "https://github.com/Ada/ada.github.io", "https://ada.github.io"),
        ("gitlab-pages", "https://gitlab.com/a/b/c", "https://a.gitlab.io/b/c"),
        ("gitlab-pages", "https://gitlab.example.org/a/b", ""),
        ("netlify", "https://github.com/Ada/notes", ""),
        ("github-pages", "https://github.com/Ada", ""),
    ],
)
def test_the_pages_address_of_a_repository(host: str, repository: str, wanted: str) -> None:
    assert init.base_url_of(host, repository) == wanted
