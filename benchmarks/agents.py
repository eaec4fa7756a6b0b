"""What thirty everyday questions cost an agent, each asked by its shortest way: requests and bytes,
over HTTP and by the tools of the MCP server.

    python benchmarks/agents.py BUILD

BUILD is a build's folder.  Over HTTP a host is asked that answers queries; bytes are those of the
bodies, as a model reads them.  Names and places are the registry's own: those that a question is
about are known to who asks, and their slugs are looked up where nobody can know them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.agent.handlers import answer_call
from generator.agent.tools import tools
from generator.grammar.paths import BUILD, DASHBOARD
from generator.reader.client import Client
from generator.reader.site import Site
from generator.serve.answer import answer

#: What the mean may be.
MOST_REQUESTS, MOST_BYTES = 3, 6_000

Call = tuple[str, dict[str, Any]]


class Question(NamedTuple):
    """What is asked, the addresses to get and the tools to call for it."""

    words: str
    addresses: list[str]
    calls: list[Call]


class Known(NamedTuple):
    """What the questions are about: the registry's own most frequent values."""

    tag: str
    tags: list[str]
    program: str
    cohort: str
    place: str
    year: str
    name: str
    slug: str


def known(client: Client) -> Known:
    filters = client.document(client.grammar.projects.filters_path)["data"]
    family = max(
        (name for name in filters if name.startswith("tag_")),
        key=lambda name: filters[name]["total_values"],
    )
    tags = [value["value"] for value in filters[family]["values"]]
    programs = filters["program"]["values"]
    places = [v["value"] for v in filters["location"]["values"] if "-" not in v["value"]]
    project = client.page(client.query(client.grammar.projects))["data"][10]
    return Known(
        family, tags, programs[1]["value"], programs[1]["label"].split()[-1].lower(),
        places[min(8, len(places) - 1)], filters["year"]["values"][0]["value"],
        project["name"], project["slug"],
    )  # fmt: skip


def _count(of: str = "projects", *by: str, like: str = "", q: str = "", **filters: str) -> Question:
    """One count, as an address and as a call."""
    parts = [f"q={q}"] if q else []
    parts += [f"{name}={value}" for name, value in filters.items()]
    parts += [f"by={','.join(by)}"] if by else []
    parts += [f"like={like}"] if like else []
    root = "/api/calendar/events" if of == "events" else f"/api/{of}"
    asked: dict[str, Any] = {"collection": of}
    asked |= {"filters": filters} if filters else {}
    asked |= {"q": q} if q else {}
    asked |= {"by": list(by)} if by else {}
    asked |= {"like": like} if like else {}
    return Question("", ["&".join([f"{root}?mode=count", *parts])], [("count_records", asked)])


def _list(of: str, limit: int, fields: list[str], q: str = "", **asked: str) -> Question:
    """The first of a list, as an address and as a call."""
    sort = asked.pop("sort", "")
    parts = [f"q={q}"] if q else []
    parts += [f"{name}={value}" for name, value in asked.items()]
    parts += [f"sort={sort}"] if sort else []
    call: dict[str, Any] = {"collection": of, "limit": limit, "fields": fields}
    call |= {"filters": asked} if asked else {}
    call |= {"sort": sort} if sort else {}
    call |= {"q": q} if q else {}
    tool = "search_records" if q else "list_records"
    return Question("", ["&".join([f"/api/{of}?mode=page", *parts])], [(tool, call)])


def _record(of: str, slug: str, field: str = "") -> Question:
    call = {"collection": of, "slug": slug, **({"field": field} if field else {})}
    return Question("", [f"/api/{of}/{slug}"], [("get_record", call)])


def _asked(words: str, *steps: Question) -> Question:
    return Question(
        words,
        [address for step in steps for address in step.addresses],
        [call for step in steps for call in step.calls],
    )


