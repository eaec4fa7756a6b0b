"""`registry mcp` with real clients: over stdio and HTTP, and with the official inspector."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp
import pytest

from generator.agent.protocol import MAX_REQUEST
from generator.grammar.limits import MAX_ANSWER
from support import engines
from support.commands import REGISTRY, ROOT, environment, program, run, start
from support.talk import MODES, POST, Mode, conversation, message, talk

INSPECTOR = ROOT / "tests" / "hosts" / "node_modules" / ".bin" / "mcp-inspector"
HELLO = message(
    "initialize", protocolVersion="2025-06-18", capabilities={},
    clientInfo={"name": "test", "version": "1"},
)  # fmt: skip
INITIALIZE = json.dumps(HELLO).encode() + b"\n"
CALLS = [
    HELLO,
    message("tools/list"),
    message("resources/read", uri="registry:///skill.md"),
    message("tools/call", name="dashboard", arguments={}),
    message("tools/call", name="list_records", arguments={"collection": "projects"}),
    message("tools/call", name="list_records", arguments={}),
    message("tools/call", name="describe_schema", arguments={}),
]
#: `registry mcp` over HTTP.
HTTP = ("--http", "--port", "0")

# --- stdio ----------------------------------------------------------------------------------------


def test_a_real_client_over_stdio(built_content: Path) -> None:
    command, *arguments = REGISTRY
    server = mcp.StdioServerParameters(
        command=command, args=[*arguments, "mcp", "--from", str(built_content)], env=environment()
    )
    talk(server, conversation)


def started(*arguments: object) -> subprocess.Popen[bytes]:
    """`registry mcp` with pipes to and from it."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [*REGISTRY, "mcp", *map(str, arguments)]
    return subprocess.Popen(command, env=environment(), bufsize=0, **pipes)


def test_only_the_protocol_is_on_standard_output_and_no_line_is_longer_than_24_kib(
    built_content: Path,
) -> None:
    asked = [json.dumps({**call, "id": n}).encode() + b"\n" for n, call in enumerate(CALLS)]
    with started("--from", built_content) as server:
        answers = []
        for line in (b"no JSON\n", *asked):
            server.stdin.write(line)
            answers.append(server.stdout.readline())
        out, err = server.communicate(timeout=120)  # The end of input ends it.
    assert (server.returncode, out, err) == (0, b"", b"")
    assert [json.loads(answer)["id"] for answer in answers] == [None, *range(len(CALLS))]
    assert json.loads(answers[0])["error"]["code"] == -32700
    assert max(map(len, answers)) <= MAX_ANSWER


@pytest.mark.slow
def test_everyday_questions_take_few_requests_and_few_bytes(built_content: Path) -> None:
    command = [sys.executable, ROOT / "benchmarks/agents.py", built_content, ROOT / "content"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\| mean of 6\d ", done.stdout)


def test_a_client_that_goes_away_ends_it_without_a_trace(built_content: Path) -> None:
    with started("--from", built_content) as server:
        server.stdout.close()
        server.stdin.write(INITIALIZE)
        server.stdin.close()
        assert server.wait(120) == 0
        assert server.stderr.read() == b""


@pytest.mark.parametrize(
    ("options", "number"),
    [((), signal.SIGINT), pytest.param(HTTP, signal.SIGTERM, marks=pytest.mark.slow)],
)
def test_a_signal_ends_it_at_once(
    built_content: Path, options: tuple[str, ...], number: int
) -> None:
    with started("--from", built_content, *options) as server:
        if not options:
            server.stdin.write(INITIALIZE)
        assert server.stdout.readline()  # The server runs.
        server.send_signal(number)
        assert server.wait(120) == 0
        assert server.stderr.read() == b""


def test_a_signal_with_the_first_line_ends_it_like_a_later_one(built_content: Path) -> None:
    """The signal comes while the first line is written, before the server reads requests."""
    asked = [str(int(signal.SIGINT)), "mcp", "--from", built_content, *HTTP]
    done = subprocess.run(
        [*program("signalled"), *asked], env=environment(), capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("MCP server of")


# --- HTTP -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(built_content: Path) -> Iterator[str]:
    """The address that a server over HTTP prints."""
    with start("mcp", "--from", built_content, *HTTP, stdout=subprocess.PIPE) as server:
        said = server.stdout.readline().decode()
        beginning = f"MCP server of {built_content} at http://127.0.0.1:"
        assert said.startswith(beginning) and said.endswith(". Stop it with Ctrl-C.\n")
        yield said.split()[5].rstrip(".")
        server.send_signal(signal.SIGINT)
        assert server.wait(120) == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_real_client_over_http(address: str, mode: Mode) -> None:
    talk(address, conversation, mode)


def status(address: str, body: bytes = INITIALIZE, **headers: str) -> int:
    """The status of one call with these headers."""
    host, _, path = address.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        connection.request("POST", f"/{path}", body, POST | headers)
        return connection.getresponse().status
    finally:
        connection.close()


def test_pages_of_other_sites_cannot_ask_through_a_browser(address: str) -> None:
    host = address.removeprefix("http://").removesuffix("/mcp")
    port = host.partition(":")[2]
    assert status(address) == status(f"{address}/") == 200
    assert status(address, Origin=f"http://{host}") == 200
    assert status(address, Host=f"localhost:{port}") == 200
    assert status(address.removesuffix("/mcp") + "/api/dashboard") == 404
    # DNS rebinding sends the attacker's host name; other pages send their origin.
    for name in (f"evil.example:{port}", "evil.example"):
        assert status(address, Host=name) == 421
    evil = ("https://evil.example", f"http://evil.example:{port}", f"http://{host}.evil.example")
    for origin in (*evil, "null"):
        assert status(address, Origin=origin) == 403


def test_a_request_that_is_too_long_is_refused(address: str) -> None:
    assert status(address, INITIALIZE + b" " * MAX_REQUEST) == 413
    # Nobody waits for a body whose length says that it will not be read.
    assert status(address, **{"Content-Length": str(10**9)}) == 400


def test_a_taken_port_is_reported_plainly(built_content: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("mcp", "--from", built_content, "--http", "--port", port)
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(
        rf"Error: Port {port} is taken by another program; (\d+) is free: --port \1\n", done.err
    )


# --- the official inspector -----------------------------------------------------------------------


@pytest.mark.slow
def test_the_official_inspector_lists_and_calls(built_content: Path) -> None:
    engines.need("@modelcontextprotocol/inspector")

    def inspect(*options: str) -> Any:
        command = ["node", INSPECTOR, "--cli", *REGISTRY, "mcp", "--from", built_content, *options]
        patient = ("--format", "json", "--connect-timeout", "100000")  # milliseconds
        found = subprocess.run(
            [*command, *patient], env=environment(), capture_output=True, text=True, timeout=120
        )
        assert found.returncode == 0 and "Warning" not in found.stderr, found.stderr
        return json.loads(found.stdout)["result"]

    assert len(inspect("--method", "tools/list", "--strict")["tools"]) == 11
    asked = '{"collection": "projects", "filters": {"status": "active"}}'
    call = ("--method", "tools/call", "--tool-name", "list_records", "--tool-args-json", asked)
    called = json.loads(inspect(*call)["content"][0]["text"])
    assert called["query"]["filters"] == {"status": "active"}
