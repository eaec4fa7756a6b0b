"""`registry serve` as a process: rebuilds, reloads, trouble, and its end.

Answers to single requests are in test_served_answers.py, pages in a browser in test_served_site.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from generator.grammar import headers
from generator.grammar.paths import BUILD, DASHBOARD, NOT_FOUND
from generator.grammar.refusals import FAILED
from generator.serve.overlay import SCRIPT, STYLE
from support import commands, registries
from support.lanes import sample
from support.serving import SECONDS, Server, ask

OVERLAY = b'id="registry-problems"'
PROJECTS = "/api/projects?mode=page"
END_SIGNALS = [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server without pages (tests/serve/test_served_site.py has pages), of the folder
    `content` if it exists, otherwise of a small registry.
    """
    running: list[Server] = []

    def start(*options: str, **more: Any) -> Server:
        if not (tmp_path / "content").exists():
            registries.write(tmp_path / "content", registries.API)
        running.append(Server(tmp_path, *options, **more))
        return running[-1]

    yield start
    for server in running:
        server.kill()


def shows_problems(server: Server) -> bool:
    return OVERLAY in server.get("/nothing").body


def test_a_server_that_watches_says_its_addresses_and_adds_its_scripts_to_pages(
    serve: Callable[..., Server],
) -> None:
    """Another address of the loopback network stands for all other interfaces (RFC 1122 section
    3.2.1.3).
    """
    server = serve().started()
    printed = re.findall(r"^  http://127\.0\.0\.1:(\d+)(\S+)$", server.said, re.M)
    targets = [target for _, target in printed]
    assert {port for port, _ in printed} == {str(server.port)}
    assert {PROJECTS, "/api/dashboard", "/api/calendar/events", "/skill.md"} <= {*targets}
    assert [server.get(target).status for target in targets] == [200] * len(printed)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", server.port), timeout=SECONDS)
    page = server.get("/nothing")
    scripts = re.findall(rb'(?:src|href)="(/livereload[^"]*)"', page.body)
    assert [target.decode() for target in scripts] == [STYLE, SCRIPT]
    types = [server.get(target).headers["Content-Type"] for target in (STYLE, SCRIPT)]
    assert [kind.partition(";")[0] for kind in types] == ["text/css", "application/javascript"]
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]
    assert not re.search(rb"<style|<script(?! src)|\sstyle=|\son\w+=", page.body)
    assert not shows_problems(server) and "anon_inode:inotify" in files_of(server.process.pid)


