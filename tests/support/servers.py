"""Real web servers on 127.0.0.1 that serve a build, and a client that sends raw request lines."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from support import commands
from support.asked import Request, outcome
from support.engines import Raw

#: The modules of Debian's Apache after `a2enmod rewrite headers`, except those that need their own
#: configuration.
MODULES = ("mpm_event", "authz_core", "autoindex", "dir", "mime", "negotiation", "rewrite",
           "headers", "setenvif", "deflate",
           "filter", "alias")  # fmt: skip


class Answer(NamedTuple):
    """A response; header names are in lower case, repeated values are joined."""

    status: int
    headers: dict[str, str]
    body: bytes

    def compared(self, asked: Request, out: Path) -> str:
        """Compare this with the right answer (see asked.outcome), by its bytes and not by its
        headers.
        """
        head = asked.method == "HEAD"
        size = self.headers.get("content-length")
        file = problem = None
        if self.status < 300 and asked.file is not None:
            data = (out / asked.file[1:]).read_bytes()
            if self.body == data or (head and not self.body and size == str(len(data))):
                file = asked.file
        if self.status >= 400 and self.headers.get("content-type") == "application/problem+json":
            if head:
                of_size = {p.stem for p in (out / "api/problems").iterdir()
                           if str(p.stat().st_size) == size}  # fmt: skip
                problem = asked.problem if asked.problem in of_size else None
            else:
                with contextlib.suppress(ValueError):
                    problem = json.loads(self.body).get("code")
        return outcome(asked, self.status, file, problem, self.headers.get("location"))


class Client:
    """A keep-alive connection, reopened if the server closes it."""

    def __init__(self, port: int):
        self.port = port
        self._connection = Raw("127.0.0.1", port, timeout=60)

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, target: str, sent: Mapping[str, str] = {}) -> Answer:
        try:
            response = self._response(method, target, sent)
        except ConnectionError:
            # A server may close a kept connection at any time (RFC 9112 section 9.5).
            self.close()
            response = self._response(method, target, sent)
        headers: dict[str, str] = {}
        for name, value in response.headers.items():
            name = name.lower()
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        return Answer(response.status, headers, response.read())

    def _response(
        self, method: str, target: str, sent: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        self._connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": "registry.example.org", **sent}.items():
            self._connection.putheader(name, value)
        self._connection.endheaders()
        return self._connection.getresponse()

    def answers(self, asked: Iterable[Request]) -> Iterator[tuple[Request, Answer]]:
        for request in asked:
            yield request, self.ask(request.method, request.target)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.contextmanager
def _running(command: list[str], port: int, folder: Path) -> Iterator[Client]:
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=commands.environment(HOME=str(folder)), stdout=log, stderr=log
        )
    try:
        for _ in range(1200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
                break
            assert server.poll() is None, (folder / "log").read_text()
            time.sleep(0.05)
        else:
            raise AssertionError("the server does not listen: " + (folder / "log").read_text())
        with contextlib.closing(Client(port)) as client:
            yield client
    finally:
        server.terminate()
        server.wait(60)


#: Writes the output of `registry host NAME` for a content folder into a folder; returns its path.
Outside = Callable[[str, Path, Path], Path]


def _outside(name: str, content: Path, folder: Path) -> Path:
    done = commands.run_forked("host", name, "--content", content, "--out", folder / name)
    assert done.status == 0, done.err
    return folder / name


def _block(file: Path, first: str, **replaced: str) -> str:
    """The configuration lines in a file's comment, with words replaced."""
    lines = [
        line.removeprefix("#").removeprefix("        ")
        for line in file.read_text().splitlines()
        if line.startswith("#")
    ]
    start = next(n for n, line in enumerate(lines) if line.startswith(first))
    text = "\n".join(
        lines[start : next(n for n in range(start, len(lines)) if not lines[n].strip())]
    )
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return text


