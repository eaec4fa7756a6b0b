"""Serves a published folder on a port of 127.0.0.1 and prints the port first: like a host with a
query tier, or, with `plain` after the folder, like a host of static files.  It ends with its
standard input, so also with tests that are killed.
"""

import gzip
import sys
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

from generator.grammar import headers
from generator.reader.deployment import Deployment
from generator.serve.answer import HttpAnswer, answer

out, plain = Path(sys.argv[1]), "plain" in sys.argv[2:]
site = Deployment.open(out)


def file(target: str) -> HttpAnswer:
    """The answer of a static host: it ignores queries and sends only the type."""
    path = unquote(target.partition("?")[0]).removeprefix(site.grammar.prefix)
    status, body = 200, site.read(f"{path}index.html" if path.endswith("/") else path)
    if body is None and site.read(f"{path}/index.html") is not None:
        return HttpAnswer(301, {"Location": f"{site.grammar.prefix}{path}/"}, b"")
    if body is None:
        status, path, body = 404, "/404.html", site.read("/404.html") or b""
    ending = "html" if path.endswith("/") else path.rpartition(".")[2]
    kind = headers.MEDIA_TYPES.get(ending, "application/octet-stream")
    return HttpAnswer(status, {"Content-Type": kind, "Access-Control-Allow-Origin": "*"}, body)


compressed = cache(gzip.compress)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        given = dict(self.headers.items())
        found = file(self.path) if plain else answer(self.command, self.path, site, given=given)
        body = found.body
        self.send_response(found.status)
        said = {**found.headers, "Content-Length": str(len(body))}
        if (
            "gzip" in self.headers.get("Accept-Encoding", "")
            and said.get("Content-Type", "").partition(";")[0] in headers.COMPRESSED_TYPES
        ):
            body = compressed(body)
            said |= {"Content-Encoding": "gzip", "Content-Length": str(len(body))}
        for name, value in said.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
