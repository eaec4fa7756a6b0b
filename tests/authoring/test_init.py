"""`registry init`: its files, questions and refusals, and that all of it works at once."""

from __future__ import annotations

import fnmatch
import json
import signal
import subprocess
import sys
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
from generator.edit.starting.init import EXAMPLES, NewRegistry, host_named
from generator.edit.starting.wheel import Requirements
from generator.model.settings.colours import ACCENTS, accent_of, nearest_readable
from generator.problems.extras import EXTRAS
from support.commands import ROOT, Done, Signal, files, run, run_forked, start_forked, typed
from support.git import commit, git
from support.serving import serving
from support.transcripts import Case, Shell, transcript

GITHUB, GITLAB = "https://github.com/Harbour/companies", "https://gitlab.com/harbour/companies"
GIT = "git+https://github.com/o/g@" + "ab" * 20


@transcript(Path(__file__).parent / "transcripts/init.txt")
def test_init(case: Case, tmp_path: Path, regenerate: bool) -> None:
    case.run(Shell(tmp_path, VERSION=__version__), regenerate)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a registry with a plain name."""
    folder = tmp_path_factory.mktemp("plain") / "r"
    assert run_forked("init", folder, "--name", "Plain", "--repository", GITHUB).status == 0
    return files(folder)


def test_the_accent_is_that_of_the_name_or_of_the_option(tmp_path: Path) -> None:
    assert len(ACCENTS) == 6 and not any(map(nearest_readable, ACCENTS.values()))
    for options, accent in (((), accent_of("Harbour")), (("blue",), ACCENTS["blue"])):
        folder = tmp_path / f"r{len(options)}"
        given = [word for name in options for word in ("--accent", name)]
        done = run_forked("init", folder, "--name", "Harbour", "--repository", GITHUB, *given)
        assert done.status == 0, done.err
        settings = yaml.safe_load((folder / "content/registry.yaml").read_text("utf-8"))
        assert settings["site"] == {"accent": accent}


@pytest.mark.parametrize(
    ("branch", "listens"),
    [
        (None, ["main", "master"]),
        ("master", ["main", "master"]),
        ("trunk", ["main", "master", "trunk"]),
    ],
)
def test_every_default_branch_is_published(
    tmp_path: Path, branch: str | None, listens: list[str]
) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    if branch is not None:
        git(folder, "init", "-q", "-b", branch)
    assert run_forked("init", folder, "--name", "R", "--repository", GITHUB).status == 0
    settings = yaml.safe_load((folder / "content/registry.yaml").read_text("utf-8"))
    assert settings["repository"]["branch"] == (branch or "main")
    text = (folder / ".github/workflows/publish.yml").read_text("utf-8")
    workflow = yaml.load(text, yaml.BaseLoader)
    assert workflow["on"]["push"]["branches"] == listens
    assert (
        "github.ref_name == github.event.repository.default_branch"
        in (workflow["jobs"]["build"]["if"])
    )
    assert "Nothing to replace" in run_forked("upgrade", folder).out


def test_the_default_branch_of_a_clone_is_published(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk", "above")
    (tmp_path / "above" / "NOTES.md").write_text("Ours.\n")
    commit(tmp_path / "above")
    git(tmp_path, "clone", "-q", "above", "r")
    git(tmp_path / "r", "switch", "-q", "-c", "begin")
    assert run_forked("init", tmp_path / "r", "--repository", GITHUB).status == 0
    assert 'branch: "trunk"' in (tmp_path / "r/content/registry.yaml").read_text("utf-8")


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
    written = files(tmp_path).keys()
    checked = run_forked("check", "--strict", cwd=tmp_path)
    assert (checked.status, checked.out) == (0, "4 records, no problem.\n")
    built = run_forked("build", "--strict", cwd=tmp_path)
    assert (built.status, built.err) == (0, "")
    assert (tmp_path / "build/_redirects").is_file() and (tmp_path / "build/index.html").is_file()
    # Generated files are not committed.
    git(tmp_path, "init", "-q")
    assert set(git(tmp_path, "ls-files", "-o", "--exclude-standard").splitlines()) == written
    with serving(tmp_path) as address:
        for path, told in {
            "/": b"Harbour",
            "/projects/example-project/": b"Example Project",
            "/api/projects?mode=page&tag_topic=climate": b'"slug":"example-project"',
            "/api/calendar/events?mode=page&upcoming=true": b'"slug":"example-applications"',
        }.items():
            with urllib.request.urlopen(address + path, timeout=30) as answer:
                assert answer.status == 200 and told in answer.read(), path


def test_editors_find_a_schema_for_every_file_of_the_content(plain: dict[str, bytes]) -> None:
    mapped: dict[str, Any] = json.loads(plain[".vscode/settings.json"])
    seen = set()
    for schema, patterns in mapped["yaml.schemas"].items():
        assert json.loads(plain[schema.removeprefix("./")])["title"]
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            shape = pattern.replace("**/", "")
            seen |= {path for path in plain if fnmatch.fnmatch(path, shape)}
    assert seen == {path for path in plain if path.startswith("content/")}


@pytest.mark.parametrize(
    "name",
    [
        'Ærø "&" Sons: #1', "${{ secrets.TOKEN }} $(id) `id`", "1984",
        *(pytest.param(name, marks=pytest.mark.slow)
          for name in ("{= host =} <% if x %> {{ 7 * 7 }}", "](https://evil.example) <x",
                       "- 'x'", "no")),
    ],
)  # fmt: skip
def test_any_name_works(tmp_path: Path, plain: dict[str, bytes], name: str) -> None:
    done = run_forked("init", tmp_path, "--name", name, "--repository", GITHUB)
    assert done.status == 0, done.err
    made = files(tmp_path)
    assert parse_or_raise(made["content/registry.yaml"])["name"] == name
    differ = {path for path in made if made[path] != plain[path]}
    assert differ == {"README.md", "content/registry.yaml"}
    assert made["README.md"].decode().splitlines()[0] == f"# {markdown(name)}"
    assert run_forked("check", "--strict", "--content", tmp_path / "content").status == 0


def test_a_text_that_a_registry_cannot_have_is_refused(tmp_path: Path) -> None:
    for options, told in (
        (("--name", "a\nb"), 'name: "a\\nb" contains a line break: write it on one line'),
        (
            ("--name", "A <script>"),
            'name contains HTML, "<script>", which readers see as typed: write plain text',
        ),
        (("--repository", "https://x.example/a\n  b: c"), "repository"),
        (("--generator", f"{GIT}\nevil"), "does not say where to get the generator"),
    ):
        done = run_forked("init", tmp_path / "r", *options)
        assert done.status == 2 and told in done.err and not list(tmp_path.iterdir())


def test_extras_need_the_packages_of_the_generator() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert {extra: [package] for extra, package in EXTRAS.items()} == {
        extra: extras[extra] for extra in extras.keys() - {"cluster", "s3"}
    }


@pytest.mark.slow
def test_the_next_run_completes_a_killed_init(tmp_path: Path) -> None:
    options = ("--host", "netlify", "--generator", GIT)
    run_forked("init", tmp_path / "whole", "--name", "R", *options)
    whole, seen = files(tmp_path / "whole"), set()
    for count in range(1, 150, 8):
        folder = tmp_path / f"r{count}"
        ended = start_forked("init", folder, "--name", "R", *options, signals=Signal(count)).wait()
        some = any(path in whole for path in files(folder))
        seen.add((ended.status == 0, some))
        again = run_forked("init", folder, "--name", "R", *options)
        assert again.status == 0 and files(folder) == whole, count
        if ended.status == 0:
            break
    assert seen == {(False, False), (False, True), (True, True)}


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    asked = ("init", tmp_path / "r", "--host", "netlify")
    done = start_forked(*asked, signals=Signal(8, signal.SIGINT)).wait()
    assert done.status == 2 and "nothing was changed" in done.err and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("GitHub Pages", "github-pages"), ("github", "github-pages"),
        ("GITLAB_PAGES", "gitlab-pages"), (" Netlify ", "netlify"),
        ("Cloudflare Workers", "cloudflare"), ("CloudFlare Pages", "cloudflare"),
        ("Pages", "Pages"), ("geocities", "geocities"), ("", ""),
    ],
)  # fmt: skip
def test_hosts_are_known_as_people_write_them(host: str, known: str) -> None:
    assert host_named(host) == known


@pytest.mark.parametrize(
    ("repository", "ci"),
    [
        ("", "github"), (GITHUB, "github"), ("https://github.example.org/a/b", "github"),
        ("https://gitlab.com/a/b", "gitlab"), ("https://gitlab.example.org/a/b", "gitlab"),
        ("https://codeberg.org/a/b", "none"), ("https://bitbucket.org/a/b", "none"),
        ("https://git.sr.ht/~a/b", "none"),
    ],
)  # fmt: skip
def test_the_repository_decides_the_workflows(repository: str, ci: str) -> None:
    start = NewRegistry("R", repository, "netlify", "", Requirements("", {}), 2026)
    assert start.ci == ci
    assert start._replace(host="github-pages").ci in (ci, "github")


def test_a_registry_without_workflows_is_upgraded(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    done = run_forked("init", folder, "--name", "R", "--repository", "https://codeberg.org/a/b")
    assert done.status == 0 and "codeberg.org is neither GitHub nor GitLab" in done.err
    done = run_forked("upgrade", folder, "--yes", "--no-compare")
    assert done.status == 0 and "Nothing to replace" in done.out + done.err
    assert not (folder / ".github").exists()


def on_a_terminal(folder: Path, answers: str, *options: str) -> Done:
    return typed(answers.encode(), "init", "my-registry", *options, cwd=folder)


def test_on_a_terminal_it_asks_for_name_repository_and_host(tmp_path: Path) -> None:
    done = on_a_terminal(tmp_path, f"Harbour\n{GITHUB}.git\n\n")
    assert done.status == 0, done.err
    assert "Name [My Registry]: " in done.err and "[github-pages]: " in done.err
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
    assert done.status == 0, done.err
    asked = ["Name [", "Error: name has 300 characters", "Name [",
             "Repository, ", "Error: \"jane/my-registry\" has no host", "Repository, ",
             "Error: \"https://github.com/jane/x/tree/main\" is a page inside a repository: "
             "write https://github.com/jane/x", "Repository, ",
             "Host (", "Error: gitlab-pages does not publish https://github.com/jane/x", "Host (",
             'Error: there is no host "geocities"', "Host ("]  # fmt: skip
    at = -1
    for said in asked:
        at = done.err.index(said, at + 1)
    settings = yaml.safe_load((tmp_path / "my-registry/content/registry.yaml").read_text("utf-8"))
    assert settings["base_url"] == "https://jane.github.io/x"


@pytest.mark.slow
def test_pages_with_an_unknown_address_ask_for_it(tmp_path: Path) -> None:
    done = on_a_terminal(
        tmp_path, "\n\nnowhere\nhttps://jane.github.io/x\n", "--name", "R", "--host", "github-pages"
    )
    assert done.status == 0, done.err
    assert done.err.count("Address of the registry") == 3
    settings = yaml.safe_load((tmp_path / "my-registry/content/registry.yaml").read_text("utf-8"))
    assert settings["base_url"] == "https://jane.github.io/x"


def test_an_invalid_option_is_refused_before_the_first_question(tmp_path: Path) -> None:
    done = on_a_terminal(tmp_path, "Harbour\n", "--repository", "jane/my-registry")
    assert done.status == 2 and "Name" not in done.err and not list(tmp_path.iterdir())


def test_the_first_date_is_in_the_future(plain: dict[str, bytes]) -> None:
    event = parse_or_raise(plain["content/events/example-applications.yaml"])
    assert event["closes"] > date.today().isoformat()


@pytest.fixture(scope="module", params=EXAMPLES)
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry that began with an example, built."""
    folder = tmp_path_factory.mktemp("begun") / request.param
    given = ("--name", "Mine", "--host", "netlify", "--repository", "")
    for done in (
        run_forked("init", folder, *given, "--example", request.param),
        run_forked("check", "--strict", cwd=folder),
        run_forked("build", "--strict", cwd=folder),
    ):
        assert (done.status, done.err) == (0, "")
    return folder


def test_an_example_has_kinds_and_relations_of_its_own(begun: Path) -> None:
    told = json.loads((begun / "build/api/index.json").read_bytes())["kinds"]
    others = [name for name in told if not told[name]["own"]]
    assert others == (["projects"] if begun.name == "investors" else [])
    relations = [relation for of in told.values() for relation in of["relations"].values()]
    assert any(relation["filter"] and relation["reverse"] for relation in relations)
    editors = json.loads((begun / ".vscode/settings.json").read_bytes())["yaml.schemas"]
    assert all(f"./.vscode/schemas/{of['kind']}.json" in editors for of in told.values())
    read = (begun / "README.md").read_text("utf-8")
    assert all(f"`content/{name}`" in read for name in told) and "example-" not in read


def test_an_example_is_as_the_contract_says(begun: Path, oracle: Path) -> None:
    program = (sys.executable, oracle.parent / "kinds.py", "build", "content", "build")
    done = subprocess.run(program, cwd=begun, capture_output=True, text=True)
    assert done.stdout.endswith(" 0 faults\n"), done.stdout
