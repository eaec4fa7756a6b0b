"""Questions about content/ get right answers in few and small requests.

questions.yaml has them with their requests, support/right_answers.py their right answers.
`pytest --regenerate` rewrites the table in docs/agents.md.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import yaml

from generator.grammar.parameters import PARAMETERS
from generator.reader.client import Client
from support import talk
from support.answers import served
from support.commands import ROOT

TABLE = yaml.safe_load((Path(__file__).parent / "questions.yaml").read_text("utf-8"))
QUESTIONS = {asked["question"]: asked for part in TABLE.values() for asked in part}
#: The most requests, and bytes of their bodies, in the mean of some questions.
BOUNDS = {"everybody, analysts": (1.3, 1500), "analysts": (1.4, 2500)}
ARGUMENTS = {"q", *(p.name for p in PARAMETERS)}
DOCUMENT = ROOT / "docs" / "agents.md"


def plain(value: Any) -> Any:
    """A part of an answer, or a right answer, as texts in tuples: of counted values and of
    candidates without their labels.
    """
    match value:
        case {"value": counted, "count": number, "per": {**per}}:  # of a tool
            return plain([counted, number, [*per.items()]])
        case {"value": counted, "count": number, **more}:
            return plain([counted, number, *(more[key] for key in ("per", "stat") if key in more)])
        case {"id": slug, "match": sure}:
            return plain([slug, sure])
        case dict():
            return {key: plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return tuple(map(plain, value))
        case float() | int():
            return f"{value:g}"
    return value or ""


def part(body: bytes, where: str) -> Any:
    """The part of an answer; `csv` are the rows of a table, `SUMMARY` the names in a calendar."""
    text = body.decode()
    if where == "csv":
        return list(csv.reader(text.splitlines()))[1:]
    if where == "SUMMARY":
        return sorted(re.findall("^SUMMARY:(.+?)\r$", text, re.M))
    value = json.loads(text)
    for key in where.split("."):
        value = value[key] if isinstance(value, dict) else value and value[int(key)]
    return value


def requests(question: str) -> list[str]:
    asked = QUESTIONS[question]["ask"]
    return [asked] if isinstance(asked, str) else asked


def assert_few(answers: Sequence[Sequence[bytes]], most: tuple[float, int]) -> None:
    """Bound the requests and bytes for a question in the mean; `answers` has bodies by question."""
    number = sum(map(len, answers)) / len(answers)
    size = sum(len(body) for bodies in answers for body in bodies) / len(answers)
    print(f"{len(answers)} questions: {number:.2f} requests and {size:,.0f} bytes each")
    assert number <= most[0] and size <= most[1]


@pytest.fixture(scope="module")
def bodies(built_content: Path) -> dict[str, list[bytes]]:
    """Question -> the bodies of the answers to its requests."""
    return {
        question: [body for _, body in served(built_content, *requests(question))]
        for question in QUESTIONS
    }


@pytest.fixture(scope="module")
def right() -> dict[str, Any]:
    """Question -> its right answer."""
    from support.right_answers import RIGHT  # reads content/

    return RIGHT


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_right(
    question: str, bodies: dict[str, list[bytes]], right: dict[str, Any]
) -> None:
    found = [part(body, QUESTIONS[question]["read"]) for body in bodies[question]]
    assert plain(found if len(found) > 1 else found[0]) == plain(right[question])


@pytest.mark.parametrize("parts", BOUNDS)
def test_answers_take_few_requests_and_bytes(parts: str, bodies: dict[str, list[bytes]]) -> None:
    asked = [bodies[each["question"]] for name in parts.split(", ") for each in TABLE[name]]
    assert_few(asked, BOUNDS[parts])


def tool_call(target: str) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments for the address of counts or rows."""
    address = urlsplit(target)
    collection, asked = address.path.rpartition("/")[2], dict(parse_qsl(address.query))
    count = asked.pop("mode") == "count"
    asked.pop("format", None)
    given: dict[str, Any] = {key: asked.pop(key) for key in ARGUMENTS & asked.keys()}
    for key in given.keys() & {"by", "fields"}:
        given[key] = given[key].split(",")
    for key in given.keys() & {"limit", "top", "start", "within"}:
        given[key] = json.loads(given[key])
    if not count and "start" in given:
        given["start"] += 1  # the number of a row
    given |= {"collection": collection, "filters": asked}
    return "count_records" if count else "list_records", given


def tool_part(body: bytes, where: str) -> Any:
    """The part of a tool's answer that `part` finds in the answer to a query."""
    if where in ("rows", "csv"):
        return [[*row.values()] for row in json.loads(body)["data"]]
    return part(body, where.replace("counts.", "data."))


def test_tools_answer_analysts_in_few_calls(built_content: Path, right: dict[str, Any]) -> None:
    client = Client.open(str(built_content))
    answers = {
        question: [
            talk.text(talk.call(client, *tool_call(target))).encode()
            for target in requests(question)
        ]
        for question in (asked["question"] for asked in TABLE["analysts"])
    }
    for question, bodies in answers.items():
        found = [tool_part(body, QUESTIONS[question]["read"]) for body in bodies]
        assert plain(found if len(found) > 1 else found[0]) == plain(right[question])
    assert_few([*answers.values()], BOUNDS["analysts"])


def test_the_document_shows_the_requests(regenerate: bool) -> None:
    """docs/agents.md has a table of them."""
    lines = [
        f"| {question} | {'<br>'.join(f'`{target}`' for target in requests(question))} "
        f"| `{asked['read']}` |\n"
        for question, asked in QUESTIONS.items()
    ]
    text = DOCUMENT.read_text("utf-8")
    table = r"(<!-- questions -->\n\|.*\n\|.*\n)(\|.*\n)*"
    written = re.sub(table, lambda found: found[1] + "".join(lines), text)
    if regenerate:
        DOCUMENT.write_text(written, "utf-8")
    assert lines[0] in DOCUMENT.read_text("utf-8") and written == DOCUMENT.read_text("utf-8")
