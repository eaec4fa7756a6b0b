"""`registry verify` reports missing, changed, outdated and foreign files, and no others."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import brotli
import pytest

from generator.contract import manifest
from generator.reader.answers import ClientError
from generator.reader.client import Client
from generator.reader.location import folder_reader
from generator.reader.verified import LatestRoot, Trust, Untrusted
from generator.reader.verify import Fault, find_unlisted, verify
from support import commands
from support.fake_host import FakeHost, Given

ROOT = "api/manifest/root.json"
RECORD = "api/projects/slug/bloom.json"


def faults(published: Path, trust: Trust | None = None, sample: int | None = None) -> list[Fault]:
    return verify(folder_reader(published), trust or Trust(), sample).faults


def bin_of(published: Path, path: str) -> Path:
    bits = json.loads((published / ROOT).read_bytes())["bits"]
    return published / f"api/manifest/bins/{manifest.bin_number(f'/{path}', bits)}.json"


def test_an_unchanged_copy_has_no_fault(published: Path) -> None:
    outcome = verify(folder_reader(published), Trust())
    assert outcome.root is not None and not outcome.faults
    assert outcome.files == outcome.root.files + 1  # build.json too
    assert outcome.bytes == outcome.root.bytes + outcome.root.build.size
    assert list(find_unlisted(published, outcome.paths)) == []


@pytest.mark.parametrize(
    ("copy", "change", "message"),
    [
        ("gz", None, None),
        ("br", None, None),
        ("gz", lambda data: gzip.compress(b"[]"), "it has another content than bloom.json"),
        ("br", lambda data: brotli.compress(b"[]"), "it has another content than bloom.json"),
        ("gz", lambda data: gzip.compress(bytes(1 << 24)), "it has another content than"),
        ("br", lambda data: brotli.compress(bytes(1 << 24)), "it has another content than"),
        ("gz", lambda data: data[:-9], "it is not compressed as its name says"),
        ("br", lambda data: data[:-1], "it is not compressed as its name says"),
        ("gz", lambda data: data + data, "it is not compressed as its name says"),
        ("br", lambda data: b"", "it is not compressed as its name says"),
    ],
)
def test_a_compressed_file_has_the_content_of_the_file_beside_it(
    copy: str, change: Callable[[bytes], bytes] | None, message: str | None, published: Path
) -> None:
    """Servers send it in place of that file."""
    pack = {"gz": gzip.compress, "br": brotli.compress}[copy]
    for path in (RECORD, "api/build.json", "404.html", ROOT):
        data = (published / path).read_bytes()
        (published / f"{path}.{copy}").write_bytes(pack(data))
    if change is not None:
        file = published / f"{RECORD}.{copy}"
        file.write_bytes(change(file.read_bytes()))
    paths = verify(folder_reader(published), Trust()).paths
    found = list(find_unlisted(published, paths))
    assert [fault.path for fault in found] == [f"/{RECORD}.{copy}"] * (message is not None)
    assert all(str(message) in fault.problem for fault in found)


def test_a_compressed_file_alone_is_reported(published: Path) -> None:
    (published / "other.json.gz").write_bytes(gzip.compress(b"{}"))
    paths = verify(folder_reader(published), Trust()).paths
    fault = ("/other.json.gz", "the manifest does not have it")
    assert list(find_unlisted(published, paths)) == [fault]


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        (RECORD, None, "it is missing"),
        (RECORD, lambda data: data + b" ", "bytes and should have"),
        (RECORD, lambda data: data.replace(b"Bloom", b"Gloom"), "its bytes differ"),
        ("api/build.json", lambda data: data.replace(b"2", b"3"), "its bytes differ"),
        ("skill.md", lambda data: b"", "it has 0 bytes"),
    ],
)
def test_a_changed_file_is_reported_by_its_path(
    path: str, data: Callable[[bytes], bytes] | None, message: str, published: Path
) -> None:
    if data is None:
        (published / path).unlink()
    else:
        (published / path).write_bytes(data((published / path).read_bytes()))
    [fault] = faults(published)
    assert fault.path == f"/{path}" and message in fault.problem


def test_a_bin_changed_with_its_file_is_reported(published: Path) -> None:
    (published / RECORD).write_bytes(b"{}")
    file = bin_of(published, RECORD)
    bin_data = json.loads(file.read_bytes())
    for entry in bin_data["data"]:
        if entry[0] == f"/{RECORD}":
            entry[1:] = [2, manifest.sha256_hex(b"{}")]
    file.write_text(json.dumps(bin_data))
    [fault] = faults(published)
    assert fault == (f"/{file.relative_to(published)}", "it is not what was published")


def test_a_changed_snapshot_is_reported_once(published: Path) -> None:
    (published / "api/manifest/snapshot.json").write_text("{}")
    assert faults(published) == [("/api/manifest/snapshot.json", "it is not what was published")]


@pytest.mark.parametrize("text", [None, "", "{}", "[]", "<html>"])
def test_an_invalid_root_is_reported(text: str | None, published: Path) -> None:
    if text is None:
        (published / ROOT).unlink()
    else:
        (published / ROOT).write_text(text)
    [fault] = faults(published)
    assert fault.path == f"/{ROOT}"


def test_an_expired_root_is_reported_and_the_files_are_checked(published: Path) -> None:
    later = Trust(now=lambda: datetime.now(UTC) + timedelta(days=40))
    (published / RECORD).write_bytes(b"{}")
    first, second = faults(published, later)
    assert "it expired at" in first.problem and second.path == f"/{RECORD}"


def test_an_older_root_and_a_second_root_of_a_version_are_reported(
    two_builds: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = two_builds
    memory = tmp_path / "state" / "seen"
    assert not faults(new, Trust(memory=memory))
    assert not faults(new, Trust(memory=memory))
    [fault] = faults(old, Trust(memory=memory))
    assert "it is an older copy" in fault.problem
    copy = shutil.copytree(new, tmp_path / "copy")
    raw = (copy / ROOT).read_bytes()
    (copy / ROOT).write_bytes(raw.replace(b'"keys":[]', b'"keys":["x"]'))
    [fault] = faults(copy, Trust(memory=memory))
    assert "two different roots" in fault.problem
    assert not faults(new, Trust(memory=memory))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version":"1","digest":"","keys":[]}',
        '{"version":1,"digest":"","keys":[],"pinned":"k"}',
        '{"version":1,"digest":"","keys":[],"pinned":[[]]}',
        "[" * 999,
    ],
)
def test_a_damaged_memory_is_ignored(text: str, tmp_path: Path) -> None:
    (tmp_path / "seen").write_text(text)
    assert LatestRoot.load(tmp_path / "seen") == LatestRoot()
    LatestRoot(5, "a", frozenset("k"), frozenset("p")).save(tmp_path / "seen")
    assert LatestRoot.load(tmp_path / "seen") == LatestRoot(5, "a", frozenset("k"), frozenset("p"))


def test_a_sample_has_the_given_number_of_files(published: Path) -> None:
    for count in (1, 20, 150):
        outcome = verify(folder_reader(published), Trust(), count)
        assert outcome.files == count + 1 and not outcome.faults
    every = verify(folder_reader(published), Trust(), 10**6)
    assert every.root is not None and every.files == every.root.files + 1
    for path in (published / "api/projects").rglob("*.json"):
        path.write_bytes(b"")
    assert faults(published, sample=150)


def test_unpublished_files_are_reported(published: Path) -> None:
    (published / "api/new.json").write_text("{}")
    outcome = verify(folder_reader(published), Trust())
    assert not outcome.faults
    assert [fault.path for fault in find_unlisted(published, outcome.paths)] == ["/api/new.json"]


def test_links_in_a_folder_are_reported(published: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("secret")
    (published / "backup").symlink_to(secret)
    (published / "api/projects/all").symlink_to("slug")
    (published / "api/index.json.gz").symlink_to(secret / "key.txt")
    (published / "gone").symlink_to(tmp_path / "nothing")
    done = commands.run_forked("verify", published)
    assert done.status == 1 and "4 faults" in done.err
    reported = {line.partition(": ")[0] for line in done.out.splitlines() if "it is a link" in line}
    assert reported == {"/backup", "/api/projects/all", "/api/index.json.gz", "/gone"}


def test_no_file_is_read_through_a_link(published: Path, tmp_path: Path) -> None:
    shutil.copy(published / RECORD, tmp_path / "elsewhere.json")
    (published / RECORD).unlink()
    os.symlink(tmp_path / "elsewhere.json", published / RECORD)
    assert faults(published) == [(f"/{RECORD}", "it is missing")]


# --- readers ---


@pytest.mark.parametrize("how", ["folder", "host"])
def test_a_verifying_client_answers_from_the_published_files(
    how: str, published: Path, host: FakeHost
) -> None:
    where = host.base if how == "host" else str(published)
    plain, checked = Client.open(where), Client.open(where, trust=Trust())
    projects = checked.grammar.projects
    for query in (
        checked.query(projects),
        checked.query(projects, q="bloom"),
        checked.query(projects, [("status", "active,acquired")]),
    ):
        assert checked.answer(query) == plain.answer(query)
    assert checked.record(projects, "bloom") == plain.record(projects, "bloom")


@pytest.mark.parametrize("how", ["folder", "host"])
@pytest.mark.parametrize("damage", ["changed", "removed"])
def test_a_verifying_client_refuses_anything_else(
    how: str, damage: str, published: Path, host: FakeHost
) -> None:
    where = host.base if how == "host" else str(published)
    checked = Client.open(where, trust=Trust())
    file = published / RECORD
    if damage == "changed":
        file.write_bytes(file.read_bytes().replace(b"Bloom", b"Gloom"))
    else:
        file.unlink()
    with pytest.raises(Untrusted, match=f"{host.base if how == 'host' else ''}.*cannot be trusted"):
        checked.record(checked.grammar.projects, "bloom")
    assert checked.record(checked.grammar.projects, "cairn")


def test_a_client_continues_after_the_registry_is_published_again(
    two_builds: tuple[Path, Path], host: FakeHost
) -> None:
    checked = Client.open(host.base, trust=Trust())
    assert checked.record(checked.grammar.projects, "bloom")["data"]["name"] == "Bloom"
    host.folder = two_builds[1]
    assert checked.record(checked.grammar.projects, "bloom")["data"]["name"] == "Bloom anew"
    host.folder = two_builds[0]
    with pytest.raises(Untrusted, match="older copy"):
        checked.record(checked.grammar.projects, "bloom")


def test_a_client_reads_little_of_the_manifest(host: FakeHost) -> None:
    checked = Client.open(host.base, trust=Trust())
    for _ in range(3):
        checked.record(checked.grammar.projects, "bloom")
    requested = [request.target for request, _ in host.seen if "/api/manifest/" in request.target]
    assert len(requested) == len(set(requested)), "each once"


def test_a_verifying_client_refuses_a_registry_without_a_manifest(host: FakeHost) -> None:
    host.wrong = lambda request: Given(404) if "/manifest/" in request.target else None
    Client.open(host.base)
    with pytest.raises(ClientError, match="without a manifest cannot be verified"):
        Client.open(host.base, trust=Trust())


# --- commands ---


def command(*arguments: object, status: int) -> commands.Done:
    done = commands.run_forked(*arguments)
    assert done.status == status, done.err
    return done


def test_verify_reports_faults_and_its_status(published: Path) -> None:
    assert ": as published, version " in command("verify", published, status=0).out
    (published / RECORD).write_bytes(b"{}")
    (published / "api/new.json").write_bytes(b"{}")
    done = command("verify", published, status=1)
    lines = done.out.splitlines()
    assert lines[0].startswith(f"/{RECORD}: it has 2 bytes and should have ")
    assert lines[1] == "/api/new.json: the manifest does not have it"
    assert done.err.startswith("2 faults in ")
    report: dict[str, Any] = json.loads(
        command("verify", published, "--format", "json", status=1).out
    )
    assert [fault["path"] for fault in report["faults"]] == [f"/{RECORD}", "/api/new.json"]
    command("verify", published / "nothing", status=2)
    command("verify", published, "--key", "mine", status=2)


def test_verify_of_a_host_remembers_its_root(
    two_builds: tuple[Path, Path], host: FakeHost, tmp_path: Path
) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    host.folder = two_builds[1]
    assert commands.run_forked("verify", host.base, env=env).status == 0
    host.folder = two_builds[0]
    done = commands.run_forked("verify", host.base, env=env)
    assert done.status == 1 and "it is an older copy" in done.out


def test_reading_commands_verify_with_the_option(published: Path) -> None:
    command("get", "projects/bloom", "--from", published, "--verify", status=0)
    (published / RECORD).write_bytes((published / RECORD).read_bytes().replace(b"Bloom", b"Gloom"))
    command("get", "projects/bloom", "--from", published, status=0)
    done = command("get", "projects/bloom", "--from", published, "--verify", status=1)
    assert f"/{RECORD}: its bytes differ" in done.err


def test_the_mcp_server_verifies_with_the_option(published: Path) -> None:
    (published / RECORD).write_bytes((published / RECORD).read_bytes().replace(b"Bloom", b"Gloom"))
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}
    ask = {"name": "get_record", "arguments": {"collection": "projects", "slug": "bloom"}}
    answers = {}
    for options in ((), ("--verify",)):
        server = subprocess.Popen(
            [*commands.REGISTRY, "mcp", "--from", str(published), *options],
            env=commands.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert server.stdin is not None and server.stdout is not None
        for number, (method, params) in enumerate((("initialize", hello), ("tools/call", ask))):
            call = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            server.stdin.write(json.dumps(call).encode() + b"\n")
            server.stdin.flush()
            answers[options] = server.stdout.readline().decode()
        server.communicate()
    assert "Gloom" in answers[()]
    assert (
        f"/{RECORD}: its bytes differ" in answers["--verify",]
        and "Gloom" not in answers["--verify",]
    )


CLIENT = {"name": "test", "version": "1"}
