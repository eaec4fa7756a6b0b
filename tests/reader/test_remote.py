"""Files over HTTP: retries, bounds, redirects, and the cache of answers."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from generator.grammar.paths import DASHBOARD, INDEX
from generator.reader import remote
from generator.reader.etags import Etags
from generator.reader.remote import Remote, RemoteError
from support.fake_host import Asked, FakeHost, Given


def remote_of(
    host: FakeHost,
    etags: Path | None = None,
    timeout: float = 5,
    retries: int = 3,
    definite: tuple[str, ...] = (),
) -> Remote:
    return Remote(
        host.base,
        timeout=timeout,
        retries=retries,
        etags=Etags(etags) if etags else None,
        definite=definite,
    )


#: Statuses of a host that may answer later.
BUSY = (429, 502, 503, 504)


def test_many_files_come_in_the_order_they_were_asked_for(host: FakeHost) -> None:
    paths = [f"/api/projects/slug/kite-{n:02}.json" for n in range(20)] + [
        "/api/projects/slug/none.json",
        INDEX,
    ]
    found = remote_of(host).read(paths)
    assert found == [host.file(host.prefix + path) for path in paths]
    assert found[-2] is None


def test_a_connection_is_used_again_and_the_program_says_who_it_is(host: FakeHost) -> None:
    asking = remote_of(host)
    for _ in range(3):
        asking.read([DASHBOARD])
    assert all(
        asked.headers["User-Agent"].startswith("registry-generator/") for asked, _ in host.seen
    )
    assert asking._pool.connection_from_url(host.base).num_connections == 1


# --- answers --------------------------------------------------------------------------------------

#: The answer of S3 for a private file, and for a missing file if the bucket may not be listed.
DENIED = Given(403, body=b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>")
#: Answers of a host in turn, what is read or told, and the statuses.  After the answers the host
#: sends the file, or with ... the last answer again.
ANSWERS: dict[str, tuple[list[Any], str | None, list[int]]] = {
    **{f"busy with {s}": ([Given(s), Given(s)], DASHBOARD, [s, s, 200]) for s in BUSY},
    "always busy": (
        [Given(503), ...], "answers 503 Service Unavailable. There were 4 attempts.", [503] * 4,
    ),
    **{f"status {s}": ([Given(s), ...], f"{DASHBOARD} answers {s}", [s])
       for s in (400, 401, 403, 500, 501, 299, 304)},
    "a long pause": (
        [Given(429, {"Retry-After": "3600"})],
        "answers 429 Too Many Requests and asks to wait 3600 seconds", [429],
    ),
    "cut": ([Given(body=b"x" * 100, cut=50)], DASHBOARD, [200, 200]),
    "dropped": ([Given(drop=True)], DASHBOARD, [200, 200]),
    "always cut": (
        [Given(200, {"ETag": '"1"'}, b'{"half": ', cut=5), ...], "broke off or is damaged",
        [200] * 4,
    ),
    "cut chunks": (
        [Given(200, {"Transfer-Encoding": "chunked", "Connection": "close"}, b'5\r\n{"a":'), ...],
        "broke off", [200] * 4,
    ),
    "damaged compression": (
        [Given(200, {"Content-Encoding": "gzip"}, b"{}"), ...], "damaged", [200] * 4,
    ),
    "not found": ([Given(404, body=b"{}")], None, [404]),
    "gone": ([Given(410, body=b"{}")], None, [410]),
    "private in S3": ([DENIED], "answers 403 Forbidden: access is denied: the bucket", [403]),
    "private": ([Given(403, body=b"{}")], "answers 403 Forbidden: access is denied. The", [403]),
    "a login": ([Given(401, body=b"{}")], "answers 401 Unauthorized: access is denied. The", [401]),
    "no answer to this": ([Given(400, body=b"{}")], "answers 400 Bad Request.", [400]),
    "redirect": ([Given(301, {"Location": f"/registry{INDEX}"})], INDEX, [301, 200]),
    **{f"redirect to {elsewhere}": (
        [Given(302, {"Location": f"{elsewhere}/elsewhere{DASHBOARD}"})],
        "redirects to another host", [302],
    ) for elsewhere in ("http://other.example", "//other.example", "http://127.0.0.1:1",
                        "ftp://127.0.0.1")},
    "a circle": (
        [Given(307, {"Location": f"/registry{DASHBOARD}"}), ...], "redirected too often", [307] * 6,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_of_a_host(name: str, host: FakeHost, tmp_path: Path) -> None:
    answers, wanted, statuses = ANSWERS[name]
    always = answers[-1] is ...
    given = answers[:-1] if always else answers

    def wrong(asked: Asked) -> Given | None:
        number = sum(len(host.statuses(end)) for end in (DASHBOARD, INDEX))
        return given[-1] if always and number >= len(given) else dict(enumerate(given)).get(number)

    host.wrong = wrong
    asking = remote_of(host, tmp_path / "cache")
    if wanted in (DASHBOARD, INDEX, None):
        expected = None if wanted is None else host.file(host.prefix + wanted)
        assert asking.read([DASHBOARD]) == [expected]
    else:
        with pytest.raises(RemoteError, match=re.escape(wanted)):
            asking.read([DASHBOARD])
        assert not list(tmp_path.rglob("*"))
    assert host.statuses() == statuses


def test_a_bucket_that_denies_a_file_after_others_has_none(host: FakeHost) -> None:
    host.wrong = lambda asked: DENIED if asked.target.endswith("/none.json") else None
    asking = remote_of(host)
    for _ in range(2):
        dashboard, missing = asking.read([DASHBOARD, "/none.json"])
        assert dashboard and missing is None
    assert asking.read(["/none.json"]) == [None]
    definite = remote_of(host, definite=("/none.json",))
    with pytest.raises(RemoteError, match=r"/none\.json answers 403 Forbidden: access is denied: "):
        definite.read([DASHBOARD, "/none.json"])


def test_a_redirect_to_another_host_says_where_to_ask(host: FakeHost) -> None:
    host.wrong = lambda asked: Given(302, {"Location": f"//other.example/elsewhere{DASHBOARD}"})
    with pytest.raises(RemoteError, match=r", .* ask there: \S+/elsewhere$"):
        remote_of(host).read([DASHBOARD])


@pytest.mark.parametrize(
    ("asked_for", "waited"),
    [
        ("7", 7.0), ("0", 0.0), ("soon", 0.0), ("Sat, 01 Jan 2000 00:00:00 GMT", 0.0),
        ("9" * 5000, 0.0), ("Fri, 31 Dec 999999999999 23:59:59 GMT", 0.0),
    ],
)  # fmt: skip
def test_the_pause_requested_by_a_host_is_kept(
    asked_for: str, waited: float, host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(remote.time, "sleep", pauses.append)
    host.wrong = lambda asked: Given(503, {"Retry-After": asked_for}) if not asked.before else None
    assert remote_of(host).read([DASHBOARD]) != [None]
    assert pauses == [waited]


def test_pauses_grow(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(remote.time, "sleep", pauses.append)
    host.wrong = lambda asked: Given(503)
    with pytest.raises(RemoteError):
        remote_of(host, retries=4).read([DASHBOARD])
    assert pauses == [0, 0.02, 0.04, 0.08]


@pytest.fixture
def silent() -> Iterator[str]:
    """A host that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.usefixtures("host")
