"""The engine in QuickJS: limits, which end one answer and not the next; what it reads, and when;
threads and forks; its table beside a build.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.contract.files import ReadFiles
from generator.disk.output_state import read_state_file
from generator.engine import bundles, context
from generator.engine.context import Engine, Request, Response
from generator.grammar.paths import INDEX
from generator.grammar.refusals import FAILED
from generator.reader.client import Client
from generator.reader.deployment import Deployment
from generator.reader.documents import ClientError
from generator.reader.verified import Untrusted
from generator.serve.mcp import answer_line
from support import commands
from support.answers import deployed, served
from support.talk import message

COUNT = "/api/projects?mode=count&by=status"
PAGE = "/api/projects?mode=page&q=a&sort=-year"
#: What a script does at an address of its own.
FAULTS = {
    "loop": "for (;;);",
    "jobs": "for (;;) await null;",
    "chain": "const again = () => Promise.resolve().then(again); await again();",
    "never": "await new Promise(() => {});",
    "memory": "const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1));",
    "stack": "const deep = () => deep() + 1; deep();",
    "expression": "/^(a+)+$/.test('a'.repeat(40) + 'b');",
    "throw": "throw new Error('secret');",
    "null": "null.x;",
}
SCRIPT = """
edge.add({ paths: ['/api/fault'], forms: 0, async answer({ query }, registry) {
  %s
  return {}
} })
"""


def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that are begun from now on have an address for each fault, and a second."""
    cases = " ".join(f"if (query === '{name}') {{ {code} }}" for name, code in FAULTS.items())
    script = bundles.own_bundle("edge") + f"{{\n{SCRIPT % cases}\n}}\n"
    monkeypatch.setattr(context, "own_bundle", lambda name: script)
    monkeypatch.setattr(context, "_SECONDS", 1.0)
    monkeypatch.setattr(context, "_MEMORY", 128 << 20)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_500_and_the_next_answer_is_right(
    fault: str, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = served(small, COUNT)
    faulty(monkeypatch)
    site, began = Deployment.open(small), time.monotonic()
    found = site.respond(Request(f"/api/fault?{fault}"))
    assert time.monotonic() - began < 20
    document = json.loads(found.body)
    assert (found.status, document["status"], document["detail"]) == (500, 500, FAILED)
    assert found.headers["content-type"] == "application/problem+json"
    assert b"secret" not in found.body
    again = site.respond(Request(COUNT))
    assert [(again.status, again.body)] == right


@pytest.mark.parametrize(
    "request_",
    [
        Request("/api/projects?mode=page&q=%ED%A0%80"),
        Request("/api/projects/\xed\xa0\x80"),
        Request("/\x00"),
        Request("/api/projects?mode=page&q=a\x00b"),
        Request("/api/projects", headers={"accept": "\udc80", "x-\udc80": "a"}),
        Request("/mcp", "POST", {"content-type": "application/json"}, b'{"id":"\\ud800"}'),
        Request("/mcp", "POST", {"content-type": "application/json"}, b"\xed\xa0\x80"),
        Request("/api/reconcile/projects", "POST", {}, b"queries=\xed\xa0\x80"),
        Request("/" + "a" * 100_000),
        Request("/mcp", "POST", {"content-type": "application/json"}, b"[" * 60_000),
    ],
    ids=range(10),
)
def test_no_bytes_of_a_request_end_the_engine(request_: Request, small: Path) -> None:
    site = Deployment.open(small)
    found = site.respond(request_)
    assert 200 <= found.status < 500, found.body
    again = site.respond(Request(COUNT))
    assert [(again.status, again.body)] == served(small, COUNT)


# --- reads ----------------------------------------------------------------------------------------


def reading(site: Deployment, before: Callable[[Sequence[str]], None]) -> Deployment:
    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        before(paths)
        return site.files(paths)

    return deployed(site.grammar, read)


def test_files_that_are_wanted_together_are_read_at_once(small: Path) -> None:
    reads = list[Sequence[str]]()
    site = reading(Deployment.open(small), reads.append)
    assert site.respond(Request("/api/search?q=a")).status == 200
    assert sorted(reads[0]) == sorted(
        collection.manifest_path for collection in site.grammar.collections.values()
    )
    paths = [path for read in reads for path in read]
    assert len(paths) == len({*paths}) and len(reads) <= 3


def test_the_time_of_reads_does_not_count(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = served(small, PAGE)
    monkeypatch.setattr(context, "_SECONDS", 0.5)
    site = reading(Deployment.open(small), lambda _: time.sleep(0.4))
    found = site.respond(Request(PAGE))
    assert [(found.status, found.body)] == right


def failing(client: Client, error: Exception) -> Client:
    """A client whose reader raises an error for files of the index and of records."""

    def read(paths: Sequence[str]) -> Sequence[bytes | None]:
        if any("/index/" in path or "/slug/" in path for path in paths):
            raise error
        return client.read(paths)

    return Client(client.where, read)


@pytest.mark.parametrize("error", [Untrusted("a.json was changed"), ClientError("answers 500")])
def test_what_a_reader_raises_is_raised(error: Exception, small: Path) -> None:
    client = failing(Client.open(str(small)), error)
    projects = client.collections["projects"]
    for ask in (
        lambda: client.query(projects, [], "page", q="a"),
        lambda: client.query(projects, [], "count", by="year"),
        lambda: client.record(projects, "bloom"),
    ):
        with pytest.raises(type(error)) as raised:
            ask()
        assert raised.value is error
    arguments = {"collection": "projects", "slug": "bloom"}
    asked = message("tools/call", name="get_record", arguments=arguments)
    answered = json.loads(answer_line(json.dumps(asked).encode(), client))["result"]
    document = json.loads(answered["content"][0]["text"])
    assert answered["isError"] and document["code"] == "unavailable"
    assert str(error) in document["detail"]


# --- threads and processes ------------------------------------------------------------------------

TARGETS = [COUNT, PAGE, "/api/projects/bloom", "/api/projects/blom", "/api/search?q=a",
           "/api/programs?mode=page&q=launch", "/api/dashboard", "/api/nothing"]  # fmt: skip


def answered(site: Deployment, target: str) -> tuple[int, bytes]:
    found: Response = site.respond(Request(target))
    return found.status, found.body


def test_threads_that_ask_at_once_get_their_answers(small: Path) -> None:
    right = dict(zip(TARGETS, served(small, *TARGETS), strict=True))
    site = Deployment.open(small)
    asked = TARGETS * 8
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda target: answered(site, target), asked))
    assert [one for one, target in zip(found, asked, strict=True) if one != right[target]] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_process_that_was_forked_after_a_question_answers_too(small: Path) -> None:
    site, right = Deployment.open(small), served(small, *TARGETS)
    assert answered(site, COUNT) == right[0]
    child = os.fork()
    if child == 0:
        is_right = [answered(site, target) for target in TARGETS] == right
        os._exit(0 if is_right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert answered(site, PAGE) == right[1]


def test_each_request_is_answered_from_the_files_that_it_is_given(small: Path) -> None:
    """The caches of an engine are of files, whichever registry they are of."""
    site = Deployment.open(small)
    changed = (small / "api/projects/slug/bloom.json").read_bytes().replace(b"Bloom", b"Gloom")

    def other(paths: Sequence[str]) -> list[bytes | None]:
        found = zip(paths, site.files(paths), strict=True)
        return [changed if path.endswith("/bloom.json") else data for path, data in found]

    engine = site.engine
    for read, name in (site.files, b"Bloom"), (other, b"Gloom"), (site.files, b"Bloom"):
        assert name in engine.respond(Request("/api/projects/bloom"), read).body


# --- the table beside a build ---------------------------------------------------------------------


def copied(small: Path, folder: Path) -> Path:
    """A build with its notes."""
    shutil.copytree(small.parent, folder / "copy")
    return folder / "copy/build"


def noted_table(out: Path, files: ReadFiles) -> str:
    return bundles.noted_table(read_state_file(out, bundles.NOTE), files)


def noted_at(out: Path) -> Path:
    (found,) = out.parent.glob(f".registry/*/{bundles.NOTE}")
    return found


def test_a_build_answers_alike_with_and_without_its_table(small: Path, tmp_path: Path) -> None:
    out = copied(small, tmp_path)
    noted = read_state_file(out, bundles.NOTE)
    assert noted is not None
    files: ReadFiles = Deployment.open(out).files
    assert noted_table(out, files) == noted.partition(b"\n")[2].decode()
    right = printed(out)
    of, _, table = noted.partition(b"\n")
    stale = b"00000000" + of[8:] + b"\n" + table
    for other in (stale, b"", b"{}", b"\xff\n{}", table, of, noted[:-1]):
        noted_at(out).write_bytes(other)
        assert noted_table(out, files) == ""
        assert printed(out) == right, other[:20]


def printed(out: Path) -> tuple[int, str, str]:
    done = commands.run_forked("count", "projects", "--by", "status", "--from", out)
    return done.status, done.out, done.err.replace(str(out), "OUT")


@pytest.mark.parametrize(
    ("path", "key"), [(INDEX, b'"surfaces"'), ("/api/projects/filters.json", b'"links"')]
)
def test_a_table_of_other_files_is_not_used(
    path: str, key: bytes, small: Path, tmp_path: Path
) -> None:
    out = copied(small, tmp_path)
    assert noted_table(out, Deployment.open(out).files)
    file = out / path[1:]
    file.write_bytes(file.read_bytes().replace(key, key + b" "))
    assert noted_table(out, Deployment.open(out).files) == ""


def test_a_table_is_made_once(small: Path) -> None:
    made = list[str]()

    def make() -> str:
        made.append(bundles.make_table(Deployment.open(small).grammar))
        return made[-1]

    engine, read = Engine(make), Deployment.open(small).files
    assert not made
    assert {engine.respond(Request(COUNT), read).status for _ in range(3)} == {200}
    assert len(made) == 1
