"""Node, and Cloudflare's own engine, for tests that run what is deployed."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from support import commands

MODULES = commands.ROOT / "tests/hosts/node_modules"


def need(*modules: str) -> None:
    """Without node or its modules these tests say so, and in CI they fail."""
    missing = None
    if shutil.which("node") is None:
        missing = "node is not installed"
    elif not all((MODULES / module).is_dir() for module in modules):
        missing = "run: npm ci --prefix tests/hosts"
    if missing:
        commands.lacking(missing)


class Raw(http.client.HTTPConnection):
    """Targets as they are: any byte but a control character."""

    def _encode_request(self, request: str) -> bytes:
        return request.encode("latin-1")


@contextlib.contextmanager
def wrangler(folder: Path, *arguments: str) -> Iterator[int]:
    """`wrangler ... dev` in a folder, offline; the port it answers on."""
    need("wrangler")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "WRANGLER_SEND_METRICS": "false",
        "CI": "1",
    }
    command = [
        "node",
        str(MODULES / "wrangler/bin/wrangler.js"),
        *arguments,
        "--ip",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    log = (folder / "log").open("w+")
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
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
