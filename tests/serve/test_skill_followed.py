"""skill.md does what it says: its addresses, its examples and its commands, each tried against a
build that is served.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import pytest

from generator.api.paths import SKILL
from generator.api.problems import PROBLEMS
from generator.cli import commands as cli
from support import commands, registries

HOST = {"base_url": "https://registry.example/data/"}
SECONDS = 30


class Served(NamedTuple):
    """A build that is served at `base`, and its skill with the addresses of that host in the place
    of its own.
    """

    base: str
    skill: str

    def get(self, address: str) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(self.base + address, timeout=SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def json(self, address: str) -> dict[str, Any]:
        status, body = self.get(address)
        assert status == 200, f"{address}: {status}"
        found: dict[str, Any] = json.loads(body)
        return found


@pytest.fixture(scope="module", params=["content", "small", "small with a base URL"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    if request.param == "content":
        shutil.copytree(commands.ROOT / "content", folder / "content")
    else:
        registries.write(
            folder / "content", registries.content(registry=HOST if "base" in request.param else {})
        )
    options = (
        "--content",
        folder / "content",
        "--out",
        folder / "out",
        "--port",
        "0",
        "--no-reload",
    )
    with open(folder / "said", "wb") as said:
        process = commands.start("serve", *options, stdout=said)
    try:
        end = time.monotonic() + SECONDS
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", (folder / "said").read_text())):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
        with urllib.request.urlopen(found[0] + SKILL, timeout=SECONDS) as answer:
            text = answer.read().decode()
        yield Served(found[0], text.replace("https://registry.example", "").partition("\n---\n")[2])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(SECONDS)


def tables(text: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Head and rows of each table, a row without its bars."""
    for head, body in re.findall(r"^(\|.*\|)\n\|[-|]+\|\n((?:\|.*\|\n)+)", text, re.M):
        yield (
            head,
            [
                [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
                for row in body.splitlines()
            ],
        )


def values(cell: str) -> list[tuple[str, int]]:
    """`a` (3), `b` (2)"""
    return [(value, int(count)) for value, count in re.findall(r"`([^`]+)` \((\d+)\)", cell)]


def test_every_address_is_answered(served: Served) -> None:
    prose = re.sub(r"^```.*?^```", "", served.skill, flags=re.M | re.S)
    found = {
        a
        for a in re.findall(r"(/(?:data/)?(?:api|skill|\.well-known)[^\s`|,;)]*)", prose)
        if "<" not in a
    }
    assert len(found) > 25
    refused = {address for address in found if served.get(address)[0] != 200}
    assert refused == set(
        re.findall(r"^Where queries are answered, GET (\S+) answers this", served.skill, re.M)
    )


def test_the_lists_have_as_many_records_as_it_says(served: Served) -> None:
    rows = next(rows for head, rows in tables(served.skill) if head.startswith("| list |"))
    assert [row[0] for row in rows] == ["Projects", "Programs", "Organizations", "Events"]
    for _, count, first, filters in rows:
        assert served.json(first)["page"]["total_items"] == int(count)
        assert served.json(filters)["kind"] == "filter_list"


def test_the_filters_have_the_values_that_it_says(served: Served) -> None:
    found = re.findall(r"^\| (\w+) \| \d+ \| \S+ \| (\S+) \|$", served.skill, re.M)
    filters = {label: served.json(address)["data"] for label, address in found}
    tried = 0
    for label in filters:
        (section,) = re.findall(rf"^### {label}\n(.*?)(?=^##)", served.skill, re.M | re.S)
        ((_, rows),) = tables(section)
        for name, _, total, top in rows:
            shown = filters[label][name.strip("`")]
            assert shown["total_values"] == int(total)
            assert values(top) == [
                (v["value"], v["count"]) for v in shown["values"][: len(values(top))]
            ]
            tried += len(values(top))
    families = next(rows for head, rows in tables(served.skill) if "| tags |" in head)
    for name, _, total, top in families:
        count, where = re.fullmatch(r"(\d+) of (\w+)", total).groups()  # type: ignore[union-attr]
        shown = filters[where.capitalize()][name.strip("`")]
        assert shown["total_values"] == int(count)
        assert values(top) == [
            (v["value"], v["count"]) for v in shown["values"][: len(values(top))]
        ]
    assert tried > 10


def test_its_examples_are_real_answers(served: Served) -> None:
    blocks = re.findall(r"GET (\S+) (answers|without)[^\n]*:\n\n```json\n(.*)\n```", served.skill)
    assert len(blocks) == 4
    for address, says, block in blocks:
        shown, answer = json.loads(block), json.loads(served.get(address)[1])
        if says == "answers":
            assert {key: answer[key] for key in shown} == shown
        else:
            rows = answer["data"] if isinstance(answer["data"], list) else answer["data"]["values"]
            assert {key: rows[0][key] for key in shown} == shown


def test_its_queries_are_answered_as_asked(served: Served) -> None:
    queries = re.findall(r"^- (\S+\?mode=page\S*)", served.skill, re.M)
    assert len(queries) == 3
    answers = [served.json(address) for address in queries]
    assert all(answer["page"]["total_items"] for answer in answers[:2])
    echo = re.search(r"says which:\n\n```json\n(.*)\n```", served.skill)
    assert echo is not None
    assert json.loads(echo[1]) == {"query": answers[-1]["query"]}


def test_its_commands_do_what_it_says(served: Served) -> None:
    block = re.search(r"^```sh\n(.*?)^```", served.skill, re.M | re.S)
    assert block is not None
    lines = block[1].splitlines()
    assert [line.split()[1] for line in lines] == ["dashboard", "list", "search", "get", "calendar"]
    queries = [
        served.json(address)["query"]
        for address in re.findall(r"^- (\S+\?mode=page\S*)", served.skill, re.M)
    ]
    answers = {}
    for line in lines:
        program, *words, option, site = shlex.split(line)
        assert (program, option) == ("registry", "--from")
        assert site in ("SITE", "/data")
        done = commands.run(
            *words, option, served.base + ("" if site == "SITE" else site), "--no-cache"
        )
        assert done.status == 0, done.err
        answers[words[0]] = json.loads(done.out)
    assert answers["dashboard"]["kind"] == "dashboard"
    assert answers["list"]["query"] == {**queries[-1], "q": None}
    assert answers["search"]["query"] == queries[1]
    assert answers["search"]["page"]["total_items"] > 0
    assert answers["get"]["kind"] == "project"
    assert answers["calendar"]["query"]["filters"] == {"upcoming": "true"}


def test_the_server_of_tools_can_be_started_as_it_says(served: Served) -> None:
    (words,) = re.findall(r"`registry (mcp --from \S+)`", served.skill)
    command = cli.get_command(click.Context(cli), "mcp")
    assert command is not None
    assert command.make_context("mcp", words.split()[1:])


def test_its_problems_are_the_ones_there_are(served: Served) -> None:
    rows = next(rows for head, rows in tables(served.skill) if head.startswith("| code |"))
    assert [row[0].strip("`") for row in rows] == list(PROBLEMS)
    for code, status, _ in rows:
        published = served.get(f"/api/problems/{code.strip('`')}.json")[1]
        assert json.loads(published)["status"] == int(status)


def test_a_missing_record_is_what_it_says(served: Served) -> None:
    """The pattern of a record with a slug that no record has."""
    pattern = next(p for p in re.findall(r"`([^`]*/slug/<slug>\.json)`", served.skill))
    assert served.get(pattern.replace("<slug>", "no-such-record"))[0] == 404
