"""Node, and workerd, Cloudflare's engine, for tests that run the deployed code."""

from __future__ import annotations

import atexit
import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support import commands

MODULES = commands.ROOT / "tests/hosts/node_modules"


def need(*modules: str) -> None:
    """Skip a test without node or its modules, or fail as `lacking` does."""
    missing = None
    if shutil.which("node") is None:
        missing = "node is not installed"
    elif not all((MODULES / module).is_dir() for module in modules):
        missing = "run: npm ci --prefix tests/hosts"
    if missing:
        commands.lacking(missing)


def node(*command: object, given: Any = None) -> Any:
    """What a program of node prints, as JSON.  It gets JSON, or a text unchanged."""
    need()
    text = given if isinstance(given, str) else json.dumps(given)
    done = subprocess.run(
        ["node", *map(str, command)], input=text, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


class Script:
    """A long-running node script that answers each line of JSON with a line."""

    def __init__(self, path: Path):
        self.asked = 0
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self._said}
        self._process = subprocess.Popen(["node", str(path)], text=True, **pipes)

    def close(self) -> None:
        self._process.communicate()
        self._said.close()

    def ask(self, asked: Any) -> Any:
        """The script's answer; fails on an error of the script."""
        self.asked += 1
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        self._said.seek(0)
        said = self._said.read()
        self._said.truncate(0)
        assert line and not said, said
        return json.loads(line)


#: The answers of one start of a script: some scripts keep something of each.
_MOST = 50
_scripts: dict[Path, Script] = {}


def ask(path: Path, asked: Any) -> Any:
    """The answer of a script that is started once for many answers: see Script."""
    script = _scripts.get(path)
    if script is None or script.asked == _MOST:
        if script is not None:
            atexit.unregister(script.close)
            script.close()
        script = _scripts[path] = Script(path)
        atexit.register(script.close)
    try:
        return script.ask(asked)
    except BaseException:
        del _scripts[path]
        raise


class Raw(http.client.HTTPConnection):
    """Raw targets: any byte except control characters."""

    def _encode_request(self, request: str) -> bytes:
        return request.encode("latin-1")


@contextlib.contextmanager
def wrangler(folder: Path, *arguments: str) -> Iterator[int]:
    """`wrangler ... dev` in a folder, offline; yields its port."""
    need("wrangler")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {
        **os.environ, **dict.fromkeys(("HOME", "TMPDIR", "XDG_CONFIG_HOME"), str(home)),
        "WRANGLER_SEND_METRICS": "false", "CI": "1",
    }  # fmt: skip
    command = ["node", str(MODULES / "wrangler/bin/wrangler.js"), *arguments]
    command += ["--ip", "127.0.0.1", "--port", str(port)]
    log = (folder / "log").open("w+")
    process = subprocess.Popen(
        command, cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=log, stderr=log,
    )  # fmt: skip
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            assert process.poll() is None, (folder / "log").read_text()
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()
        log.close()
        shutil.rmtree(folder / ".wrangler", ignore_errors=True)


@contextlib.contextmanager
def workerd(folder: Path, **given: Any) -> Iterator[int]:
    """The port of a site in workerd.mjs."""
    said = folder / "workerd.json"
    said.write_text(json.dumps(given))
    with (
        (folder / "log").open("w+") as log,
        subprocess.Popen(
            ["node", str(MODULES.parent / "workerd.mjs"), str(said)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "TMPDIR": str(folder)},  # Miniflare leaves a folder there
        ) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        try:
            address = process.stdout.readline()
            assert address.startswith("http://127.0.0.1:"), (folder / "log").read_text()
            yield int(address.rpartition(":")[2].strip("/\n"))
        finally:
            process.stdin.close()
