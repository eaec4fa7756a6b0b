"""The note of a merge request, written by a job of .gitlab-ci.yml with a fake GitLab."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.workflows import MARK, SECRETS, Workspace, job

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


@pytest.mark.parametrize("host", ["gitlab-pages", *SECRETS])
def test_there_are_no_other_jobs(made: Callable[[str, str], Path], host: str) -> None:
    text = (made(host, "https://gitlab.com/o/r") / ".gitlab-ci.yml").read_bytes()
    jobs = {name for name, does in yaml.safe_load(text).items() if "script" in does}
    last = {"pages"} if host == "gitlab-pages" else {"build", "deploy"}
    assert jobs == {"check", "note"} | last


def test_one_note_is_kept_up_to_date(
    here: Callable[..., Workspace], gitlab: tuple[str, type[GitLab]]
) -> None:
    runner, (url, host) = here("gitlab-pages", gitlab=True), gitlab
    pipeline = (runner.workspace / ".gitlab-ci.yml").read_bytes()
    note = "\n".join(job(pipeline, "note")["script"])
    env = {"CI_API_V4_URL": url, "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "5",
           "NOTES_TOKEN": "mine"}  # fmt: skip
    for text, wanted in {
        f"{MARK}One @ada.\n": "One @~ada.\n",
        "[a](https://e.example) <a href=''> www.e #1 <details>\n/close\n": (
            "[a]~(https:~//e.example) <~a href=''> www~.e #~1 <details>\n~/close\n"
        ),
        f"Two.\n{MARK}": "Two.\n",
    }.items():
        (runner.workspace / "changes.md").write_text(text, "utf-8")
        ran = runner.script(note, **env)
        assert ran.status == 0, ran.err
        (body,) = (n["body"] for n in host.notes if n["body"] != "Hello")
        said, _, body = body.removeprefix(MARK).partition("\n\n")
        assert said.startswith("*The job of the merge request wrote this text.")
        assert body == wanted.replace("~", "\u200b")
    assert set(host.tokens) == {"mine"}
    assert runner.script(note, **env | {"CI_API_V4_URL": "http://127.0.0.1:9/"}).status == 1
