"""`registry serve` as a process: saves, reloads, trouble, and its end.

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
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from generator.grammar import headers
from generator.grammar.paths import BUILD, DASHBOARD, NOT_FOUND
from generator.grammar.refusals import FAILED
from generator.serve.live import SCRIPT, SOURCE, STYLE
from support import commands, registries
from support.git import git as git_in
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
    assert [target.decode().partition("?")[0] for target in scripts] == [STYLE, SCRIPT]
    types = [server.get(target).headers["Content-Type"] for target in (STYLE, SCRIPT)]
    assert [kind.partition(";")[0] for kind in types] == ["text/css", "application/javascript"]
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]
    assert not re.search(rb"<style|<script(?! src)|\sstyle=|\son\w+=", page.body)
    assert not shows_problems(server) and "anon_inode:inotify" in files_of(server.process.pid)


def files_of(process: int) -> list[str]:
    """What a process holds open; a connection that it closes meanwhile is passed over."""
    files = []
    for name in os.listdir(f"/proc/{process}/fd"):
        with suppress(FileNotFoundError):
            files.append(os.readlink(f"/proc/{process}/fd/{name}"))
    return files


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


# --- saves ---


@pytest.mark.slow
def test_a_save_after_more_events_than_the_system_keeps_is_read(
    serve: Callable[..., Server],
) -> None:
    limit = Path("/proc/sys/fs/inotify/max_queued_events")
    most = int(limit.read_text()) if limit.exists() else 0
    if not 0 < most <= 100_000:
        pytest.skip(f"The queue of events of this system takes {most:,} events.")
    server = serve().started()
    hidden = [server.content / "projects" / f".{name}" for name in "ab"]
    with server.still():
        for number in range(most + 2_000):  # equal events in succession would be one
            hidden[number % 2].write_bytes(b"a")
        server.write("late")
    began = time.monotonic()
    server.until(lambda: "late" in server.names())
    assert time.monotonic() - began < 10


def test_twenty_saves_are_one_read(serve: Callable[..., Server]) -> None:
    server = serve().started()
    with server.still():
        for n in range(20):
            server.write(f"new-{n:02}")
            # The same file is saved again and again, too.
            server.write("cairn", status="acquired", year=2000 + n)
    server.until(lambda: server.reads)
    assert sum(name.startswith("new-") for name in server.names()) == 20
    # A separate read for any of these saves would come before this one.
    server.write("last")
    server.until(lambda: len(server.reads) > 1 and "last" in server.names())
    server.until(lambda: server.reads == ["21 records read again", "1 record read again"])


def test_requests_during_a_read_get_the_state_before_and_a_save_during_it_is_read_next(
    serve: Callable[..., Server],
) -> None:
    server = serve(program=commands.program("held")).started()
    before = server.get(PROJECTS)
    with server.held() as wait:
        server.write("new")
        wait()
        assert server.get(PROJECTS) == before
        assert server.get("/api/projects/new").status == 404
        server.write("new", year=2020)  # the file was read already
    server.until(lambda: server.get("/api/projects/new").status == 200)
    server.until(lambda: json.loads(server.get("/api/projects/new").body)["data"]["year"] == 2020)
    # What was read answers before it is reported.
    server.until(lambda: server.reads == ["1 record read again"] * 2)


def test_a_save_tells_what_was_read_again(serve: Callable[..., Server], tmp_path: Path) -> None:
    registries.write(tmp_path / "content")
    server = serve("--no-site").started()

    def told(change: Callable[[], object]) -> str:
        before = len(server.told)
        change()
        server.until(lambda: re.search(r"(?: s|changed)\.\n\Z", server.told[before:]))
        return re.sub(r"\d\d:\d\d:\d\d  |\d+\.\d\d(?= s)", "", server.told[before:])

    registry = registries.SMALL["registry"]
    program = registries.SMALL["programs"]["launch"]
    total = sum(len(members) for name, members in registries.SMALL.items() if name != "registry")
    renamed = registries.as_yaml(registry | {"name": "Other"})
    found = told(lambda: server.save("registry.yaml", renamed))
    assert found == "registry.yaml read again in  s.\n"
    text = registries.as_yaml(program | {"name": "Launchpad"})
    again = f"All {total} records read again in  s, because programs changed.\n"
    assert told(lambda: server.save("programs/launch.yaml", text)) == again
    assert "Launchpad" in server.get("/api/programs?mode=page").body.decode()
    found = told(lambda: server.write("new"))
    assert found.endswith("1 record read again in  s.\n")
    assert re.match(r"Since the last save: projects \d+ → \d+\.\n", found)
    folder = server.content / "projects"

    def replace() -> None:
        with server.still():
            folder.rename(tmp_path / "old")
            shutil.copytree(tmp_path / "old", folder)

    assert told(replace).endswith("4 records read again in  s.\n")


@pytest.mark.slow
def test_a_checkout_of_another_branch_shows_that_branch(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    git = partial(git_in, tmp_path)
    git("init", "-q")
    git("add", "content")
    git("commit", "-q", "-m", "Few")
    git("checkout", "-q", "-b", "many")
    for n in range(2000):
        text = registries.as_yaml({"name": f"Many {n}"})
        (content / "projects" / f"many-{n:04}.yaml").write_text(text)
    git("add", "content")
    git("commit", "-q", "-m", "Many")
    server = serve("--no-site").started()

    def total() -> int:
        return int(json.loads(server.get(PROJECTS).body)["page"]["total_items"])

    few = total() - 2000
    for branch, wanted in (("main", few), ("many", few + 2000), ("main", few)):
        git("checkout", "-q", branch)
        server.until(lambda wanted=wanted: total() == wanted)


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


def test_a_broken_record_is_reported_and_left_out(serve: Callable[..., Server]) -> None:
    server = serve().started()
    before = server.names()
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
    assert server.names() == [name for name in before if name != "Bloom"]
    source = server.get(f"{SOURCE}?content/projects/bloom.yaml")
    assert b'<li id="L1">' in source.body and b"lunch" in source.body
    for path in ("content/projects/cairn.yaml", "/etc/passwd", "content/../../stdout", ""):
        assert server.get(f"{SOURCE}?{path}").status == 404
    assert (
        server.get(NOT_FOUND).headers["Content-Length"]
        == next(ask(server.port, [("HEAD", NOT_FOUND)])).headers["Content-Length"]
    )
    (server.content / "organizations" / "new.yaml").unlink()
    server.write("bloom")
    server.until(lambda: not shows_problems(server))
    assert "bloom" in server.names()
    server.until(lambda: re.search(r"Problems: .*[1-9] fixed.*\n(?:.*\n)*\Z", server.told))


def test_problems_are_lines_after_the_addresses_and_each_save_says_what_changed(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    records = registries.content(registries.API)
    records["projects"] |= {f"p{n:02}": {"name": f"P {n}", f"wrong{n}": n} for n in range(25)}
    registries.write(tmp_path / "content", records)
    server = serve("--no-site").started()

    def told(from_line: int) -> list[str]:
        server.until(lambda: len(server.told.splitlines()) > from_line)
        server.until(lambda: re.search(r"(?:Without .*|\d s.*)\.\n\Z", server.told))
        return re.sub(r"\d\d:\d\d:\d\d  ", "", server.told).splitlines()[from_line:]

    lines = told(0)
    assert len(lines) == 24 and len([line for line in lines if ": error[" in line]) == 20
    assert lines[0].startswith("content/projects/p00.yaml:3:2: error[unknown-field]: ")
    assert lines[20:22] == ["and 5 more: registry check", "Problems: 25 errors, 0 warnings."]
    assert lines[23] == "Without 25 records: their files have errors."
    server.write("p00")
    lines = told(24)
    assert lines[0] == "Problems: 1 fixed; 24 as before."
    assert lines[-1] == "Without 24 records: their files have errors."
    server.write("p01", wrong=1)
    seen = 24 + len(lines)
    lines = told(seen)
    assert lines[0].startswith("content/projects/p01.yaml:")
    assert lines[1] == "Problems: 1 error, 0 warnings new; 1 fixed; 23 as before."


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
    found = server.get("/api/boom")
    assert (found.status, found.headers["Content-Type"]) == (500, headers.PROBLEM)
    assert json.loads(found.body)["detail"] == FAILED
    page = server.get("/boom")
    assert (page.status, page.headers["Content-Type"]) == (500, headers.MEDIA_TYPES["html"])
    assert OVERLAY in page.body and b"RuntimeError: boom" in page.body
    server.until(lambda: "RuntimeError: boom" in server.told)
    assert "Aurora Grid" in server.names()


def test_a_failing_template_of_the_registry_is_named_on_the_page(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    registries.write(tmp_path / "content")
    own = tmp_path / "templates" / "site"
    own.mkdir(parents=True)
    template = own / "home.html.j2"
    template.write_text("{{ nothing.at.all }}")
    server = serve().started()
    page = server.get("/")
    assert page.status == 500 and b"This page could not be made." in page.body
    assert b"templates/site/home.html.j2:1: &#x27;nothing&#x27;" in page.body
    assert server.get(PROJECTS).status == 200
    template.write_text("<h1>Mended</h1>")
    server.until(lambda: b"<h1>Mended</h1>" in server.get("/").body)


@pytest.mark.parametrize("fault", sample([""], ["memory"]))
def test_the_server_survives_reads_that_fail(serve: Callable[..., Server], fault: str) -> None:
    server = serve(program=commands.program("held")).started()
    (server.folder / "boom").write_text(fault)
    server.write("new")
    why = b"not enough memory" if fault else b"boom &lt;b&gt;"
    server.until(lambda: why in server.get("/nothing").body)
    server.until(lambda: "RuntimeError: boom <b>" in server.told or fault)
    assert "Aurora Grid" in server.names()
    (server.folder / "boom").unlink()
    server.write("newer")
    server.until(lambda: {"new", "newer"} <= set(server.names()))
    server.until(lambda: not shows_problems(server))


def test_the_server_waits_for_errors_at_the_start_to_be_fixed(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    broken = registries.content(registries.API, registry={"nam": "Bloom"})
    registries.write(tmp_path / "content", broken)
    server = serve().started()
    server.until(lambda: "Nothing is shown until" in server.told)
    assert "error[unknown-field]" in server.told
    assert PROJECTS not in server.said
    for target, kind in ((PROJECTS, headers.PROBLEM), ("/", headers.MEDIA_TYPES["html"])):
        found = server.get(target)
        assert (found.status, found.headers["Content-Type"]) == (503, kind)
    page = server.get("/").body
    assert OVERLAY in page and b"There is nothing to show yet." in page
    others = ask(server.port, [("OPTIONS", "/"), ("POST", DASHBOARD)])
    assert [found.status for found in others] == [204, 405]
    server.save("registry.yaml", registries.as_yaml(registries.API["registry"]))
    server.until(lambda: server.get(PROJECTS).status == 200)
    assert "Bloom" in server.names()


# --- reload ---


async def close(socket: WebSocketClientConnection) -> None:
    """Close a connection and wait until the server has closed it too.

    A connection that waits for the server when its loop ends stays open, in a reference cycle.
    """
    socket.close()
    while await asyncio.wait_for(socket.read_message(), SECONDS) is not None:
        pass


def test_browsers_are_notified_of_every_read(serve: Callable[..., Server]) -> None:
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


def test_a_page_that_connects_after_a_save_is_reloaded(serve: Callable[..., Server]) -> None:
    """It was made before the save, and its script was not yet there to be notified."""
    server = serve().started()

    async def told(state: str) -> list[str]:
        socket = await websocket_connect(f"ws://127.0.0.1:{server.port}/livereload")
        for fields in ({"command": "hello", "snipver": state}, {"command": "info", "url": "/"}):
            await socket.write_message(json.dumps(fields))
        await socket.write_message(json.dumps({"command": "hello"}))
        told = []
        while told.count("hello") < 2:
            message = await asyncio.wait_for(socket.read_message(), SECONDS)
            told.append(json.loads(str(message))["command"])
        await close(socket)
        return told

    def shown() -> str:
        found = re.search(rb"livereload\.js\?snipver=([\w-]+)", server.get("/nothing").body)
        assert found is not None
        return found[1].decode()

    before = shown()
    assert asyncio.run(told(before)) == ["hello", "hello"]
    server.write("one")
    server.until(lambda: shown() != before)
    assert "one" in server.names()
    assert asyncio.run(told(before)) == ["hello", "reload", "hello"]
    assert asyncio.run(told(shown())) == ["hello", "hello"]


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
    assert server.get("/nothing").body == server.get(NOT_FOUND).body
    assert b"livereload" not in server.get(NOT_FOUND).body
    assert [server.get(target).status for target in (SCRIPT, STYLE, "/livereload")] == [404] * 3
    assert "Watching" not in server.said
    assert "anon_inode:inotify" not in files_of(server.process.pid)


def test_without_reload_pages_say_what_is_left_out(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content", registries.API)
    (content / "projects" / "bloom.yaml").write_text("nam: Bloom\n")
    server = serve("--no-reload").started()
    page = server.get("/nothing").body
    assert OVERLAY in page and b"1 record is missing here" in page and SCRIPT.encode() not in page
    assert server.get(STYLE).status == 200 and "Bloom" not in server.names()
    assert server.get(f"{SOURCE}?content/projects/bloom.yaml").status == 200


def test_without_reload_errors_in_registry_yaml_end_the_server(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    content = registries.write(tmp_path / "content")
    (content / "registry.yaml").write_text("nam: Bloom\n")
    server = serve("--no-reload")
    assert server.process.wait(SECONDS) == 1
    assert "error[missing-field]" in server.told
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


def test_nothing_is_written(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve().started()
    before = commands.files(server.content)
    for target in (PROJECTS, "/api/projects?mode=page&q=bloom", "/nothing"):
        server.get(target)
    assert server.end() == 0
    assert {*os.listdir(tmp_path)} == {"content", "stdout", "stderr"}
    assert commands.files(server.content) == before


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
    assert server.said.startswith("Serving ") and "Traceback" not in server.told


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("number", END_SIGNALS)
def test_the_server_ends_at_once_during_its_first_read(
    serve: Callable[..., Server], tmp_path: Path, number: int, together: bool
) -> None:
    (tmp_path / "hold").touch()
    server = serve(program=commands.program("held"))
    server.until((tmp_path / "waiting").exists)
    assert (server.hang_up(number) if together else server.end(number)) == 0
    assert server.said == server.told == ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
def test_the_processes_of_the_first_read_end_with_the_server(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    records = registries.content(registries.API)
    records["projects"] = {f"many-{n}": {"name": f"Many {n}"} for n in range(4000)}
    registries.write(tmp_path / "content", records)
    server = serve()
    children = list[Path]()

    def forked() -> bool:
        children[:] = [p for p in Path("/proc").glob("[0-9]*") if parent(p) == server.process.pid]
        return bool(children)

    server.until(forked)
    assert server.hang_up(signal.SIGINT) == 0
    server.until(lambda: not any(parent(child) for child in children))
    assert "Traceback" not in server.told and server.said == ""


def parent(process: Path) -> int:
    """The id of a process's parent; 0 if it has ended."""
    try:
        state, number = (process / "stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return 0
    return 0 if state == "Z" else int(number)


@pytest.mark.slow
def test_two_signals_at_once_end_the_server_once(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    (tmp_path / "hold").touch()
    server = serve(program=commands.program("held"))
    server.until((tmp_path / "waiting").exists)
    with server.still():  # both signals arrive before either is handled
        for number in (signal.SIGINT, signal.SIGTERM):
            os.killpg(server.process.pid, number)
    assert server.process.wait(SECONDS) == 0
    assert server.said == server.told == ""


def test_the_server_ends_at_once_during_a_read_and_a_long_answer(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve(program=commands.program("held")).started()
    (tmp_path / "hold").touch()
    server.write("new")
    server.until((tmp_path / "waiting").exists)
    log = server.told
    assert server.hang_up(signal.SIGINT) == 0
    assert server.told == log


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
generator.cli.publishing.serve.serve_command.main(["--help"], standalone_mode=False)
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
