"""The jobs of .gitlab-ci.yml, run by bash as GitLab's runner does, with a fake GitLab."""

from __future__ import annotations

import http.server
import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.commands import environment
from support.workflows import MARK, SECRETS, Ran, Runner, Workspace, asked, change, published

pytestmark = pytest.mark.slow


class GitLab(http.server.BaseHTTPRequestHandler):
    """The notes of a merge request, served like GitLab's API."""

    notes: list[dict[str, Any]]
    tokens: list[str | None]

    def _answer(self, value: Any) -> None:
        self.tokens.append(self.headers["PRIVATE-TOKEN"])
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _body(self) -> str:
        return str(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])

    def do_GET(self) -> None:
        page = int(self.path.partition("&page=")[2])
        assert self.path.startswith("/api/v4/projects/3/merge_requests/5/notes?per_page=100&page=")
        self._answer(self.notes[100 * (page - 1) : 100 * page])

    def do_POST(self) -> None:
        assert self.path == "/api/v4/projects/3/merge_requests/5/notes"
        self.notes.append({"id": 900 + len(self.notes), "body": self._body()})
        self._answer(self.notes[-1])

    def do_PUT(self) -> None:
        number = int(self.path.removeprefix("/api/v4/projects/3/merge_requests/5/notes/"))
        (note,) = (note for note in self.notes if note["id"] == number)
        note["body"] = self._body()
        self._answer(note)

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture
def gitlab() -> Iterator[tuple[str, type[GitLab]]]:
    GitLab.notes = [{"id": number, "body": "Hello"} for number in range(150)]
    GitLab.tokens = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitLab)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/v4", GitLab
    server.shutdown()
    thread.join()
    server.server_close()


def extended(pipeline: dict[str, Any], name: str) -> dict[str, Any]:
    """A job with the keys of the jobs that it extends."""
    above = pipeline[name].get("extends", [])
    bases = [above] if isinstance(above, str) else above
    return {key: value for job in (*bases, name) for key, value in pipeline[job].items()}


def job(runner: Runner, name: str, **env: str) -> Ran:
    """The commands of a job of .gitlab-ci.yml and the jobs it extends, run as by GitLab."""
    pipeline = yaml.safe_load((runner.workspace / ".gitlab-ci.yml").read_bytes())
    does = extended(pipeline, name)
    return runner.script("\n".join([*does.get("before_script", ()), *does["script"]]), **env)


def revision(folder: Path, name: str) -> str:
    asked = ["git", "rev-parse", name]
    done = subprocess.run(asked, cwd=folder, env=environment(), check=True, capture_output=True)
    return done.stdout.decode().strip()


@pytest.mark.parametrize("host", ["gitlab-pages", *SECRETS])
def test_there_are_no_other_jobs(made: Callable[[str, str], Path], host: str) -> None:
    text = (made(host, "https://gitlab.com/o/r") / ".gitlab-ci.yml").read_bytes()
    jobs = {name for name, does in yaml.safe_load(text).items() if "script" in does}
    last = {"pages"} if host == "gitlab-pages" else {"build", "deploy"}
    assert jobs == {"check", "note"} | last


def test_a_merge_request_is_checked_and_gets_a_note(here: Callable[..., Workspace]) -> None:
    runner = here("gitlab-pages", gitlab=True)
    base = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": revision(runner.workspace, "HEAD^1")}
    ran = job(runner, "check", **base)
    told = (runner.workspace / "changes.md").read_text("utf-8")
    assert ran.status == 0, ran.err
    assert asked(ran) == [("pip", ["install", "--requirement", "requirements.txt"])]
    assert told.startswith(MARK) and "example-project" in told
    assert (runner.workspace / "build/index.html").is_file()
    report = runner.workspace / "codequality.json"
    assert json.loads(report.read_bytes()) == []
    (runner.workspace / "changes.md").unlink()
    change(runner.workspace, "year:", "yaer:")
    ran = job(runner, "check", **base)
    assert ran.status == 1 and 'did you mean "year"?' in ran.err
    (problem,) = json.loads(report.read_bytes())
    assert problem["location"]["path"] == "content/projects/example-project.yaml"
    told = (runner.workspace / "changes.md").read_text("utf-8")
    assert "cannot be told yet" in told and 'did you mean "year"?' in told


def test_one_note_is_kept_up_to_date(
    here: Callable[..., Workspace], gitlab: tuple[str, type[GitLab]]
) -> None:
    runner, (url, host) = here("gitlab-pages", gitlab=True), gitlab
    env = {"CI_API_V4_URL": url, "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "5",
           "NOTES_TOKEN": "mine"}  # fmt: skip
    for text, wanted in {
        f"{MARK}One @ada.\n": f"{MARK}One @\u200bada.\n",
        f"Two.\n{MARK}": f"{MARK}Two.\n",
    }.items():
        (runner.workspace / "changes.md").write_text(text, "utf-8")
        ran = job(runner, "note", **env)
        assert ran.status == 0, ran.err
        assert [n["body"] for n in host.notes if n["body"] != "Hello"] == [wanted]
    assert set(host.tokens) == {"mine"}
    assert job(runner, "note", **env | {"CI_API_V4_URL": "http://127.0.0.1:9/"}).status == 1


def test_gitlab_publishes_pages(here: Callable[..., Workspace]) -> None:
    runner = here("gitlab-pages", gitlab=True)
    with published(runner.temp / "nothing") as url:
        runner.moved(url)
        ran = job(runner, "pages")
    assert ran.status == 2 and f"Nothing is published at {url}, so" in ran.err
    assert "with FIRST=true" in ran.err
    assert job(runner, "pages").status == 2
    assert job(runner, "pages", FIRST="true").status == 0
    assert (runner.workspace / "public/index.html").is_file()
    assert (runner.workspace / "public/_redirects").is_file()


@pytest.mark.parametrize("host", SECRETS)
def test_gitlab_deploys_the_build(here: Callable[..., Workspace], host: str) -> None:
    runner = here(host, gitlab=True)
    assert job(runner, "build").status == 2, "registry.yaml has no base_url yet"
    assert job(runner, "build", FIRST="true").status == 0
    assert (runner.workspace / "build/index.html").is_file()
    secrets = dict.fromkeys(SECRETS[host], "mine")
    ran = job(runner, "deploy", **secrets)
    assert ran.status == 0 and ran.calls[0].environment == secrets
    assert ran.calls[0].arguments[0] == "--yes" and "deploy" in ran.calls[0].arguments
    ran = job(runner, "deploy", **secrets | {SECRETS[host][1]: ""})
    assert ran.status == 1 and f"The CI/CD variable {SECRETS[host][1]} is missing" in ran.out
    assert ran.calls == []
