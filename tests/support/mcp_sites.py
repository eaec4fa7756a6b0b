"""Published registries with their MCP server, in node and in the engine of Python, and messages to
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.agent import protocol
from generator.reader.client import Client
from support import awkward, commands, registries
from support.commands import ROOT
from support.engines import ask, need
from support.talk import POST, post

ORIGIN = "https://registry.example.org"
#: What each message without a handshake says of its client.
META = {
    "io.modelcontextprotocol/protocolVersion": protocol.MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
#: The small registry with a renamed program, and two spellings of a tag.
SMALL = {
    "registry": {"base_url": f"{ORIGIN}/registry"},
    "programs": {
        **registries.SMALL["programs"],
        "launch": {**registries.SMALL["programs"]["launch"], "aliases": ["start"]},
    },
    "projects": {
        **registries.SMALL["projects"],
        "dune": {"name": "Dune", "year": 2020, "tags": {"technology": ["ai"]}},
        "elm": {"name": "Elm", "year": 2021, "tags": {"technology": ["artificial-intelligence"]}},
    },
}
#: A tag that two families have; own nouns, which no text for a tool has: its arguments have the
#: names of the API.
TWINS = {
    "registry": {
        "tag_families": {"market": {"label": "Market"}, "topic": {"label": "Topic"}},
        "nouns": {"projects": {"one": "Firma", "many": "Firmen"}},
    },
    "projects": {
        f"p-{n}": {
            "name": f"P {n}",
            "year": 2020 + n % 2,
            "tags": {"market": ["ai"] * (n < 6), "topic": ["ai"] * (n > 3) + ["air"]},
        }
        for n in range(8)
    },
}
CONTENTS: dict[str, Any] = {"small": SMALL, "twins": TWINS}


class Published(NamedTuple):
    """A build for Cloudflare, its client, and its script for node."""

    out: Path
    client: Client
    script: Path

    @property
    def path(self) -> str:
        return self.client.grammar.prefix + "/mcp"

    def in_node(self, requests: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
        """The answers to (method, target, headers, body)."""
        need()
        asked = {"script": str(self.script), "site": str(self.out), "requests": requests}
        answers: list[dict[str, Any]] = ask(ROOT / "tests/hosts/mcp.mjs", asked)
        return answers

    def posted(self, bodies: Sequence[str], **headers: str) -> list[tuple[int, str]]:
        """The status and the text of answers to messages, in node and from Python the same."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.requested([(given, body) for body in bodies])

    def requested(self, asked: Sequence[tuple[dict[str, str], str]]) -> list[tuple[int, str]]:
        """Like `posted`, for messages with headers of their own."""
        every = [(POST | headers, body) for headers, body in asked]
        answers = self.in_node([("POST", self.path, *request) for request in every])
        found = [(answer["status"], answer["text"]) for answer in answers]
        for (headers, body), answer in zip(every, found, strict=True):
            assert answer == self.in_python(headers, body), body[:500]
        return found

    def in_python(self, headers: dict[str, str], body: str) -> tuple[int, str]:
        status, text = post(self.client, body, POST | headers)
        return status, text.decode()


def publish(name: str, folder: Path) -> Published:
    """The registry with a name: content, one of CONTENTS, or the path of the awkward one."""
    options = ("--as-of", commands.TODAY, "--host", "cloudflare")
    if name == "content":
        out = commands.build(ROOT / "content", folder / "out", *options)
    elif name in CONTENTS:
        content = registries.write(folder / "content", registries.content(**CONTENTS[name]))
        out = commands.build(content, folder / "out", *options)
    else:
        out = awkward.build(folder, "cloudflare", base_url=ORIGIN + name if name else None)
    opened = Client.open(str(out))
    client = Client(ORIGIN + opened.grammar.prefix, opened.read)
    script = folder / "worker.mjs"
    script.write_bytes((out / "_worker.js").read_bytes())
    return Published(out, client, script)
