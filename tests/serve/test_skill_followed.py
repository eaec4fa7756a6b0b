"""skill.md is true: its addresses, examples and commands work against a served build."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

import click
import pytest

from generator.cli import commands as cli
from generator.grammar.paths import SKILL
from generator.grammar.refusals import PROBLEMS
from generator.kinds.continents import CONTINENTS
from support import commands
from support.serving import Published, fetch


class Served(NamedTuple):
    """A registry, and its skill with the base URL replaced by the origin."""

    site: Published
    skill: str


@pytest.fixture(
    scope="module",
    params=[
        "small_at_a_prefix",
        pytest.param("small_registry", marks=pytest.mark.slow),
        pytest.param("content", marks=pytest.mark.slow),
    ],
)
def served(request: pytest.FixtureRequest) -> Served:
    site: Published = request.getfixturevalue(request.param)
    text = site.get(SKILL).decode()
    return Served(site, text.replace("https://registry.example", "").partition("\n---\n")[2])


def tables(text: str) -> Iterator[tuple[str, list[list[str]]]]:
    """Header and rows of each table; a row has no bars."""
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
        if "<" not in a and "…" not in a
    }
    assert len(found) > 8
    assert all(served.site.get(address) for address in found)


def about(size: str, real: int) -> bool:
    """Whether a size in words matches the real size."""
    number, unit = size.split()
    return unit == "KB" and abs(float(number) * 1000 - real) <= (50 if "." in size else 500)


def test_the_sizes_are_true(served: Served) -> None:
    named = re.findall(r"`?(?:GET )?(/\S+?)`? \((\S+ KB)\)", served.skill)
    assert len(named) > 8
    for address, size in named:
        assert about(size, len(served.site.get(address))), address


def test_sizes_of_lists_and_records_are_of_the_fullest_page_or_the_first_record(
    served: Served,
) -> None:
    (rows,) = (rows for head, rows in tables(served.skill) if "/…`" in head)
    told = 0
    for column, base in enumerate(heads(served), 1):
        first = served.site.json(f"{base}/page/1.json")["data"][0]["slug"]
        filters = served.site.json(f"{base}/filters.json")["data"].values()
        values = [v for f in filters for v in f["values"] if "?" not in v["href"]]
        fullest = min(values, key=lambda value: (-value["count"], value["href"].split("/")))
        for row in rows:
            path = row[0].split("`")[1].removeprefix("…")
            address = base + path.replace("<n>", "1").replace("<slug>", first)
            if "<value>" in path:
                address = fullest["href"]
            for sort, size in re.findall(r"(?:`(\S+)` )?(\S+ KB)", row[column]):
                sorted_address = address.replace("<sort>", sort)
                assert about(size, len(served.site.get(sorted_address))), sorted_address
                told += 1
    assert told > 10


def test_the_lists_have_the_stated_number_of_records(served: Served) -> None:
    counts = re.findall(r"(\d+) (project|program|organization|event)s?\b", served.skill)[:4]
    assert len(counts) == 4
    for (count, name), address in zip(counts, heads(served), strict=True):
        assert f"/{name}s" in address
        assert served.site.json(f"{address}/page/1.json")["page"]["total_items"] == int(count)


def heads(served: Served) -> list[str]:
    """The address of each list, in the order of the columns."""
    (head,) = (head for head, _ in tables(served.skill) if head.startswith("| |"))
    return re.findall(r"`(\S+)/…`", head)


def filters(served: Served) -> Iterator[tuple[str, str, list[tuple[str, int]], int]]:
    """The address of the filters of a collection; the name of a filter, values with their counts,
    and how many more values there are.
    """
    for address, line in re.findall(
        r"^- \w+, (\S+/filters\.json) \(\S+ KB\):(.*)\.$", served.skill, re.M
    ):
        for part in line.split(";"):
            if match := re.match(r" `(\w+)`[^:(]*: (.*)", part):
                more = re.search(r"(\d+) more$", part)
                yield address, match[1], values(match[2]), int(more[1]) if more else 0


def test_the_filters_have_the_stated_values(served: Served) -> None:
    tried = 0
    for address, name, top, more in filters(served):
        listed = served.site.json(address)["data"][name]
        assert listed["total_values"] == len(top) + more > 1
        frequent = [
            (v["value"], v["count"]) for v in listed["values"] if v["value"] not in CONTINENTS
        ]
        # Places are the most frequent ones of different countries.
        assert top[:1] == frequent[:1]
        assert [one for one in frequent if one in top] == top
        tried += len(top)
    assert tried > 10


def queries(served: Served) -> list[str]:
    return re.findall(r"^- (\S+\?mode=\S*)", served.skill, re.M)


def test_its_queries_are_answered_and_find_records(served: Served) -> None:
    listed, rows, *counts = queries(served)
    assert served.site.json(listed)["data"]
    assert served.site.json(rows)["rows"]
    assert ("&tag=" in rows) == ("`tag` is a tag of any family" in served.skill)
    asked = [served.site.json(count) for count in counts]
    assert all(answer["total_items"] > 0 and answer["notes"] == [] for answer in asked)
    assert all(counted["values"] for answer in asked for counted in answer["counts"].values())
    per, within, *more = (answer["query"] for answer in asked)
    assert per["per"] and within["within"]
    [(by, tag)] = within["filters"].items()
    assert within["by"] == [by] and asked[1]["counts"][by]["selected"][0]["value"] == tag
    level, stat, like = (
        next((query for query in more if query[name]), None) for name in ("level", "stat", "like")
    )
    assert level is None or (level["per"], level["level"]) == ("location", "country")
    assert like is None or like["by"] == ["location"]
    assert stat is None or all(
        "n" in value["stat"]
        for answer in asked if answer["query"] == stat
        for counted in answer["counts"].values() for value in counted["values"]
    )  # fmt: skip


def test_the_name_in_its_question_is_found(served: Served) -> None:
    [address] = re.findall(r"^- (\S+/api/reconcile/\S+|/api/reconcile/\S+)", served.skill, re.M)
    assert served.site.json(address)["q0"]["result"]


def test_every_field_of_rows_is_named(served: Served) -> None:
    """The fields of each collection: those of all, its filters, and those named for it."""
    (line,) = re.findall(r"`fields` are (.*)\.$", served.skill, re.M)
    common, *more = line.split("; of ")
    added = {name: names for name, *names in (re.findall("`(\\w+)`", part) for part in more)}
    everywhere = set(re.findall("`(\\w+)`", common))
    for head in heads(served):
        name = head.rsplit("/", 1)[1]
        refused = fetch(f"{served.site.base}{head}?mode=rows&fields=nope")
        known = set(json.loads(refused[-1])["allowed"])
        filters = set(served.site.json(f"{head}/filters.json")["data"])
        fields = everywhere | set(added.get(name, ()))
        assert known - filters == fields - filters
        asked = ",".join(sorted(fields - {"found_in"})[:8])
        assert served.site.json(f"{head}?mode=rows&fields={asked}&limit=1")["rows"]


def test_its_command_works(served: Served) -> None:
    (command,) = re.findall(r"`(registry count .*)`", served.skill)
    _, *words, site = shlex.split(command)
    assert site in ("SITE", "/data")
    where = served.site.base + ("" if site == "SITE" else site)
    done = commands.run_forked(*words, where, "--no-cache")
    assert done.status == 0, done.err
    [counted] = json.loads(done.out)["counts"].values()
    assert counted["values"]


def test_the_server_of_tools_starts_with_the_stated_command(served: Served) -> None:
    (words,) = re.findall(r"`registry (mcp --from \S+)`", served.skill)
    command = cli.get_command(click.Context(cli), "mcp")
    assert command is not None
    assert command.make_context("mcp", words.split()[1:])


def test_its_problems_are_those_of_the_content(served: Served) -> None:
    (line,) = re.findall(r"^- An error .*$", served.skill, re.M)
    answered = served.site.json("/api/problems/not-found.json")
    assert set(re.findall(r"`([a-z]+)`", line)) <= answered.keys() | {"allowed", "try"}
    for code in PROBLEMS:
        assert served.site.json(f"/api/problems/{code}.json")["code"] == code


def test_a_missing_record_is_answered_as_stated(served: Served) -> None:
    """The address pattern of a record with an unknown slug."""
    (pattern,) = re.findall(r"`…(/slug/<slug>\.json)`", served.skill)
    address = heads(served)[0] + pattern.replace("<slug>", "no-such-record")
    assert fetch(served.site.base + address)[0] == 404