def test_a_host_that_says_nothing_is_given_up(silent: str) -> None:
    with pytest.raises(
        RemoteError, match=r"did not answer within 0.1 seconds\. There were 2 attempts"
    ):
        Remote(silent, timeout=0.1, retries=1).read([DASHBOARD])


@contextmanager
def trickling(head: bytes, again: bytes) -> Iterator[tuple[str, threading.Event]]:
    """A host that sends slowly and never ends; the event is set when the client disconnects."""
    done, left = threading.Event(), threading.Event()

    def trickle(connection: socket.socket) -> None:
        with connection:
            try:
                connection.sendall(head)
                while not done.wait(0.01):
                    connection.sendall(again)
            except OSError:
                left.set()

    def take() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=trickle, args=[connection], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", left
        done.set()
        listening.shutdown(socket.SHUT_RDWR)


ENDLESS = {
    "body": (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
    "header": (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
    "status line": (b"HTTP/1.1 200 ", b"O"),
    "continue": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "chunk": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x"),
    "redirects": (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nX-Long: ", b"x"),
}


@pytest.mark.usefixtures("host")
@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize("files", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_a_host_that_never_ends_is_given_up(
    kind: str, files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "MAX_SECONDS", 0.3)
    with trickling(*ENDLESS[kind]) as (base, left):
        start = time.monotonic()
        with pytest.raises(RemoteError, match=r"takes longer than 0\.3 seconds"):
            Remote(base, timeout=0.25, retries=3).read([DASHBOARD] * files)
        assert time.monotonic() - start < 20
        # No background work continues.
        assert left.wait(30)


@pytest.mark.usefixtures("host")
def test_a_name_that_never_resolves_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MAX_SECONDS", 0.2)
    asked = threading.Event()

    def never(*_: object, **__: object) -> list[object]:
        asked.set()
        threading.Event().wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", never)
    start = time.monotonic()
    with pytest.raises(RemoteError, match=r"takes longer than 0\.2 seconds"):
        Remote("http://registry.invalid", timeout=0.1, retries=3).read([DASHBOARD])
    assert asked.is_set() and time.monotonic() - start < 30


@pytest.mark.usefixtures("host")
@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 200 \x1b]0;x\x07 OK\r\n\r\n", b"\x1b]0;x\x07\r\n\r\n",
        b"HTTP/1.1 \x1b]0;x\x07\r\n\r\n", b"HTTP/\x1b]0;x\x07 200 OK\r\n\r\n",
        b"HTTP/1.1 599 \x1b]0;x\x07\r\nContent-Length: 0\r\n\r\n", b"HTTP/1.1 99999 OK\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://\x1b]0;x\x07/\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: \x1b]0;x\x07\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: \x1b]0;x\x07\r\n\r\n{}",
        b"HTTP/1.1 503 Busy\r\nRetry-After: \x1b]0;x\x07\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 " + b"x" * 100_000 + b"\r\n\r\n",
    ],
)  # fmt: skip
def test_response_headers_never_reach_a_terminal_raw(said: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        connection.recv(1 << 16)
                        connection.sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        try:
            Remote(f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=2, retries=1).read(
                [DASHBOARD]
            )
        except RemoteError as error:
            assert str(error).isprintable(), str(error)
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.usefixtures("host")
def test_an_unreachable_host_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(RemoteError, match=r"cannot be reached \(Connection refused\)"):
        Remote(f"http://127.0.0.1:{port}", timeout=5, retries=0).read([DASHBOARD])


def test_an_insecure_connection_is_reported_at_once(host: FakeHost) -> None:
    with pytest.raises(RemoteError, match=r"the connection is not secure \(.*\)\.$"):
        Remote(f"https://{host.name}", timeout=5, retries=3).read([DASHBOARD])


@pytest.mark.parametrize(
    "base",
    [
        "https://", "http:///x", "ftp://x.example", "https://x.example:0",
        "https://x.example:99999", "https://[x", "file:///x",
    ],
)  # fmt: skip
def test_an_invalid_address_is_reported(base: str) -> None:
    with pytest.raises(RemoteError, match="is no address of a host"):
        Remote(base, timeout=1, retries=0)


@pytest.mark.parametrize(
    "base", ["https://me:secret@x.example", "https://x.example/?a=b", "https://x.example/#a"]
)
def test_invalid_parts_of_a_base_url_are_reported_and_not_repeated(base: str) -> None:
    with pytest.raises(RemoteError, match="has no user name, no query and no fragment") as raised:
        Remote(base, timeout=1, retries=0)
    assert "secret" not in str(raised.value)


# --- what an answer is ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "media_type", "body", "there"),
    [
        ("/api/x.json", "text/html", b" <!doctype html>", False),
        ("/api/x.json", "application/json", b"<html>", False),
        ("/api/x.json", "text/html", b'{"kind": 1}', True),  # a wrong type of a right file
        ("/api/x.bin", "text/html; charset=utf-8", b"<!doctype html>", False),
        ("/api/x.bin", "application/octet-stream", b"<abc", True),
        ("/api/x.ics", "text/calendar", b"BEGIN:VCALENDAR", True),
    ],
)
def test_a_web_page_in_place_of_a_file_is_an_error(
    path: str, media_type: str, body: bytes, there: bool, host: FakeHost
) -> None:
    host.wrong = lambda asked: Given(200, {"Content-Type": media_type}, body)
    assert remote_of(host).read([path]) == [body if there else None]


