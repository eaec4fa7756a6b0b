"""/docs/agents/ is true: its configurations work, and its tools and contexts exist."""

from __future__ import annotations

import html
import json
import re
import shlex
import shutil
import tomllib
import urllib.request
from collections.abc import Iterator
from typing import NamedTuple

import click
import pytest

from generator.cli import commands as cli
from generator.grammar import paths
from generator.site.paths import AGENTS
from support import commands
from support.serving import SECONDS, serving


class Served(NamedTuple):
    base: str
    page: str

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.base + path, timeout=SECONDS) as answer:
            body: bytes = answer.read()
            return body

    def blocks(self, name: str) -> list[str]:
        """The texts to copy with this label."""
        texts = re.findall(rf'aria-label="{name}"><code>(.*?)</code>', self.page, re.S)
        return [html.unescape(re.sub(r"<.*?>", "", text)) for text in texts]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("agents")
    shutil.copytree(commands.ROOT / "content", folder / "content")
    with serving(folder) as base, urllib.request.urlopen(base + AGENTS, timeout=SECONDS) as answer:
        yield Served(base, answer.read().decode())


def is_accepted(words: list[str]) -> bool:
    """Whether the command line accepts these arguments."""
    command = cli.get_command(click.Context(cli), words[0])
    assert command is not None
    return bool(command.make_context(words[0], words[1:]))


def test_the_configurations_work_in_clients(served: Served) -> None:
    (desktop,) = served.blocks("Claude Desktop, Cursor")
    (server,) = json.loads(desktop)["mcpServers"].values()
    assert server == {"command": "registry", "args": ["mcp", "--from", "SITE"]}
    stdio, http = (json.loads(text)["servers"] for text in served.blocks("VS Code"))
    assert [entry["type"] for entry in (*stdio.values(), *http.values())] == ["stdio", "http"]
    (codex,) = served.blocks("Codex")
    assert tomllib.loads(codex)["mcp_servers"] == {"open-launch-registry": server}
    started, added = map(shlex.split, served.blocks("Claude Code"))
    assert started[started.index("--") + 1 :] == ["registry", *server["args"]]
    (line,) = served.blocks("registry")
    assert is_accepted(server["args"]) and is_accepted(shlex.split(line)[1:])
    (port,) = (
        o.default for o in cli.get_command(click.Context(cli), "mcp").params if o.name == "port"
    )
    addresses = {added[-1], *(entry["url"] for entry in http.values())}
    assert addresses == {f"http://127.0.0.1:{port}/mcp"}


def test_every_tool_is_described_with_its_arguments(served: Served) -> None:
    tools = json.loads(served.get(paths.AGENT_TOOLS))["data"]["tools"]
    assert len(tools) > 5
    for tool in tools:
        _, _, after = served.page.partition(f"<code>{tool['name']}</code></dt>")
        description = after.partition("</dd>")[0]
        assert tool["purpose"] in html.unescape(description)
        assert set(re.findall(r"<code>(\w+)</code>", description)) == set(
            tool["input"]["properties"]
        )


def test_the_contexts_and_the_documents_exist(served: Served) -> None:
    linked = set(re.findall(r'href="(/api/v1/agent/[^"]+)"', served.page))
    assert {paths.AGENT_OVERVIEW, paths.AGENT_CATALOG, paths.AGENT_SCHEMA} <= linked
    assert len([path for path in linked if "/context/" in path]) > 10
    for path in linked:
        assert served.get(path)


def test_the_skill_can_be_read(served: Served) -> None:
    skill = served.get(paths.SKILL).decode()
    text = html.unescape(re.sub(r"<.*?>", "", served.page.partition('class="prose"')[2]))
    headings = re.findall(r"^## (.+)$", skill, re.M)
    assert len(headings) > 4
    assert [heading for heading in headings if heading not in text] == []
    assert "metadata:" not in text
