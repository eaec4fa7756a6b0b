"""/docs/agents/ is true: its configurations work, and its tools and contexts exist."""

from __future__ import annotations

import html
import json
import re
import shlex
import tomllib

import click
import pytest

from generator.cli import commands as cli
from generator.grammar import paths
from generator.site.paths import AGENTS
from support.serving import Published


@pytest.fixture(scope="module")
def page(content: Published) -> str:
    return content.get(AGENTS).decode()


def blocks(page: str, name: str) -> list[str]:
    """The texts to copy with this label."""
    texts = re.findall(rf'aria-label="{name}"><code>(.*?)</code>', page, re.S)
    return [html.unescape(re.sub(r"<.*?>", "", text)) for text in texts]


def is_accepted(words: list[str]) -> bool:
    """Whether the command line accepts these arguments."""
    command = cli.get_command(click.Context(cli), words[0])
    assert command is not None
    return bool(command.make_context(words[0], words[1:]))


def test_the_configurations_work_in_clients(page: str) -> None:
    (desktop,) = blocks(page, "Claude Desktop, Cursor")
    (server,) = json.loads(desktop)["mcpServers"].values()
    assert server == {"command": "registry", "args": ["mcp", "--from", "SITE"]}
    stdio, http = (json.loads(text)["servers"] for text in blocks(page, "VS Code"))
    assert [entry["type"] for entry in (*stdio.values(), *http.values())] == ["stdio", "http"]
    (codex,) = blocks(page, "Codex")
    assert tomllib.loads(codex)["mcp_servers"] == {"open-launch-registry": server}
    started, added = map(shlex.split, blocks(page, "Claude Code"))
    assert started[started.index("--") + 1 :] == ["registry", *server["args"]]
    (line,) = blocks(page, "registry")
    assert is_accepted(server["args"]) and is_accepted(shlex.split(line)[1:])
    (port,) = (
        o.default for o in cli.get_command(click.Context(cli), "mcp").params if o.name == "port"
    )
    addresses = {added[-1], *(entry["url"] for entry in http.values())}
    assert addresses == {f"http://127.0.0.1:{port}/mcp"}


def test_every_tool_is_described_with_its_arguments(content: Published, page: str) -> None:
    tools = content.json(paths.AGENT_TOOLS)["data"]["tools"]
    assert len(tools) > 5
    for tool in tools:
        _, _, after = page.partition(f"<code>{tool['name']}</code></dt>")
        description = after.partition("</dd>")[0]
        assert tool["purpose"] in html.unescape(description)
        assert set(re.findall(r"<code>(\w+)</code>", description)) == set(
            tool["input"]["properties"]
        )


def test_the_skill_can_be_read(content: Published, page: str) -> None:
    skill = content.get(paths.SKILL).decode()
    text = html.unescape(re.sub(r"<.*?>", "", page.partition('class="prose"')[2]))
    headings = re.findall(r"^## (.+)$", skill, re.M)
    assert len(headings) > 4
    assert [heading for heading in headings if heading not in text] == []
    assert "metadata:" not in text