def files_of(process: int) -> list[str]:
    return [os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")]


@pytest.mark.parametrize(
    "wrong",
    [
        "a b",
        *(
            pytest.param(host, marks=pytest.mark.slow)
            for host in ("http://registry.test", "*", "localhost:port", "")
        ),
    ],
)
def test_an_invalid_host_is_refused(serve: Callable[..., Server], wrong: str) -> None:
    server = serve("--allow-host", wrong)
    assert server.process.wait(SECONDS) == 2
    assert "is not a host" in server.told


# --- rebuilds ---


def test_twenty_saves_are_one_rebuild(serve: Callable[..., Server]) -> None:
    server = serve().started()
    with server.still():
        for n in range(20):
            server.write(f"new-{n:02}")
            # The same file is saved again and again, too.
            server.write("cairn", status="acquired", year=2000 + n)
    server.until(lambda: server.builds > 1)
    assert sum(name.startswith("new-") for name in server.names()) == 20
    # A separate build for any of these saves would come before this build.
    server.write("last")
    server.until(lambda: server.builds > 2 and "last" in server.names())
    assert server.builds == 3


@pytest.mark.slow
def test_a_rebuild_writes_the_files_of_registry_build(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    registries.write(tmp_path / "content")
    server = serve().started()
    with server.still():
        server.write("bloom", tags={"topic": ["space"]}, aliases=["was-bloom"])
        (server.content / "projects" / "cairn.yaml").unlink()
    server.until(lambda: server.names() == ["Aurora Grid", "bloom"])
    with server.locked():  # the build of this change has ended
        pass
    assert server.get("/api/projects/was-bloom").headers["Location"] == "/api/projects/bloom"
    assert server.end() == 0
    again = commands.build(server.content, tmp_path / "again", site=True)
    assert commands.differing(commands.files(server.out), commands.files(again)) == []


def test_requests_are_answered_while_a_build_runs(serve: Callable[..., Server]) -> None:
    server = serve().started()
    before = server.get(PROJECTS)
    with server.locked():
        server.write("new")
        server.until(lambda: "waiting" in server.told)
        assert server.get(PROJECTS) == before
        assert server.get("/api/projects/new").status == 404
    server.until(lambda: server.get("/api/projects/new").status == 200)


@pytest.mark.slow
def test_a_new_tag_family_adds_a_parameter(serve: Callable[..., Server]) -> None:
    server = serve().started()
    target = "/api/projects?mode=page&tag_size=small"
    assert json.loads(server.get(target).body)["code"] == "unknown-parameter"
    changed = registries.content(registries.SMALL)["registry"]
    changed["tag_families"] = {"size": {"label": "Size"}}
    with server.still():
        for record in server.content.glob("*/*.yaml"):
            record.unlink()
        server.save("registry.yaml", registries.as_yaml(changed))
        server.write("new", tags={"size": ["small"]})
    server.until(lambda: server.get(target).status == 200)
    assert (
        json.loads(server.get("/api/projects?mode=page&tag_topic=space").body)["code"]
        == "unknown-parameter"
    )


# --- trouble ---


def test_a_broken_record_is_reported_and_the_last_good_build_stays(
    serve: Callable[..., Server],
) -> None:
    server = serve().started()
    before = [server.get(target) for target in (PROJECTS, DASHBOARD, "/api/projects")]
    server.save("organizations/new.yaml", "name: New\ncategory: <script>alert(1)</script>\n")
    server.write("bloom", programs=["lunch"])
    server.until(lambda: "error[unknown-reference]" in server.told)
    server.until(lambda: b"unknown-reference" in server.get("/nothing").body)
    assert "content/projects/bloom.yaml" in server.told
    page = server.get("/nothing")
    for part in (
        b"content/projects/bloom.yaml:",
        b"unknown-reference",
        b"did you mean &quot;launch&quot;?",
        b"&lt;script&gt;alert(1)",
    ):
        assert part in page.body
    assert b"<script>alert" not in page.body
    assert [server.get(target) for target in (PROJECTS, DASHBOARD, "/api/projects")] == before
    assert (
        server.get(NOT_FOUND).headers["Content-Length"]
        == next(ask(server.port, [("HEAD", NOT_FOUND)])).headers["Content-Length"]
    )
    (server.content / "organizations" / "new.yaml").unlink()
    server.write("bloom")
    server.until(lambda: not shows_problems(server))
    assert "bloom" in server.names()


@pytest.mark.slow
def test_the_server_survives_a_broken_registry_file_and_a_missing_folder(
    serve: Callable[..., Server],
) -> None:
    server = serve().started()
    registry, elsewhere = server.content / "registry.yaml", server.folder / "elsewhere"
    good, before = registry.read_text(), server.get(PROJECTS)
    for damage in ("tag_families: [", "name: 1\n", "", "\0"):
        server.save("registry.yaml", damage)
        server.until(lambda: shows_problems(server))
        assert server.get(PROJECTS) == before
        server.save("registry.yaml", good)
        server.until(lambda: not shows_problems(server))
    for n in range(2):
        server.content.rename(elsewhere)
        server.until(lambda: b"content folder cannot be read" in server.get("/nothing").body)
        assert server.get(PROJECTS) == before
        registries.write(server.folder / "again").rename(server.content)
        server.until(lambda: not shows_problems(server))
        # The server watches the new folder like the old folder.
        server.write(f"new-{n}")
        server.until(lambda n=n: f"new-{n}" in server.names())
        subprocess.run(["rm", "-r", str(server.content), str(elsewhere)], check=True)
        server.until(lambda: shows_problems(server))
        registries.write(server.folder / "again").rename(server.content)
        server.until(lambda: not shows_problems(server))
        assert server.get(PROJECTS) == before


def test_an_exception_in_an_answer_is_a_problem_document_and_a_long_answer_holds_up_no_other(
    serve: Callable[..., Server],
) -> None:
    server = serve(program=commands.program("waiting")).started()
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as slow:
        slow.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert server.get("/quick").status == 404
        assert slow.recv(100).startswith(b"HTTP/1.1 404")
    found = server.get("/boom")
    assert (found.status, found.headers["Content-Type"]) == (500, headers.PROBLEM)
    assert json.loads(found.body)["detail"] == FAILED
    server.until(lambda: "RuntimeError: boom" in server.told)
    assert "Aurora Grid" in server.names()


#: What happens to a build (tests/support/programs/boom.py) -> what pages say about it.
FAULTS = {
    "": b"boom &lt;b&gt;",
    "SIGKILL": b"builds was killed",
    "memory": b"not enough memory",
}


@pytest.mark.parametrize("faults", sample([["", "SIGKILL"]], [["memory"]]))
def test_the_server_survives_builds_that_fail_or_are_killed(
    serve: Callable[..., Server], faults: list[str]
) -> None:
    server = serve(program=commands.program("boom")).started()
    for fault in faults:
        (server.folder / "boom").write_text(fault)
        names = {f"new{fault.lower()}", f"newer{fault.lower()}"}
        server.write(min(names, key=len))
        server.until(lambda fault=fault: FAULTS[fault] in server.get("/nothing").body)
        if not fault:
            server.until(lambda: "RuntimeError: boom <b>" in server.told)
        assert "Aurora Grid" in server.names()
        (server.folder / "boom").unlink()
        server.write(max(names, key=len))
        server.until(lambda names=names: names <= set(server.names()))
        server.until(lambda: not shows_problems(server))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
def test_the_process_that_builds_has_one_thread(serve: Callable[..., Server]) -> None:
    server = serve().started()
    builders = [p for p in Path("/proc").glob("[0-9]*") if parent(p) == server.process.pid]
    assert builders and {len(list((p / "task").iterdir())) for p in builders} == {1}


def parent(process: Path) -> int:
    """The id of a process's parent; 0 if it has ended."""
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def test_the_server_waits_for_errors_at_the_start_to_be_fixed(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    broken = registries.content(registries.API, projects={"bloom": {"nam": "Bloom"}})
    registries.write(tmp_path / "content", broken)
    server = serve().started()
    assert "error[unknown-field]" in server.told and "there is no build yet" in server.told
    assert PROJECTS not in server.told and "is as it was" not in server.told
    for target, kind in ((PROJECTS, headers.PROBLEM), ("/", headers.MEDIA_TYPES["html"])):
        found = server.get(target)
        assert (found.status, found.headers["Content-Type"]) == (503, kind)
    assert OVERLAY in server.get("/").body and b"There is no build yet." in server.get("/").body
    others = ask(server.port, [("OPTIONS", "/"), ("POST", DASHBOARD)])
    assert [found.status for found in others] == [204, 405]
    server.write("bloom")
    server.until(lambda: server.get(PROJECTS).status == 200)
    assert server.names() == ["bloom"]


@pytest.mark.slow
def test_an_earlier_build_is_served_despite_errors_at_the_start(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    commands.build(registries.write(tmp_path / "content"), tmp_path / "out")
    (tmp_path / "content" / "projects" / "bloom.yaml").write_text("nam: Bloom\n")
    server = serve().started()
    assert server.names() == ["Aurora Grid", "Bloom", "Cairn"]
    assert OVERLAY in server.get("/").body


@pytest.mark.slow
def test_a_build_of_other_content_is_never_served(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    """The other content has the same shape and the same folder: only its identity differs."""
    registries.write(tmp_path / "content", registries.content(projects={"bloom": {"nam": "Bloom"}}))
    commands.build(registries.write(tmp_path / "other"), tmp_path / "out")
    server = serve().started()
    assert (server.get(PROJECTS).status, server.get("/").status) == (503, 503)
    assert b"There is no build yet." in server.get("/").body
    server.write("bloom")
    server.until(lambda: server.get(PROJECTS).status == 200)
    server.until(lambda: not shows_problems(server))
    server.save("projects/bloom.yaml", "nam: Bloom\n")
    server.until(lambda: shows_problems(server))
    assert server.names() == ["bloom"]
    # Another process builds other content there meanwhile.
    commands.build(tmp_path / "other", server.out)
    assert server.get(PROJECTS).status == 503


@pytest.mark.slow
def test_removed_notes_beside_a_build_stop_no_server(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    """The cache of the build stays, and says that nothing changed."""
    server = serve().started()
    shutil.rmtree(tmp_path / ".registry")
    assert server.get(PROJECTS).status == 200
    assert server.end() == 0
    again = serve().started()
    assert again.get(PROJECTS).status == 200
    again.write("new")
    again.until(lambda: again.get("/api/projects/new").status == 200)


@pytest.mark.slow
def test_unfinished_files_of_a_killed_build_are_not_served(serve: Callable[..., Server]) -> None:
    server = serve().started()
    journal = server.folder / ".registry" / "out" / "journal"

    def refused() -> bool:
        journal.touch()  # repeatedly: a build of the start may still run and finish the moves
        return server.get(PROJECTS).status == 503

    server.until(refused)
    server.write("new")
    server.until(lambda: server.get("/api/projects/new").status == 200)
    server.until(lambda: not journal.exists())


@pytest.mark.slow
@pytest.mark.parametrize("reload", [True, False])
def test_a_failed_start_releases_the_lock_and_does_not_wait(
    reload: bool, serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve().started()
    assert server.end() == 0
    (tmp_path / ".registry" / "out" / "journal").write_bytes(b"")
    (tmp_path / ".registry" / "out" / "new-x").touch()
    server = serve(*(["--no-reload"] * (not reload))).started()
    assert server.get(PROJECTS).status == 200
    assert "waiting" not in server.told


# --- reload ---


async def close(socket: WebSocketClientConnection) -> None:
    """Close a connection and wait until the server has closed it too.

    A connection that waits for the server when its loop ends stays open, in a reference cycle.
    """
    socket.close()
    while await asyncio.wait_for(socket.read_message(), SECONDS) is not None:
        pass


def test_browsers_are_notified_of_every_rebuild(serve: Callable[..., Server]) -> None:
    """With protocol 7 of livereload.js (https:

    github.com/livereload/livereload-js).
    """
    server = serve().started()

    async def listen() -> None:
        socket = await websocket_connect(f"ws://127.0.0.1:{server.port}/livereload")

        async def message() -> Any:
            return json.loads(str(await asyncio.wait_for(socket.read_message(), SECONDS)))

        await socket.write_message(
            json.dumps(
                {"command": "hello", "protocols": ["http://livereload.com/protocols/official-7"]}
            )
        )
        assert (await message())["command"] == "hello"
        await socket.write_message(json.dumps({"command": "info", "url": "http://localhost/"}))
        await socket.write_message(json.dumps({"command": "hello"}))
        await message()  # the server has processed the former message
        # Two messages in quick succession: neither is lost.
        for name, fields in (
            ("one", {}),
            ("two", {}),
            ("three", {"programs": ["nobody"]}),
            ("three", {}),
        ):
            server.write(name, **fields)
            assert (await message())["command"] == "reload"
            assert shows_problems(server) == bool(fields)
        await close(socket)

    asyncio.run(listen())


@pytest.mark.slow
def test_invalid_livereload_messages_end_the_connection(
    serve: Callable[..., Server],
) -> None:
    server = serve().started()
    hello = json.dumps({"command": "hello"})
    wrong: tuple[str | bytes, ...] = (
        *("", "x", "[]", "null", "7", '"hello"', "{}", '{"command": 7}', '{"command": null}'),
        *("[" * 50_000, '{"command": "hello", "x": ' + "[" * 30_000, "x" * 100_000, b"\xff{"),
    )

    async def send(message: str | bytes) -> None:
        socket = await websocket_connect(f"ws://127.0.0.1:{server.port}/livereload")
        await socket.write_message(message, binary=isinstance(message, bytes))
        assert await asyncio.wait_for(socket.read_message(), SECONDS) is None, message[:30]
        socket.close()

    async def talk() -> None:
        for message in wrong:
            await send(message)
        socket = await websocket_connect(f"ws://127.0.0.1:{server.port}/livereload")
        await socket.write_message(hello)
        assert await asyncio.wait_for(socket.read_message(), SECONDS) is not None
        await close(socket)

    asyncio.run(talk())
    assert "Traceback" not in server.told and "Error" not in server.told, server.told


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_without_reload_nothing_is_watched_and_nothing_is_added(
    serve: Callable[..., Server],
) -> None:
    server = serve("--no-reload").started()
    assert server.get("/nothing").body == (server.out / NOT_FOUND[1:]).read_bytes()
    assert [server.get(target).status for target in (SCRIPT, STYLE, "/livereload")] == [404] * 3
    assert "Watching" not in server.said
    assert "anon_inode:inotify" not in files_of(server.process.pid)


def test_without_reload_errors_at_the_start_end_the_server(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    commands.build(registries.write(tmp_path / "content"), tmp_path / "out")
    (tmp_path / "content" / "projects" / "bloom.yaml").write_text("nam: Bloom\n")
    server = serve("--no-reload")
    assert server.process.wait(SECONDS) == 1
    assert "error[unknown-field]" in server.told
    assert server.said == ""


# --- beginning and end ---


def test_a_used_port_is_reported_with_a_free_port(
    serve: Callable[..., Server],
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        server = serve("--port", str(port))
        assert server.process.wait(SECONDS) == 2
    found = re.fullmatch(
        rf"Error: Port {port} is taken by another program; (\d+) is free: --port \1\n", server.told
    )
    assert found is not None, server.told
    assert int(found[1]) != port
    # No build was wasted.
    assert not server.out.exists()


def test_a_folder_other_than_an_output_is_refused(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("dear")
    server = serve()
    assert server.process.wait(SECONDS) == 2
    assert "contains other files, not a build" in server.told
    assert os.listdir(tmp_path / "out") == ["letter.txt"]


@pytest.mark.parametrize("number", END_SIGNALS)
def test_the_server_ends_cleanly_and_frees_its_port(
    serve: Callable[..., Server], number: int
) -> None:
    server = serve().started()
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS):
        log = server.told
        assert server.end(number) == 0
    assert server.told == log
    again = serve("--port", str(server.port)).started()
    assert again.get(BUILD).status == 200


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_with_the_first_line_ends_the_server_like_a_later_one(
    serve: Callable[..., Server], number: int
) -> None:
    server = serve(program=(*commands.program("signalled"), str(int(number))))
    assert server.process.wait(SECONDS) == 0
    assert re.fullmatch(r"\S+  Built .*\n", server.told) and server.said == ""


@pytest.mark.slow
def test_the_server_ends_cleanly_during_its_first_build(serve: Callable[..., Server]) -> None:
    first = serve().started()
    assert first.end() == 0
    with first.locked():
        for end in (Server.end, Server.hang_up):
            for number in (signal.SIGINT, signal.SIGTERM):
                server = serve()
                server.until(lambda server=server: "waiting" in server.told)
                assert end(server, number) == 0
                assert server.said == ""
                assert "Traceback" not in server.told and "killed" not in server.told


@pytest.mark.slow
def test_two_signals_at_once_end_the_server_once(serve: Callable[..., Server]) -> None:
    first = serve().started()
    assert first.end() == 0
    with first.locked():
        server = serve()
        server.until(lambda: "waiting" in server.told)
        with server.still():  # both signals arrive before either is handled
            for number in (signal.SIGINT, signal.SIGTERM):
                os.killpg(server.process.pid, number)
        assert server.process.wait(SECONDS) == 0
    assert server.said == ""
    assert "Traceback" not in server.told


@pytest.mark.slow
def test_the_server_ends_cleanly_during_a_later_build(serve: Callable[..., Server]) -> None:
    server = serve().started()
    with server.locked():
        server.write("new")
        server.until(lambda: "waiting" in server.told)
        log = server.told
        assert server.hang_up(signal.SIGINT) == 0
        assert server.told == log
    done = commands.run("build", "--out", "out", "--explain", cwd=server.folder)
    assert done.status == 0 and "new.json" in done.err + done.out


def test_help_imports_neither_the_server_nor_the_build() -> None:
    heavy = (
        "tornado",
        "livereload",
        "watchfiles",
        "generator.build",
        "generator.serve.answer",
        "pydantic",
        "orjson",
    )
    code = f"""
import sys, generator.cli.publishing.serve
generator.cli.publishing.serve.command.main(["--help"], standalone_mode=False)
print([name for name in {heavy} if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=commands.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "--no-reload" in done.stdout