def test_an_answer_may_come_compressed_and_no_larger_than_the_bound(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "MAX_BYTES", 1 << 20)
    for size, fits in ((1 << 20, True), ((1 << 20) + 1, False), (1 << 24, False)):
        body = gzip.compress(b"{" + b" " * (size - 1), 1)
        host.wrong = lambda asked, body=body: Given(200, {"Content-Encoding": "gzip"}, body)  # type: ignore[misc]
        if fits:
            [found] = remote_of(host).read([DASHBOARD])
            assert found is not None
            assert len(found) == size
        else:
            with pytest.raises(RemoteError, match="has more than 1 MiB"):
                remote_of(host).read([DASHBOARD])


@pytest.mark.parametrize(
    ("here", "location", "there"),
    [
        ("http://x.example/a.json", "https://x.example/a.json", "https://x.example/a.json"),
        ("https://x.example/a.json", "/b.json", "https://x.example/b.json"),
        ("https://x.example/a.json", "http://x.example/a.json", None),
        ("https://x.example/a.json", "https://x.example.evil/a.json", None),
        ("https://x.example/a.json", "https://me@x.example/a.json", None),
        ("https://x.example/a.json", "https://[/a.json", None),
    ],
)
def test_a_connection_never_becomes_less_secure(
    here: str, location: str, there: str | None
) -> None:
    if there is not None:
        assert remote._redirected(here, location, "/a.json") == there
    else:
        with pytest.raises(RemoteError, match="redirects to another host"):
            remote._redirected(here, location, "/a.json")


