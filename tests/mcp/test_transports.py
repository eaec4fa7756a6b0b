"""`registry mcp` with real clients: over stdio and HTTP, in both modes of the protocol, and with
the official inspector.
"""

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
from support.talk import MODES, Mode, conversation, talk

INSPECTOR = ROOT / "tests" / "hosts" / "node_modules" / ".bin" / "mcp-inspector"
# --- stdio ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.slow)])
def test_a_real_client_over_stdio(built_content: Path, mode: Mode) -> None:
    command, *arguments = REGISTRY
    server = mcp.StdioServerParameters(
        command=command, args=[*arguments, "mcp", "--from", str(built_content)], env=environment()
    )
    talk(server, conversation, mode)


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
CALLS = [
    ("tools/list", {}),
    ("resources/read", {"uri": "registry:///skill.md"}),
    *(
        ("tools/call", {"name": name, "arguments": arguments})
        for name, arguments in (
            ("dashboard", {}),
            ("list_records", {"collection": "projects"}),
            ("list_records", {}),
            ("describe_schema", {}),
        )
    ),
]


def started(*arguments: object) -> subprocess.Popen[bytes]:
    """`registry mcp` with pipes to and from it."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*REGISTRY, "mcp", *map(str, arguments)],
        env=environment(),
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
    )


def test_only_the_protocol_is_on_standard_output_and_no_line_is_longer_than_24_kib(
    built_content: Path,
) -> None:
    requests = [
        {"jsonrpc": "2.0", "id": n, "method": method, "params": params}
        for n, (method, params) in enumerate(CALLS, 1)
    ]
    with started("--from", built_content) as server:
        answers = []
        for message in (
            b"no JSON\n",
            *(json.dumps(request).encode() + b"\n" for request in (INITIALIZE, *requests)),
        ):
            server.stdin.write(message)
            server.stdin.flush()
            answers.append(server.stdout.readline())
        out, err = server.communicate(timeout=120)  # The end of input ends it.
    assert (server.returncode, out, err) == (0, b"", b"")
    assert [json.loads(answer)["id"] for answer in answers] == [None, *range(len(CALLS) + 1)]
    assert json.loads(answers[0])["error"]["code"] == -32700
    assert max(map(len, answers)) <= MAX_ANSWER


@pytest.mark.slow
def test_everyday_questions_take_few_requests_and_few_bytes(built_content: Path) -> None:
    program = ROOT / "benchmarks" / "agents.py"
    run = subprocess.run(
        [sys.executable, program, built_content, ROOT / "content"],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"\| mean of 6\d ", run.stdout)


def test_a_client_that_goes_away_ends_it_without_a_trace(built_content: Path) -> None:
    with started("--from", built_content) as server:
        server.stdout.close()
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.close()
        assert server.wait(120) == 0
        assert server.stderr.read() == b""


_SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("options", "number"),
    [
        ((), signal.SIGINT),
        pytest.param(("--http", "--port", "0"), signal.SIGTERM, marks=_SLOW),
        pytest.param((), signal.SIGTERM, marks=_SLOW),
        pytest.param(("--http", "--port", "0"), signal.SIGINT, marks=_SLOW),
    ],
)
def test_a_signal_ends_it_at_once(
    built_content: Path, options: tuple[str, ...], number: int
) -> None:
    with started("--from", built_content, *options) as server:
        if not options:
            server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
            server.stdin.flush()
        assert server.stdout.readline()  # The server runs.
        server.send_signal(number)
        assert server.wait(120) == 0
        assert server.stderr.read() == b""


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=_SLOW)])
def test_a_signal_with_the_first_line_ends_it_like_a_later_one(
    built_content: Path, number: int
) -> None:
    """The signal comes while the first line is written, before the server reads requests."""
    command = [*program("signalled"), str(int(number)), "mcp", "--from", built_content, "--http"]
    done = subprocess.run(
        [*command, "--port", "0"], env=environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("MCP server of")


# --- HTTP -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(built_content: Path) -> Iterator[str]:
    """The address that a server over HTTP prints."""
    with start(
        "mcp", "--from", built_content, "--http", "--port", "0", stdout=subprocess.PIPE
    ) as server:
        said = server.stdout.readline().decode()
        assert said.startswith(
            f"MCP server of {built_content} at http://127.0.0.1:"
        ) and said.endswith(". Stop it with Ctrl-C.\n")
        yield said.split()[5].rstrip(".")
        server.send_signal(signal.SIGINT)
        assert server.wait(120) == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_real_client_over_http(address: str, mode: Mode) -> None:
    talk(address, conversation, mode)


def status(address: str, body: str = json.dumps(INITIALIZE), **headers: str) -> int:
    """The status of one call with these headers."""
    host, _, path = address.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=30)
    given = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    try:
        connection.request("POST", f"/{path}", body, given)
        return connection.getresponse().status
    finally:
        connection.close()


def test_pages_of_other_sites_cannot_ask_through_a_browser(address: str) -> None:
    host = address.removeprefix("http://").removesuffix("/mcp")
    port = host.partition(":")[2]
    right: list[dict[str, str]] = [
        {}, {"Origin": f"http://{host}"}, {"Host": f"localhost:{port}"},
    ]  # fmt: skip
    assert [status(address, **given) for given in right] == [200] * 3
    assert status(f"{address}/") == 200
    assert status(address.removesuffix("/mcp") + "/api/dashboard") == 404
    # DNS rebinding sends the attacker's host name; other pages send their origin.
    for name in (f"evil.example:{port}", "evil.example"):
        assert status(address, Host=name) == 421
    for origin in (
        "https://evil.example",
        f"http://evil.example:{port}",
        "null",
        f"http://{host}.evil.example",
    ):
        assert status(address, Origin=origin) == 403


def test_a_request_that_is_too_long_is_refused(address: str) -> None:
    assert status(address, json.dumps(INITIALIZE) + " " * MAX_REQUEST) == 413
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


def inspect(target: list[str], *options: str) -> subprocess.CompletedProcess[str]:
    engines.need("@modelcontextprotocol/inspector")
    patient = ("--connect-timeout", "100000")  # for a busy machine, in milliseconds
    command = ["node", str(INSPECTOR), "--cli", *target, *options, "--format", "json", *patient]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=120)


@pytest.mark.slow
@pytest.mark.parametrize(("over", "era"), [("stdio", "legacy"), ("http", "modern")])
def test_the_official_inspector_lists_calls_and_reads(
    built_content: Path, address: str, over: str, era: str
) -> None:
    target = [*REGISTRY, "mcp", "--from", str(built_content)] if over == "stdio" else [address]

    def done(*options: str) -> Any:
        found = inspect(target, "--protocol-era", era, *options)
        assert found.returncode == 0, found.stderr
        return json.loads(found.stdout)["result"]

    listed = inspect(target, "--protocol-era", era, "--method", "tools/list", "--strict")
    assert listed.returncode == 0 and "Warning" not in listed.stderr, listed.stderr
    assert len(json.loads(listed.stdout)["result"]["tools"]) == 11
    asked = '{"collection": "projects", "filters": {"status": "active"}}'
    call = ("--method", "tools/call", "--tool-name", "list_records", "--tool-args-json", asked)
    called = json.loads(done(*call)["content"][0]["text"])
    assert called["query"]["filters"] == {"status": "active"}
    refused = inspect(
        target, "--method", "tools/call", "--tool-name", "dashboard",
        "--tool-args-json", '{"page": 1}',
    )  # fmt: skip
    assert refused.returncode != 0
    assert json.loads(refused.stderr)["error"]["code"] == "tool_is_error"
    read = done("--method", "resources/read", "--uri", "registry:///catalog")
    assert json.loads(read["contents"][0]["text"])["registry"]["name"]
