"""`registry links` against a host that misbehaves, and what it writes."""

from __future__ import annotations

import datetime
import itertools
import json
import os
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from generator.cli.edit.links import command
from generator.edit.links import asking, request
from generator.edit.links.asking import Answer, ask, read_answer
from generator.edit.links.request import Failed, ascii_url
from generator.model.networks import is_public
from generator.reader.etags import CachedAnswer, Etags
from support.commands import ROOT

SECONDS = 2.0
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

Send = Callable[[bytes], None]
#: Sends an answer to (method, path).
Behaviour = Callable[[Send, str, str], None]


def says(status: str, *headers: str, body: bytes = b"") -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def always(raw: bytes) -> Behaviour:
    return lambda send, method, path: send(raw)


def to(location: str, status: str = "302 Found") -> Behaviour:
    return always(says(status, f"Location: {location}"))


def head_only(raw: bytes) -> Behaviour:
    """Answers HEAD with `raw` and GET with 200."""
    return lambda send, method, path: send(raw if method == "HEAD" else OK)


def robots_txt(raw: bytes) -> Behaviour:
    return lambda send, method, path: send(raw if path == "/robots.txt" else OK)


def allowing(text: bytes) -> Behaviour:
    return robots_txt(says("200 OK", body=text))


def drip(send: Send, method: str, path: str) -> None:
    for _ in range(100):
        send(b"H")
        time.sleep(0.1)


