"""Recorded answers of the MCP server, in Python and in node."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from generator import __version__
from generator.agent import protocol
from support.mcp_sites import META, Published
from support.talk import lines_of, message
from support.transcripts import Case, printable, transcript

HERE = Path(__file__).parent / "transcripts"


def request(step: str) -> tuple[dict[str, str], str]:
    """The headers and the body of a step: `tool {arguments}`, `body text`, or a method with its
    parameters, below it headers.  `modern` before a method is the protocol without a handshake.
    """
    first, *rest = step.split("\n")
    headers = dict(line.split(": ", 1) for line in rest)
    kind, _, given = first.partition(" ")
    if kind == "body":
        return headers, given
    if "/" not in kind and kind not in ("modern", "initialize", "ping", "toString"):
        return headers, json.dumps(message("tools/call", name=kind, arguments=json.loads(given)))
    method, _, params = (given if kind == "modern" else first).partition(" ")
    asked = message(method, **json.loads(params or "{}"))
    if kind == "modern":
        asked["params"] |= {"_meta": META}
        name = str(asked["params"].get("name") or asked["params"].get("uri") or "")
        own = {"Mcp-Protocol-Version": protocol.MODERN, "Mcp-Method": method, "Mcp-Name": name}
        headers = {name: value for name, value in (own | headers).items() if value != "-"}
    return headers, json.dumps(asked)


def shown(answer: tuple[int, str]) -> Iterator[str]:
    """The lines of an answer: the result or the error, and of a tool its text."""
    status, text = answer
    document = json.loads(text) if text else {}
    result = document.get("result", document.get("error"))
    mark = "!" if "error" in document else "|"
    if isinstance(result, dict) and "isError" in result:
        [content] = result["content"]
        mark = "!" if result["isError"] else "|"
        is_json = content["text"].startswith("{")
        lines = lines_of(json.loads(content["text"])) if is_json else content["text"].split("\n")
    else:
        lines = lines_of(result) if document else iter(())
    for line in lines:
        for part in printable(f"{line.replace(__version__, 'VERSION')}\n"):
            yield f"{mark} {part}".rstrip()
    if status != 200:
        yield f"[{status}]"


def check(case: Case, site: Published, regenerate: bool) -> None:
    """Compare the answers with the recorded lines, and node with Python."""
    asked = [request(step) for step in case.steps]
    case.check([[*shown(site.in_python(*each))] for each in asked], regenerate)
    site.requested(asked)


@transcript(HERE / "small.txt")
def test_calls(case: Case, published: Callable[[str], Published], regenerate: bool) -> None:
    check(case, published("small"), regenerate)


@transcript(HERE / "twins.txt")
def test_the_same_tag_in_other_families(
    case: Case, published: Callable[[str], Published], regenerate: bool
) -> None:
    check(case, published("twins"), regenerate)


@transcript(HERE / "protocol.txt")
def test_the_protocol(case: Case, published: Callable[[str], Published], regenerate: bool) -> None:
    check(case, published("small"), regenerate)