def _nginx(rules: Path, out: Path, folder: Path, port: int) -> list[str]:
    temporary = " ".join(
        f"{kind}_temp_path {folder / kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    block = _block(rules / "maps.conf", "include", **{
        "/etc/nginx/registry": str(rules), "listen 80": f"listen 127.0.0.1:{port}",
        "/var/www/registry": str(out)
    })  # fmt: skip
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder / 'pid'}; error_log stderr;\nevents {{}}\n"
        f"http {{ access_log off; {temporary}\n{block}\n}}\n"
    )
    return [str(find("nginx")), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def _apache(rules: Path | None, out: Path, folder: Path, port: int, prefix: str) -> list[str]:
    """Without rules for a virtual host, with those in the output and a host that allows them."""
    modules = next(
        p for p in map(Path, ("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules")) if p.is_dir()
    )
    load = "".join(
        f"LoadModule {m}_module {modules}/mod_{m}.so\n"
        for m in MODULES
        if (modules / f"mod_{m}.so").exists()
    )
    if rules is None:
        alias = f"Alias {prefix} {out}\n" if prefix else ""
        host = (
            f"{alias}DocumentRoot {out}\n<Directory {out}>\nRequire all granted\n"
            "AllowOverride All\n</Directory>"
        )
    else:
        host = _block(rules, "<VirtualHost", **{
            "*:80": f"127.0.0.1:{port}", "/var/www/registry": str(out),
            "/etc/apache2/registry.conf": str(rules),
            "DocumentRoot": f"Alias {prefix} {out}\nDocumentRoot" if prefix else "DocumentRoot",
        })  # fmt: skip
    (folder / "apache.conf").write_text(
        f"{load}ServerName registry.example.org\nListen 127.0.0.1:{port}\n"
        f"PidFile {folder / 'pid'}\nDefaultRuntimeDir {folder}\n"
        f"ErrorLog {folder / 'error.log'}\nTypesConfig /dev/null\nUser nobody\nGroup nogroup\n"
        f"{host}\n"
    )
    config = str(folder / "apache.conf")
    return [str(find("apache2")), "-d", str(folder), "-f", config, "-DFOREGROUND"]


def _caddy(rules: Path, out: Path, folder: Path, port: int) -> list[str]:
    block = _block(rules, "registry.example.org", **{
        "registry.example.org {": f"http://:{port} {{\n bind 127.0.0.1",
        "/var/www/registry": str(out),
        "import registry.caddy": f"import {rules}",
    })  # fmt: skip
    (folder / "Caddyfile").write_text(f"{{\n admin off\n auto_https off\n}}\n{block}\n")
    config = str(folder / "Caddyfile")
    return [str(find("caddy")), "run", "--config", config, "--adapter", "caddyfile"]


@contextlib.contextmanager
def serve(
    engine: str, content: Path, out: Path, folder: Path, prefix: str = "",
    outside: Outside = _outside,
) -> Iterator[Client]:  # fmt: skip
    """Run an engine on a build; `engine` is nginx, caddy, htaccess (Apache with the rules in the
    output) or apache.
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    with contextlib.ExitStack() as opened:
        if engine == "nginx":
            command = _nginx(outside(engine, content, folder), out, folder, port)
        elif engine == "caddy":
            command = _caddy(outside(engine, content, folder), out, folder, port)
        else:
            readable = opened.enter_context(_readable(out)) if os.geteuid() == 0 else out
            # Apache gives a weak validator for a file that changed within the last second.
            time.sleep(max(0.0, out.stat().st_mtime + 2 - time.time()))
            rules = outside(engine, content, folder) if engine == "apache" else None
            command = _apache(rules, readable, folder, port, prefix)
        yield opened.enter_context(_running(command, port, folder))


@contextlib.contextmanager
def _readable(out: Path) -> Iterator[Path]:
    """A copy of the files that everybody may read.

    Apache started by root runs as another user, and each run of pytest closes its folders to other
    users.
    """
    folder = Path(tempfile.mkdtemp(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    try:
        folder.chmod(0o755)
        yield Path(shutil.copytree(out, folder / "build", copy_function=os.link))
    finally:
        shutil.rmtree(folder)


def find(program: str) -> str | None:
    """The path of a program; the servers' folder is not on everybody's PATH.

    `make test HOSTS=none` hides all programs that are not on the PATH.
    """
    path = os.environ.get("PATH", os.defpath)
    if os.environ.get("HOSTS") != "none":
        path += f"{os.pathsep}/usr/sbin"
    return shutil.which(program, path=path)


#: engine -> its program.
PROGRAMS = {"nginx": "nginx", "htaccess": "apache2", "apache": "apache2", "caddy": "caddy"}