def endless(send: Send, method: str, path: str) -> None:
    send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while path != "/robots.txt":
        send(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")


def endless_robots(send: Send, method: str, path: str) -> None:
    send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nUser-agent: *\nDisallow: /x\n")
    while path == "/robots.txt":
        send(b"#" * 4095 + b"\n")


def silent(send: Send, method: str, path: str) -> None:
    time.sleep(SECONDS * 3)


def continues(send: Send, method: str, path: str) -> None:
    for _ in range(100):
        send(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.1)


def circle(send: Send, method: str, path: str) -> None:
    send(says("302 Found", f"Location: {'/b' if path == '/' else '/'}"))


def long_chain(send: Send, method: str, path: str) -> None:
    send(says("301 Moved", f"Location: {path}x"))


def moves(send: Send, method: str, path: str) -> None:
    """Two permanent redirects, then one for now."""
    targets = {"/": "301 /two", "/two": "308 /three", "/three": "302 /four"}
    status, _, target = targets.get(path, "").partition(" ")
    send(says(f"{status} Moved", f"Location: {target}") if status else OK)


FLOOD = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n"

#: case -> (behaviour, verdict, code, a part of the detail)
CASES: dict[str, tuple[Behaviour, str, str, str]] = {
    "fine": (always(OK), "ok", "ok", "answers"),
    "no-content": (always(says("204 No Content")), "ok", "ok", ""),
    "gone": (always(says("410 Gone")), "broken", "status", "answers 410 Gone"),
    "missing": (always(says("404 Nope")), "broken", "status", "answers 404 Not Found"),
    "forbidden": (always(says("403 Forbidden")), "unknown", "status", "403"),
    "failing": (always(says("500 Oops")), "unknown", "status", "500"),
    "odd-status": (always(says("999 Denied")), "unknown", "status", "answers 999"),
    "no-head": (head_only(says("405 Not Allowed")), "ok", "ok", ""),
    "no-head-404": (head_only(says("404 Not Found")), "ok", "ok", ""),
    "head-hangs-up": (head_only(b""), "ok", "ok", ""),
    "hangs-up": (always(b""), "unknown", "cut", "breaks off"),
    "not-http": (always(b"SSH-2.0-OpenSSH_9.6\r\n"), "unknown", "cut", "is not HTTP"),
    "slow-headers": (drip, "unknown", "timeout", "in time"),
    "silent": (silent, "unknown", "timeout", "in time"),
    "continues": (continues, "unknown", "timeout", "in time"),
    "endless-body": (endless, "ok", "ok", ""),
    "wrong-length": (always(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx"), "ok", "ok", ""),
    "no-length": (always(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"), "ok", "ok", ""),
    "flood": (always(FLOOD), "unknown", "cut", ""),
    "long-line": (always(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 999_999), "unknown", "cut", ""),
    "circle": (circle, "unknown", "redirects", "circle"),
    "chain": (long_chain, "unknown", "redirects", "more than 8"),
    "moves": (moves, "ok", "moved", "has moved to http://moves.test:PORT/three"),
    "for-now": (head_only(says("200 OK")), "ok", "ok", ""),
    "to-loopback": (to("http://127.0.0.2:PORT/"), "broken", "private", "redirects to http://127.0.0.2"),
    "to-loopback6": (to("http://[::1]:PORT/"), "broken", "private", "[::1]"),
    "to-ipv6": (to("http://[2606:4700::abcd]/"), "broken", "private", "[2606:4700::abcd]"),
    "to-long-label": (to(f"https://{'a' * 64}.test:PORT/"), "broken", "address", "not an http"),
    "to-number": (to("http://2130706434/"), "broken", "private", ""),  # 127.0.0.2
    "to-private": (to("http://private.test/"), "broken", "private", ""),
    "to-file": (to("file:///etc/passwd"), "broken", "address", "not an http"),
    "to-script": (to("javascript:alert(1)"), "broken", "address", ""),
    "to-nobody": (to("http://a b/"), "broken", "address", "redirects to what is not"),
    "to-bad-port": (to("http://a:99999999/"), "broken", "address", ""),
    "no-location": (always(says("302 Found")), "unknown", "status", "302"),
    "to-closed": (to("http://closed.test:CLOSED/"), "broken", "refused", "refuses"),
    "unicode": (lambda send, method, path: to("/übersicht")(send, method, path) if path == "/" else
                send(OK if path == "/%C3%BCbersicht" else says("404 No")), "ok", "ok", ""),
    "busy": (always(says("429 Too Many")), "unknown", "robots", "429"),
    "busy-page": (lambda send, method, path: send(
        OK if path == "/robots.txt" else says("429 Too Many")), "unknown", "status", "429"),
    "robots-forbid": (allowing(b"User-agent: *\nDisallow: /"), "unknown", "robots", "forbids"),
    "robots-own": (allowing(b"User-agent: *\nDisallow: /x\n\nuser-agent: Registry-Generator # us\n"
                            b"disallow: /"), "unknown", "robots", "forbids"),
    "robots-other-path": (allowing(b"User-agent: *\nDisallow: /x"), "ok", "ok", ""),
    "robots-odd-rule": (allowing(b"User-agent: *\nDisallow: //["), "unknown", "robots",
                        "has a robots.txt that is not valid"),
    "robots-others": (allowing(b"User-agent: gptbot\nDisallow: /"), "ok", "ok", ""),
    "robots-403": (robots_txt(says("403 Forbidden")), "ok", "ok", ""),
    "robots-500": (robots_txt(says("503 Busy")), "unknown", "robots", "503"),
    "robots-huge": (endless_robots, "ok", "ok", ""),
    "robots-binary": (allowing(bytes(range(256)) * 20), "ok", "ok", ""),
    "robots-private": (robots_txt(says("301 Moved", "Location: http://127.0.0.2/")), "unknown",
                       "robots", "has a robots.txt that leads into a private"),
    "robots-odd": (robots_txt(says("301 Moved", "Location: http://[")), "unknown", "robots", ""),
    "robots-circle": (robots_txt(says("301 Moved", "Location: /robots.txt")), "ok", "ok", ""),
}  # fmt: skip


class Host(NamedTuple):
    """The port of the server, and the requests by host: method, path, and the time of it."""

    port: int
    closed: int
    asked: dict[str, list[tuple[str, str, float]]]


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    asked: dict[str, list[tuple[str, str, float]]] = defaultdict(list)

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            method, path, _ = (self.rfile.readline().decode() + " . .").split(" ", 2)
            headers = dict(
                line.decode().strip().split(": ", 1) for line in iter(self.rfile.readline, b"\r\n")
            )
            name = headers["Host"].partition(".")[0]
            asked[name].append((method, path, time.monotonic()))

            def send(raw: bytes) -> None:
                raw = raw.replace(b"PORT", str(at.port).encode())
                self.wfile.write(raw.replace(b"CLOSED", str(at.closed).encode()))

            behaviour = CASES[name][0] if name in CASES else always(OK)
            try:
                if path == "/robots.txt" and "robots" not in name and name not in ("busy",):
                    send(says("404 Not Found"))
                else:
                    behaviour(send, method, path)
            except OSError:
                pass  # the client has gone

    with socket.socket() as unused, _Server(("127.0.0.1", 0), Handler) as server:
        unused.bind(("127.0.0.1", 0))  # nobody listens
        at = Host(server.server_address[1], unused.getsockname()[1], asked)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield at
        server.shutdown()


_resolve = socket.getaddrinfo


def resolve(name: bytes | str, port: int, *args: Any, **more: Any) -> Any:
    """Names below .test, without a name server."""
    text = name.decode() if isinstance(name, bytes) else name
    if text == "nowhere.test":
        raise socket.gaierror(socket.EAI_NONAME, "none")
    if text == "offline.test":
        raise socket.gaierror(socket.EAI_AGAIN, "later")
    found = {"private.test": ["10.0.0.1", "fd00::1"], "both.test": ["10.0.0.1", "127.0.0.1"]}
    if text.endswith(".test"):
        addresses = found.get(text, ["127.0.0.1"])
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in addresses]
    return _resolve(name, port, *args, **more)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No pauses, short time-outs, and one address of this machine that counts as public."""
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(request, "is_public", "127.0.0.1".__eq__)
    monkeypatch.setattr(request, "_SECONDS", SECONDS)
    monkeypatch.setattr(asking, "_DELAY", 0.0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def ask_all(urls: list[str]) -> dict[str, Answer]:
    return asking.ask_all(urls, datetime.timedelta(), lambda name, done, total: None)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in ("silent", "continues") else name
        for name in CASES
    ],
)
def test_a_host_that_misbehaves(name: str, host: Host) -> None:
    _, verdict, code, detail = CASES[name]
    answer = ask(f"http://{name}.test:{host.port}/", {})
    assert (answer.verdict, answer.code) == (verdict, code), answer
    assert detail.replace("PORT", str(host.port)) in answer.detail
    assert answer.moved_to == (f"http://moves.test:{host.port}/three" if name == "moves" else None)


def test_names_and_ports_without_a_host(host: Host) -> None:
    found = {
        f"http://closed.test:{host.closed}/": ("broken", "refused"),
        "http://nowhere.test/": ("broken", "no-host"),
        "http://offline.test/": ("unknown", "offline"),
        "http://private.test/": ("broken", "private"),
        "http://127.0.0.2/": ("broken", "private"),
        f"https://fine.test:{host.port}/": ("broken", "tls"),
        # One of its addresses is allowed, and only this one is connected to.
        f"http://both.test:{host.port}/": ("ok", "ok"),
    }
    answers = {url: ask(url, {}) for url in found}
    assert {url: (a.verdict, a.code) for url, a in answers.items()} == found


def test_a_second_resolution_leads_nowhere_else(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name has an allowed address when it is checked, and another one after that."""
    answers = itertools.cycle(["127.0.0.1", "127.0.0.3"])

    def rebinding(name: bytes, port: int, *args: Any, **more: Any) -> Any:
        if name != b"rebound.test":
            return resolve(name, port, *args, **more)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    answer = ask(f"http://rebound.test:{host.port}/", {})  # robots.txt, then the page
    assert answer.code == "private"
    assert [path for _, path, _ in host.asked["rebound"]] == ["/robots.txt"]


PRIVATE = """
    127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1
    240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 ::1 :: fe80::1%eth0 fd00::1 ff02::1 fec0::1
    ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 2002:7f00:1:: 2001:db8::1
    ::127.0.0.1 192.0.0.1 192.0.0.9 192.0.0.170 192.88.99.1 3fff::1 3fff:fff:ffff::1 5f00::1
    2001::1 64:ff9b:1::1 100::1
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_addresses_that_are_never_connected_to(address: str) -> None:
    assert not is_public(address)


def test_public_addresses_and_the_check_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("1.1.1.1", "2606:4700::1111", "64:ff9b::101:101", "192.0.1.1", "3ffe::1"):
        assert is_public(address)
    monkeypatch.setattr(request, "is_public", is_public)
    answer = ask("http://127.0.0.1/", {})
    assert (answer.verdict, answer.code) == ("broken", "private")


@pytest.mark.parametrize(
    ("url", "ascii_form"),
    [
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("http://example.org:80/a b?q=ü#part", "http://example.org/a%20b?q=%C3%BC"),
        ("http://example.org/%C3%BC/%zz", "http://example.org/%C3%BC/%zz"),
        ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://例え。テスト/道", "https://xn--r8jz45g.xn--zckzah/%E9%81%93"),
        ("https://user:word@example.org/", "https://example.org/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)  # fmt: skip
def test_an_address_in_ascii(url: str, ascii_form: str) -> None:
    assert ascii_url(url) == ascii_form


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://example.org/", "gopher://a/", "http:///a", "http://a:b/", "//a",
     "http://a\u2100b/", "http://exa mple.org/", "http://[::1/", "http://a/" + "x" * 9000],
)  # fmt: skip
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(Failed):
        ascii_url(url)


def test_one_request_at_a_time_to_a_host_and_several_hosts_at_once(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "_DELAY", 0.2)
    urls = [f"http://polite{h}.test:{host.port}/{n}" for h in range(3) for n in range(3)]
    answers = ask_all(urls)
    assert {answers[url].verdict for url in urls} == {"ok"}
    hosts = [host.asked[f"polite{number}"] for number in range(3)]
    assert max(asked[0][2] for asked in hosts) < min(asked[-1][2] for asked in hosts)
    for asked in hosts:
        assert [path for _, path, _ in asked] == ["/robots.txt", "/0", "/1", "/2"]
        times = [at for *_, at in asked]
        assert all(b - a >= 0.19 for a, b in itertools.pairwise(times))


def test_a_host_that_asks_for_a_pause_is_left_alone(host: Host) -> None:
    urls = [f"http://busy-page.test:{host.port}/{n}" for n in range(5)]
    host.asked["busy-page"].clear()
    answers = ask_all(urls)
    assert sorted(a.code for a in answers.values()) == ["status", *["wait"] * 4]
    assert [method for method, *_ in host.asked["busy-page"]] == ["GET", "HEAD"]


@pytest.mark.slow
def test_the_time_of_all_is_bounded(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "_SECONDS", 30.0)
    monkeypatch.setattr(asking, "_SECONDS", 2.0)
    urls = [f"http://{name}.test:{host.port}/" for name in ("silent", "slow-headers", "fine")]
    assert list(ask_all(urls)) == urls[2:]


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def content(tmp_path: Path, host: Host, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "content"
    (folder / "projects").mkdir(parents=True)
    (folder / "registry.yaml").write_text("name: R\ndescription: A registry.\n")
    at = f"test:{host.port}"
    records = {
        "good": f"# kept\nname: Good\nwebsite:   'http://fine.{at}/'  # kept too\n",
        "older": f"name: Older\nverified: 2020-01-01\nwebsite: http://fine.{at}/\n",
        "moved": f"name: Moved\nlinks: {{blog: 'http://moves.{at}/'}}\nsources: ['http://fine.{at}/']\n",
        "bad": f"name: Bad\nwebsite: http://fine.{at}/\nsources:\n  - http://missing.{at}/\n",
        "unsure": f"name: Unsure\nwebsite: http://forbidden.{at}/\n",
        "none": "name: None\nverified: 2031-01-01\n",
    }  # fmt: skip
    for slug, text in records.items():
        (folder / "projects" / f"{slug}.yaml").write_text(text)
    return folder / "projects"


def links(*options: str) -> Result:
    return CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)


def test_a_report_of_all_addresses(content: Path, host: Host) -> None:
    done = links()
    assert done.return_value == 1
    assert done.stdout.splitlines() == [
        "content/projects/bad.yaml:4: sources[0] is broken: correct or remove it",
        f"  http://missing.test:{host.port}/ answers 404 Not Found",
        "content/projects/moved.yaml:2: links.blog is moved: write the new address",
        f"  http://moves.test:{host.port}/ has moved to http://moves.test:{host.port}/three",
        "1 without a verdict: answers 403 Forbidden",
        "4 addresses: 2 answered (1 moved), 1 broken, 1 without a verdict.",
    ]
    host.asked.clear()
    again = json.loads(links("--format", "json", "--older", "30d").stdout)["addresses"]
    assert not host.asked, "all of these answers are known"
    by_verdict = {one["url"].split(".")[0][7:]: one for one in again}
    assert {n: one["verdict"] for n, one in by_verdict.items()} == {
        "missing": "broken", "fine": "ok", "moves": "ok", "forbidden": "unknown",
    }  # fmt: skip
    assert by_verdict["missing"]["places"] == [
        {"path": "content/projects/bad.yaml", "line": 4, "field": "sources[0]"}
    ]
    assert len(by_verdict["fine"]["places"]) == 4 and by_verdict["fine"]["status"] == 200
    assert links("--older", "0h", "content/projects/good.yaml").return_value == 0
    assert set(host.asked) == {"fine"}


def test_the_day_is_written_where_all_addresses_answered(content: Path) -> None:
    before = {path.name: path.read_text() for path in content.iterdir()}
    done = links("--write-verified", "--format", "json")
    json.loads(done.stdout)  # what was written is said beside it
    after = {path.name: path.read_text() for path in content.iterdir()}
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"good.yaml", "older.yaml", "moved.yaml"}
    assert after["good.yaml"] == before["good.yaml"] + f"verified: {today}\n"
    assert after["older.yaml"] == before["older.yaml"].replace("2020-01-01", today)
    assert "0 files written" in links("--write-verified").stderr


def test_the_stalest_records(content: Path, host: Host) -> None:
    host.asked.clear()
    done = links("--stalest", "5")
    assert done.stdout.splitlines()[3:] == [
        "never       content/projects/unsure.yaml",
        "2020-01-01  content/projects/older.yaml",
    ]
    listed = links("--stalest", "99").stdout.splitlines()
    assert listed[-1] == "2031-01-01  content/projects/none.yaml"
    assert len(listed) == 6 and not host.asked


def test_the_cache_keeps_answers_and_survives_damage(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, hour = tmp_path / "cache/registry-generator/links", datetime.timedelta(hours=1)
    url, offline = f"http://fine.test:{host.port}/", "http://offline.test/"
    answer = ask_all([url, offline])[url]
    assert read_answer(Etags(folder), url, hour) == answer
    assert read_answer(Etags(folder), url, datetime.timedelta()) is None
    [file] = folder.iterdir()  # that this machine is offline says nothing about an address
    for damage in (b"", file.read_bytes()[:-1], file.read_bytes().replace(b"answers", b"Answers")):
        file.write_bytes(damage)
        assert read_answer(Etags(folder), url, hour) is None
        ask_all([url])
        assert read_answer(Etags(folder), url, hour)
    Etags(folder).put(url, CachedAnswer("", b'{"verdict": "of another version"}'))
    assert read_answer(Etags(folder), url, hour) is None
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    assert ask_all([url])[url].verdict == "ok"


def test_an_interrupt_keeps_what_was_learnt(content: Path, host: Host, tmp_path: Path) -> None:
    """Ctrl-C while a host is silent: the next run does not ask the others again."""
    (content / "wait.yaml").write_text(f"name: W\nwebsite: http://silent.test:{host.port}/\n")
    program = tmp_path / "run.py"
    program.write_text(
        "import socket\n"
        "from generator.edit.links import asking, request\n"
        "resolve = socket.getaddrinfo\n"
        "socket.getaddrinfo = lambda name, *a, **m: resolve('127.0.0.1', *a, **m)\n"
        "request.is_public = '127.0.0.1'.__eq__\n"
        "asking._DELAY, request._SECONDS = 0.0, 60.0\n"
        "from generator.cli import main\nmain()\n"
    )
    running = subprocess.Popen(
        [sys.executable, program, "links"], cwd=tmp_path, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    host.asked.clear()
    known = tmp_path / "cache/registry-generator/links"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not all(
        read_answer(Etags(known), f"http://{name}.test:{host.port}/", datetime.timedelta(hours=1))
        for name in ("fine", "missing", "forbidden", "moves")
    ):
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert running.returncode == 2 and b"Interrupted" in err
    host.asked.clear()
    links()
    assert set(host.asked) <= {"silent"}
