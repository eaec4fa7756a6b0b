"""A client of a language server over standard streams, like an editor (Language Server Protocol
3.17).
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from queue import Queue
from typing import Any

from support.commands import ROOT

SERVER = ROOT / "tests" / "hosts" / "node_modules" / "yaml-language-server" / "bin"
#: Seconds allowed for an answer, which includes starting the server and reading schemas.
PATIENCE = 60


class Editor:
    """yaml-language-server with an open folder and the folder's settings."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.settings: Mapping[str, Any] = json.loads(
            (folder / ".vscode" / "settings.json").read_bytes()
        )
        self.process = subprocess.Popen(
            ["node", str(SERVER / "yaml-language-server"), "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.number = 0
        self.answers: dict[int, Queue[Any]] = {}
        self.problems: dict[str, Queue[list[dict[str, Any]]]] = {}
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        completion = {"completionItem": {"documentationFormat": ["markdown", "plaintext"]}}
        self.ask("initialize", {
            "processId": None,
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "registry"}],
            "capabilities": {
                "workspace": {"configuration": True, "workspaceFolders": True},
                "textDocument": {"completion": completion,
                                 "hover": {"contentFormat": ["markdown"]}},
            },
        })  # fmt: skip
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": {}})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.listener.join()
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()

    def open(self, path: str, text: str) -> list[dict[str, Any]]:
        """Open a file with this text; returns the server's diagnostics."""
        uri = (self.folder / path).as_uri()
        assert uri not in self.problems, "what it told of the file before may still come"
        self.problems[uri] = Queue()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.problems[uri].get(timeout=PATIENCE)

    def complete(self, path: str, line: int, column: int) -> dict[str, dict[str, Any]]:
        """The completions at a position, by label; lines and columns count from 0."""
        answer = self.ask("textDocument/completion", self._at(path, line, column))
        items = answer["items"] if isinstance(answer, dict) else answer
        return {item["label"]: item for item in items}

    def hover(self, path: str, line: int, column: int) -> str:
        """The hover text at a position."""
        answer = self.ask("textDocument/hover", self._at(path, line, column))
        return str(answer["contents"]["value"])

    def _at(self, path: str, line: int, column: int) -> dict[str, Any]:
        return {
            "textDocument": {"uri": (self.folder / path).as_uri()},
            "position": {"line": line, "character": column},
        }

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        answer = self.answers[self.number] = Queue()
        self._send({"id": self.number, "method": method, "params": params})
        return answer.get(timeout=PATIENCE)

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if message.get("method") == "workspace/configuration":
                asked = [item.get("section") for item in message["params"]["items"]]
                self._send({"id": message["id"], "result": [self._section(one) for one in asked]})
            elif message.get("method") == "textDocument/publishDiagnostics":
                told = message["params"]
                if told["uri"] in self.problems:
                    self.problems[told["uri"]].put(told["diagnostics"])
            elif "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            elif "id" in message:
                self.answers[message["id"]].put(message.get("result"))

    def _section(self, name: str | None) -> dict[str, Any]:
        """The settings below a name, nested, as VS Code sends them; nothing is fetched."""
        nested: dict[str, Any] = {}
        for key, value in {**self.settings, "yaml.schemaStore.enable": False}.items():
            head, _, rest = key.partition(".")
            if head == name:
                nested[rest] = value
        if "schemaStore.enable" in nested:
            nested["schemaStore"] = {"enable": nested.pop("schemaStore.enable")}
        return nested | ({"validate": True, "hover": True, "completion": True} if nested else {})
