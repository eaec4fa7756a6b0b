"""The MCP server of registries with own kinds, with the official client: every tool's example, and
queries by relations, by what is beyond them and by the numbers of their other side.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mcp
import pytest

from generator.grammar.limits import MAX_ANSWER
from generator.reader.client import Client
from support.talk import served, talk, text

#: Tool and arguments -> the slugs of the answer.
ASKED: dict[str, list[tuple[str, dict[str, Any], list[str]]]] = {
    "investors": [
        ("list_records", {"collection": "rounds", "filters": {"lead": "quay-ventures"}},
         ["bloom-a"]),
        ("list_records", {"collection": "rounds", "filters": {"project_location": "us"},
                          "sort": "-amount"}, ["bloom-a", "bloom-seed"]),
        ("list_records", {"collection": "investors", "sort": "-rounds", "limit": 2},
         ["quay-ventures", "birch-capital"]),
        ("list_records", {"collection": "projects", "filters": {"investor_stage": "growth"}},
         ["bloom", "cairn"]),
        ("search_records", {"collection": "rounds", "q": "quay", "sort": "name"},
         ["bloom-seed", "bloom-a"]),
    ],
    "tools": [
        ("list_records", {"collection": "papers", "filters": {"tool": "all:mapper,parse-it"}},
         ["maps-that-read"]),
        ("list_records", {"collection": "papers", "filters": {"tool_licence": "gpl-3-0"},
                          "sort": "-published"}, ["maps-that-read", "on-parsing"]),
        ("list_records", {"collection": "tools", "sort": "-papers", "limit": 1}, ["parse-it"]),
        ("list_records", {"collection": "tools", "filters": {"dependency": "parse-it"}},
         ["mapper"]),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", ["investors", "tools"])
def test_a_client_reads_own_kinds(name: str, built_own_kinds: dict[str, Path]) -> None:
    out = built_own_kinds[name]
    published = json.loads((out / "api/v1/agent/tools.json").read_bytes())["data"]["tools"]
    examples = {tool["name"]: tool["example"]["arguments"] for tool in published}

    async def work(client: mcp.Client) -> None:
        listed = await client.list_tools()
        assert len(listed.model_dump_json(by_alias=True, exclude_none=True)) <= MAX_ANSWER
        assert {tool.name for tool in listed.tools} == examples.keys()
        for tool, arguments in examples.items():
            answered = await client.call_tool(tool, arguments)
            assert not answered.is_error, (tool, text(answered))
        for tool, arguments, slugs in ASKED[name]:
            answered = await client.call_tool(tool, arguments)
            assert not answered.is_error, (tool, text(answered))
            assert [row["slug"] for row in json.loads(text(answered))["data"]] == slugs, arguments
        for resource in (await client.list_resources()).resources:
            [content] = (await client.read_resource(resource.uri)).contents
            assert content.text

    talk(served(Client.open(str(out))), work)
