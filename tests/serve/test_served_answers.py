"""Answers of `registry serve` to single requests, recorded with their headers in answers/*.txt.

A line that is not indented is a request: method, target, and headers in braces.  Characters up to
U+00FF stand for one byte each, ETAG for the ETag of the plain answer.  The indented lines below are
the answer: its status and headers, and its body as the path of a file of the build, as text, or as
its size and digest.  `pytest tests/serve/test_served_answers.py --regenerate` writes them again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from generator.contract.addresses import page_policies
from generator.grammar import headers
from support import awkward, commands, logos, registries
from support.asked import Request, kinds, requests, tiered
from support.asked import digest as body_digest
from support.serving import Response, Server, ask

FILES = sorted((Path(__file__).parent / "answers").glob("*.txt"))
ASKED = re.compile(r"(?P<method>\S+) ?(?P<target>\S*)(?: \{(?P<headers>.*)\})?")
#: Headers of every answer that every page may read.
USUAL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Content-Location, Retry-After, Link",
    "Cache-Control": "no-cache",
    "Cdn-Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}
#: Headers that change with the build, the day or the library.
LEFT_OUT = ("Content-Length", "Date", "Etag", "Server")
POLICIES = {
    headers.POLICY: "that of pages",
    page_policies()["/embed"]: "that of embedded pages",
    headers.MEDIA_POLICY: "that of logos",
}
SECRET = b"not to be seen"


class Built(NamedTuple):
    """A running server, a build of the same content, digest -> path of its files, and requests with
    the right answers from the list that all hosts share.
    """

    server: Server
    out: Path
    paths: dict[str, str]
    listed: list[Request]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """A site below a prefix, with logos, beside a file that nobody may read."""
    folder = tmp_path_factory.mktemp("answers")
    settings = {"base_url": "https://registry.example.org/registry"}
    content = registries.content(awkward.CONTENT, registry=settings)
    assert logos.add_logos(registries.write(folder / "content", content)) > 5
    with Server(folder, "--no-reload", "--allow-host", "registry.test", "--allow-host",
                "localhost:5173").running() as server:  # fmt: skip
        out = commands.build(folder / "content", folder / "out", site=True)
        paths = {digest(body): f"/{path}" for path, body in commands.files(out).items()}
        grammar = awkward.grammar("/registry")
        listed = tiered(kinds(requests(grammar, out))[::3], grammar, out)
        (folder / "secret.json").write_bytes(SECRET)
        yield Built(server, out, paths, listed)


def answered(built: Built, line: str) -> Response:
    """The answer to a line of a file, with a Content-Length that is that of its body."""
    parts = ASKED.fullmatch(line)
    assert parts is not None, line
    given = dict(part.split(": ", 1) for part in (parts["headers"] or "").split("; ") if part)
    host, target = given.pop("Host", "localhost"), parts["target"]
    if any("ETAG" in value for value in given.values()):
        tag = built.server.get(target).headers["Etag"]
        given = {name: value.replace("ETAG", tag) for name, value in given.items()}
    sent = [f"{name}: {value}" for name, value in given.items()]
    (found,) = ask(built.server.port, [(parts["method"], target)], *sent, host=host)
    if parts["method"] == "HEAD":
        whole_too = [line for line in sent if not line.startswith("Range")]
        (whole,) = ask(built.server.port, [("GET", target)], *whole_too, host=host)
        assert (found.status, without(found, "Date")) == (whole.status, without(whole, "Date"))
    return found


def without(found: Response, *names: str) -> dict[str, str]:
    return {name: value for name, value in found.headers.items() if name not in names}


def written(built: Built, found: Response) -> Iterator[str]:
    """The lines of an answer."""
    given = without(found, *LEFT_OUT)
    yield f"    {found.status}{' – ETag' if 'Etag' in found.headers else ''}"
    if missing := [name for name in USUAL if name not in given]:
        yield f"    without {', '.join(missing)}"
    for name, value in sorted(given.items()):
        if USUAL.get(name) != value:
            yield f"    {name}: {POLICIES.get(value, value)}"
    if not found.body:
        return
    if path := built.paths.get(digest(found.body)):
        yield f"    = {path}"
    elif given["Content-Type"].startswith("application/problem+json"):
        problem = json.loads(found.body)
        code = problem.get("code", problem["type"])
        published = built.out / f"api/problems/{code}.json"
        if published.exists():
            assert {**json.loads(published.read_bytes()), **problem} == problem
        yield f"    {code}: {problem.get('detail', problem['title'])}"
        if problem.get("allowed") is not None:
            yield f"    allowed: {', '.join(problem['allowed'])}"
    elif len(found.body) < 100:
        yield from (f"    | {line}" for line in found.body.decode().splitlines())
    else:
        yield f"    {len(found.body)} bytes, {digest(found.body)}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_request_gets_its_recorded_answer(built: Built, file: Path, regenerate: bool) -> None:
    known = file.read_text("utf-8")
    lines = []
    for line in known.splitlines():
        if line.startswith("    "):
            continue
        lines.append(line)
        if line and not line.startswith("#"):
            found = answered(built, line)
            assert SECRET not in found.body, line
            lines += written(built, found)
    text = "\n".join(lines) + "\n"
    if regenerate:
        file.write_text(text, "utf-8")
    else:
        assert text == known


def test_each_kind_of_request_gets_its_exact_answer(built: Built) -> None:
    assert len(built.listed) > 500
    asked = [(wanted.method, wanted.target) for wanted in built.listed]
    for wanted, found in zip(built.listed, ask(built.server.port, asked), strict=True):
        location = found.headers.get("Location")
        assert (found.status, location) == (wanted.status, wanted.location), wanted
        if wanted.problem is not None and found.body:
            assert found.headers["Content-Type"] == headers.PROBLEM, wanted
            assert json.loads(found.body)["code"] == wanted.problem, wanted
        elif wanted.file is not None and wanted.file.startswith("/"):
            file = (built.out / wanted.file[1:]).read_bytes()
            assert found.headers["Content-Length"] == str(len(file)), wanted
            assert found.body == (b"" if wanted.method == "HEAD" else file), wanted
        elif wanted.file is not None and wanted.method != "HEAD":
            assert body_digest(found.body) == wanted.file, wanted


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]