# --- proxies --------------------------------------------------------------------------------------


def test_the_proxy_of_the_environment_is_used(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain proxy gets the whole URL."""
    monkeypatch.setenv("http_proxy", host.name)
    host.wrong = lambda asked: (
        Given(body=asked.target.encode()) if asked.target.startswith("http://") else None
    )
    assert Remote("http://x.example/r", timeout=5, retries=0).read(["/a.json"]) == [
        b"http://x.example/r/a.json"
    ]
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert remote_of(host).read([INDEX]) == [host.file(host.prefix + INDEX)]


def test_an_invalid_proxy_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    with pytest.raises(RemoteError, match="proxy"):
        Remote("http://x.example", timeout=1, retries=0)


# --- what is kept ---------------------------------------------------------------------------------


def test_an_unchanged_file_is_not_sent_again(host: FakeHost, tmp_path: Path) -> None:
    want = [host.file(host.prefix + path) for path in (INDEX, DASHBOARD)]
    assert remote_of(host, tmp_path).read([INDEX, DASHBOARD]) == want
    assert remote_of(host, tmp_path).read([INDEX, DASHBOARD]) == want
    assert sorted(host.statuses()) == [200, 200, 304, 304]
    assert all("If-None-Match" in asked.headers for asked, status in host.seen if status == 304)


def test_a_changed_file_is_sent_and_cached_again(host: FakeHost, tmp_path: Path) -> None:
    for n, want in (("1", 200), ("2", 200), ("2", 304)):

        def wrong(asked: Asked, n: str = n) -> Given:
            same = asked.headers.get("If-None-Match") == f'"{n}"'
            return Given(304) if same else Given(200, {"ETag": f'"{n}"'}, n.encode())

        host.wrong = wrong
        assert remote_of(host, tmp_path).read([DASHBOARD]) == [n.encode()]
        assert host.statuses()[-1] == want


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b"{}"),
        # Without a length, nobody could notice a truncated answer.
        ({"ETag": '"1"', "Connection": "close"}, b"{}"),
        ({"ETag": '"1"'}, b"<!doctype html>"),
    ],
)
def test_only_a_whole_file_with_an_etag_is_kept(
    headers: dict[str, str], body: bytes, host: FakeHost, tmp_path: Path
) -> None:
    host.wrong = lambda asked: Given(200, headers, body)
    assert remote_of(host, tmp_path).read([DASHBOARD]) == [body if body == b"{}" else None]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(path.read_bytes().replace(b"kind", b"KIND")),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"\xff\n"),
        lambda path: path.write_bytes(b"[]\n{}"),
        lambda path: path.write_bytes(
            path.read_bytes().replace(b"dashboard.json", b"something.json")
        ),
        lambda path: path.unlink(),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to(path)),
    ],
)
def test_a_damaged_cache_entry_is_requested_again(
    damage: Callable[[Path], object], host: FakeHost, tmp_path: Path
) -> None:
    remote_of(host, tmp_path).read([DASHBOARD])
    [kept] = tmp_path.iterdir()
    damage(kept)
    assert remote_of(host, tmp_path).read([DASHBOARD]) == [host.file(host.prefix + DASHBOARD)]
    assert host.statuses() == [200, 200]


def test_a_folder_that_cannot_be_written_is_no_error(host: FakeHost, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert remote_of(host, tmp_path / "file" / "cache").read([DASHBOARD]) == [
        host.file(host.prefix + DASHBOARD)
    ]
    assert (tmp_path / "file").read_text() == "in the way"
    assert os.listdir(tmp_path) == ["file"]
