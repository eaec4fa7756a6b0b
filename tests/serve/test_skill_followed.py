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
    """The size of each address, and of each filter's file."""
    named = re.findall(r"`?(?:GET )?(/\S+?)`? \((\S+ KB)\)", served.skill)
    assert len(named) > 4
    for address, size in named:
        assert about(size, len(served.site.get(address))), address
    roots = dict(filters(served))
    for collection, rows in roots.items():
        for name, _, size, _ in rows:
            path = f"{root(served, collection)}/filters/{name.split('`')[1]}.json"
            assert about(size, len(served.site.get(path))), path


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
            if row[column].endswith("KB"):
                assert about(row[column], len(served.site.get(address))), address
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


def root(served: Served, collection: str) -> str:
    return next(address for address in heads(served) if address.endswith(f"/{collection}"))


def filters(served: Served) -> Iterator[tuple[str, list[list[str]]]]:
    """The rows of the filters of each collection."""
    for head, rows in tables(served.skill):
        if match := re.match(r"\| filter of (\w+) \|", head):
            yield match[1], rows


def test_the_filters_have_the_stated_values(served: Served) -> None:
    tried = 0
    for collection, rows in filters(served):
        published = served.site.json(f"{root(served, collection)}/filters.json")["data"]
        for name, total, _, top in rows:
            listed = published[name.split("`")[1]]
            assert listed["total_values"] == int(total)
            frequent = [
                (v["value"], v["count"]) for v in listed["values"] if v["value"] not in CONTINENTS
            ]
            # Places are the most frequent ones of different countries.
            assert values(top)[:1] == frequent[:1]
            assert [one for one in frequent if one in values(top)] == values(top)
            tried += len(values(top))
    assert tried > 10


def queries(served: Served) -> list[str]:
    return re.findall(r"^- (\S+\?mode=\S*)", served.skill, re.M)


def test_its_queries_are_answered_and_find_records(served: Served) -> None:
    several, rows, *counts = queries(served)
    assert served.site.json(several)["query"]["q"]
    assert served.site.json(rows)["rows"]
    assert ("&tag=" in rows) == ("`tag` is a tag of any family" in served.skill)
    asked = [served.site.json(count) for count in counts]
    assert all(answer["total_items"] > 0 for answer in asked)
    per, years, like = asked
    assert set(per["query"]["filters"]) <= {"location"}
    [counted] = per["counts"].values()
    assert counted["values"][0]["per"] and per["query"]["per"]
    assert re.fullmatch(r"\d{4}\.\.\d{4}", years["query"]["filters"]["year"])
    assert years["counts"]["year"]["selected"]
    [begun] = like["counts"].values()
    assert begun["values"] and like["query"]["like"]


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


def test_its_commands_work(served: Served) -> None:
    block = re.search(r"^```sh\n(.*?)^```", served.skill, re.M | re.S)
    assert block is not None
    lines = block[1].splitlines()
    names = ["dashboard", "count", "list", "search", "get", "calendar"]
    assert [line.split()[1] for line in lines] == names
    several, per = (served.site.json(queries(served)[n])["query"] for n in (0, 2))
    answers = {}
    for line in lines:
        program, *words, option, site = shlex.split(line)
        assert (program, option) == ("registry", "--from")
        assert site in ("SITE", "/data")
        done = commands.run_forked(
            *words, option, served.site.base + ("" if site == "SITE" else site), "--no-cache"
        )
        assert done.status == 0, done.err
        answers[words[0]] = json.loads(done.out)
    assert answers["dashboard"]["kind"] == "dashboard"
    first = dict([*several["filters"].items()][:1])
    assert answers["list"]["query"] == {**several, "q": None, "filters": first}
    assert answers["count"]["query"] == per
    assert answers["search"]["query"] == {"q": several["q"]}
    assert answers["search"]["total_items"] > 0
    assert answers["get"]["kind"] == "project"
    assert answers["calendar"]["query"]["filters"] == {"upcoming": "true"}


def test_the_server_of_tools_starts_with_the_stated_command(served: Served) -> None:
    (words,) = re.findall(r"`registry (mcp --from \S+)`", served.skill)
    command = cli.get_command(click.Context(cli), "mcp")
    assert command is not None
    assert command.make_context("mcp", words.split()[1:])


def test_its_problems_are_those_of_the_content(served: Served) -> None:
    (line,) = re.findall(r"^- An error .*$", served.skill, re.M)
    answered = served.site.json("/api/problems/not-found.json")
    assert set(re.findall(r"`([a-z]+)`", line)) <= answered.keys() | {"allowed"}
    for code in PROBLEMS:
        assert served.site.json(f"/api/problems/{code}.json")["code"] == code


def test_a_missing_record_is_answered_as_stated(served: Served) -> None:
    """The address pattern of a record with an unknown slug."""
    (pattern,) = re.findall(r"`…(/slug/<slug>\.json)`", served.skill)
    address = heads(served)[0] + pattern.replace("<slug>", "no-such-record")
    assert fetch(served.site.base + address)[0] == 404