def questions(k: Known) -> Iterator[Question]:
    """The thirty, by what they are about."""
    tag, first, second = k.tag, *k.tags[:2]
    programs = _count("projects", "program", like=k.cohort)
    tags = _count("projects", tag, like=first[:5])
    places = _count("projects", "location", like=k.place)
    yield _asked("How many projects are there?", _count())
    yield _asked("How many programs?", _count("programs"))
    yield _asked("How many are still active?", _count(status="active"))
    yield _asked("How do they divide by status?", _count("projects", "status"))
    yield _asked("Which year has the most?", _count("projects", "year"))
    yield _asked("What are they about mostly?", _count("projects", tag))
    yield _asked("How many of that cohort are still active?", programs,
                 _count(program=k.program, status="active"))  # fmt: skip
    yield _asked("How do that cohort's divide by status and place?", programs,
                 _count("projects", "status", "location", program=k.program))  # fmt: skip
    yield _asked(f"{first}, by year?", tags, _count("projects", "year", **{tag: first}))
    yield _asked(f"{first}, by status?", _count("projects", "status", **{tag: first}))
    yield _asked("How many have both of two tags?", _count(**{tag: f"all:{first},{second}"}))
    yield _asked("How many have either?", _count(**{tag: f"{first},{second}"}))
    yield _asked(f"How many are of {first} and not {second}?",
                 _count(**{tag: first}), _count(**{tag: f"all:{first},{second}"}))  # fmt: skip
    yield _asked("How many since 2020, by place?", _count("projects", "location", year="2020.."))
    yield _asked("How many have more than 500 people?", _count(team_size="501.."))
    yield _asked("How many work remotely?", _count(location="remote"))
    yield _asked("How many are in that country, and since when?", places,
                 _count("projects", "year", location=k.place))  # fmt: skip
    yield _asked("Which towns are there?", places)
    yield _asked("How many speak of batteries?", _count(q="battery"))
    yield _asked("Which year was best for machine learning?",
                 _count("projects", "year", q="machine+learning"))  # fmt: skip
    yield _asked(f"What does {k.name} do?", _record("projects", k.slug))
    yield _asked(f"What is the website of {k.name}?", _record("projects", k.slug, "website"))
    yield _asked(f"Which program was {k.name} in?", _record("projects", k.slug, "programs"))
    yield _asked("What is that cohort, and how did its projects fare?",
                 programs, _record("programs", k.program, "breakdown"))  # fmt: skip
    yield _asked("Which cohorts are the largest?", _count("projects", "program"))
    yield _asked("Which five have the most people?",
                 _list("projects", 5, ["name"], sort="-team_size"))  # fmt: skip
    yield _asked("Name three about solar energy.",
                 _list("projects", 3, ["name", "summary"], q="solar+energy"))  # fmt: skip
    upcoming = Question("", ["/api/calendar/events"], [("calendar_events", {"limit": 5})])
    yield _asked("What comes next in the calendar?", upcoming)
    yield _asked("The registry in numbers?", Question("", [DASHBOARD], [("dashboard", {})]))
    yield _asked("How old is this?", Question("", [BUILD], [("dataset_catalog", {})]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=Path)
    out = parser.parse_args().build
    site, client = Site.open(out), Client.open(str(out))
    by_name = {tool.name: tool for tool in tools(client.grammar)}

    def get(address: str) -> int:
        found = answer("GET", address, site)
        assert found.status == 200, (address, found.body)
        return len(found.body)

    def call(name: str, asked: dict[str, Any]) -> int:
        asked = {**asked, **({"q": asked["q"].replace("+", " ")} if "q" in asked else {})}
        return len(answer_call(by_name[name], asked, client).encode())

    every = list(questions(known(client)))
    print(f"| {'question':60} | GET |  bytes | calls |  bytes |")
    print(f"|{'-' * 62}|----:|-------:|------:|-------:|")
    totals = [0, 0, 0, 0]
    for one in every:
        read: Callable[[Any], int] = get
        http = sum(map(read, one.addresses))
        mcp = sum(call(name, asked) for name, asked in one.calls)
        row = len(one.addresses), http, len(one.calls), mcp
        totals = [total + figure for total, figure in zip(totals, row, strict=True)]
        print(f"| {one.words[:60]:60} | {row[0]:3} | {row[1]:6,} | {row[2]:5} | {row[3]:6,} |")
    means = [total / len(every) for total in totals]
    print(
        f"| {f'mean of {len(every)}':60} | {means[0]:3.1f} | {means[1]:6,.0f} "
        f"| {means[2]:5.1f} | {means[3]:6,.0f} |"
    )
    over = max(means[0], means[2]) > MOST_REQUESTS or max(means[1], means[3]) > MOST_BYTES
    sys.exit(f"More than {MOST_REQUESTS} requests or {MOST_BYTES:,} bytes." if over else 0)


if __name__ == "__main__":
    main()
