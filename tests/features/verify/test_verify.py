"""`registry verify` reports missing, changed, outdated and foreign files, and no others."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest

from generator.features.verify.files import FileFault, find_unlisted, verify
from generator.reader.client import Client
from generator.reader.location import FolderReader
from generator.reader.verified import LatestRoot, Trust, Untrusted
from support import commands
from support.fake_host import FakeHost

ROOT = "api/manifest/root.json"
RECORD = "api/projects/slug/bloom.json"


def faults(
    published: Path, trust: Trust | None = None, sample: int | None = None
) -> list[FileFault]:
    return verify(FolderReader(published, stay=True), trust or Trust(), sample).faults


def test_an_unchanged_copy_has_no_fault(published: Path) -> None:
    outcome = verify(FolderReader(published, stay=True), Trust())
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
    paths = verify(FolderReader(published, stay=True), Trust()).paths
    found = list(find_unlisted(published, paths))
    assert [fault.path for fault in found] == [f"/{RECORD}.{copy}"] * (message is not None)
    assert all(str(message) in fault.problem for fault in found)


def test_a_compressed_file_alone_is_reported(published: Path) -> None:
    (published / "other.json.gz").write_bytes(gzip.compress(b"{}"))
    paths = verify(FolderReader(published, stay=True), Trust()).paths
    fault = ("/other.json.gz", "the manifest does not have it")
    assert list(find_unlisted(published, paths)) == [fault]


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"version":"1","digest":"","keys":[]}',
        '{"version":1,"digest":"","keys":[],"pinned":"k"}',
        '{"version":1,"digest":"","keys":[],"pinned":[[]]}', "[" * 999,
    ],
)  # fmt: skip
def test_a_damaged_memory_is_ignored(text: str, tmp_path: Path) -> None:
    (tmp_path / "seen").write_text(text)
    assert LatestRoot.load(tmp_path / "seen") == LatestRoot()
    LatestRoot(5, "a", frozenset("k"), frozenset("p")).save(tmp_path / "seen")
    assert LatestRoot.load(tmp_path / "seen") == LatestRoot(5, "a", frozenset("k"), frozenset("p"))


def test_a_sample_has_the_given_number_of_files(published: Path) -> None:
    for count in (1, 20, 150):
        outcome = verify(FolderReader(published, stay=True), Trust(), count)
        assert outcome.files == count + 1 and not outcome.faults
    every = verify(FolderReader(published, stay=True), Trust(), 10**6)
    assert every.root is not None and every.files == every.root.files + 1
    for path in (published / "api/projects").rglob("*.json"):
        path.write_bytes(b"")
    assert faults(published, sample=150)


@pytest.mark.parametrize("how", ["folder", "host"])
def test_a_verifying_client_answers_from_the_published_files(
    how: str, published: Path, host: FakeHost
) -> None:
    where = host.base if how == "host" else str(published)
    plain, checked = Client.open(where), Client.open(where, trust=Trust())
    projects = checked.collections["projects"]
    for filters, words in (([], {}), ([], {"q": "bloom"}), ([("status", "active,acquired")], {})):
        asked = checked.query(projects, filters, "page", **words)
        assert asked == plain.query(projects, filters, "page", **words)
    assert checked.record(projects, "bloom") == plain.record(projects, "bloom")


def test_a_client_continues_after_the_registry_is_published_again(
    two_builds: tuple[Path, Path], host: FakeHost
) -> None:
    checked = Client.open(host.base, trust=Trust())
    assert checked.record(checked.collections["projects"], "bloom")[1]["data"]["name"] == "Bloom"
    host.folder = two_builds[1]
    assert (
        checked.record(checked.collections["projects"], "bloom")[1]["data"]["name"] == "Bloom anew"
    )
    host.folder = two_builds[0]
    with pytest.raises(Untrusted, match="older copy"):
        checked.record(checked.collections["projects"], "bloom")


def test_a_client_reads_little_of_the_manifest(host: FakeHost) -> None:
    checked = Client.open(host.base, trust=Trust())
    for _ in range(3):
        checked.record(checked.collections["projects"], "bloom")
    requested = [request.target for request, _ in host.seen if "/api/manifest/" in request.target]
    assert len(requested) == len(set(requested)), "each once"


@pytest.mark.slow
def test_verify_of_a_host_remembers_its_root(
    two_builds: tuple[Path, Path], host: FakeHost, tmp_path: Path
) -> None:
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    host.folder = two_builds[1]
    assert commands.run_forked("verify", host.base, env=env).status == 0
    host.folder = two_builds[0]
    done = commands.run_forked("verify", host.base, env=env)
    assert done.status == 1 and "it is an older copy" in done.out


@pytest.mark.slow
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
