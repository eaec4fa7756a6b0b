"""What everyday questions, and those of an analyst, cost an agent that has read skill.md: requests
and bytes, over HTTP and by the tools of the MCP server; and whether the answers are right.

    python benchmarks/agents.py BUILD CONTENT

BUILD is the folder of a build of CONTENT.  Each question is asked by the shortest sequence of
requests.  The right answers are computed here from the files alone.  Over HTTP the host is one that
answers queries; bytes are those of the bodies, as a model reads them.  Questions about something
that the registry does not have (events, former slugs, …) are left out; so are all but the first
fifty everyday questions.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.grammar.paths import BUILD
from generator.reader.client import Client
from generator.reader.deployment import Deployment
from generator.serve.answer import answer
from generator.serve.mcp import answer_line

#: What the means may be.
MOST_REQUESTS, MOST_BYTES = 1.2, 1_200
#: Continent -> the codes of its countries (UN M49).
CONTINENTS = Path(__file__).parent.parent / "generator/kinds/continents.json"
SEASONS = ("winter", "spring", "summer", "fall", "autumn")

Record = dict[str, Any]


class Step(NamedTuple):
    """One request: an address to get, and a tool to call with its arguments."""

    address: str
    tool: str
    arguments: dict[str, Any]


class Found(NamedTuple):
    """What an answer says, over HTTP or by a tool."""

    document: Record

    @property
    def total(self) -> int:
        return int(self.document["total_items"])

    @property
    def rows(self) -> list[Record]:
        columns = self.document.get("columns")
        if columns is None:
            return list(self.document["data"])
        return [dict(zip(columns, row, strict=True)) for row in self.document["rows"]]

    def counts(self, name: str, key: str = "values") -> dict[str, int]:
        counts = self.document.get("counts", self.document.get("data"))
        assert isinstance(counts, dict)
        return {value["value"]: value["count"] for value in counts[name].get(key, ())}


class Question(NamedTuple):
    """What is asked, how, and whether the answers are right."""

    words: str
    steps: list[Step]
    is_right: Callable[[list[Found]], bool]


# --- requests -------------------------------------------------------------------------------------


def _root(of: str) -> str:
    return "/api/calendar/events" if of == "events" else f"/api/{of}"


def _address(of: str, mode: str, **parameters: str) -> str:
    pairs = (f"{key}={quote(text, safe=',:.')}" for key, text in parameters.items() if text)
    return "&".join([f"{_root(of)}?mode={mode}", *pairs])


def count(
    of: str = "projects",
    by: Iterable[str] = (),
    q: str = "",
    like: str = "",
    per: str = "",
    **filters: str,
) -> Step:
    arguments = {
        "collection": of, "filters": filters, "by": list(by), "q": q, "like": like, "per": per,
    }  # fmt: skip
    address = _address(of, "count", **filters, q=q, by=",".join(by), per=per, like=like)
    return Step(address, "count_records", {key: part for key, part in arguments.items() if part})


def rows(of: str, fields: str, limit: int, q: str = "", sort: str = "", **filters: str) -> Step:
    arguments: Record = {"collection": of, "fields": fields.split(","), "limit": limit}
    arguments |= {
        key: part for key, part in (("filters", filters), ("q", q), ("sort", sort)) if part
    }
    address = _address(of, "rows", **filters, q=q, sort=sort, fields=fields, limit=str(limit))
    if of == "events":
        del arguments["collection"]
        return Step(address, "calendar_events", arguments)
    return Step(address, "search_records" if q else "list_records", arguments)


def match(*names: str) -> Step:
    queries = json.dumps({f"q{n}": {"query": name, "limit": 3} for n, name in enumerate(names)})
    address = f"/api/reconcile/projects?queries={quote(queries)}"
    arguments = {"collection": "projects", "names": list(names), "limit": 3}
    return Step(address, "match_names", arguments)


def candidates(found: Found, matched: bool = False) -> list[list[str]]:
    """The slugs of the candidates of each name; with `matched` only of those that match."""
    if "data" in found.document:
        each_name = [name["candidates"] for name in found.document["data"]]
    else:
        each_name = [found.document[f"q{n}"]["result"] for n in range(len(found.document))]
    return [
        [each.get("slug") or each["id"] for each in name if each["match"] or not matched]
        for name in each_name
    ]


# --- what the files say ---------------------------------------------------------------------------


class Registry:
    """The records of a folder, read as texts; none of the generator's code takes part."""

    def __init__(self, content: Path):
        self.kinds = {
            kind: {
                path.stem: yaml.load(path.read_text("utf-8-sig"), yaml.CBaseLoader)
                for ending in ("yaml", "yml")
                for path in sorted((content / kind).rglob(f"*.{ending}"))
            }
            for kind in ("projects", "programs", "organizations", "events")
        }
        self.projects, self.programs = self.kinds["projects"], self.kinds["programs"]
        groups = json.loads(CONTINENTS.read_text("utf-8"))
        self.continents = {c: name for name, codes in groups.items() for c in codes.split()}
        declared = yaml.load((content / "registry.yaml").read_text("utf-8"), yaml.CBaseLoader)
        self.families = list(declared.get("tag_families", {}))

    def values(self, record: Record, name: str) -> set[str]:
        """The values of a project for a filter."""
        if name.startswith("tag_"):
            return set((record.get("tags") or {}).get(name[4:]) or ())
        if name == "location":
            places = {place["country"].lower() for place in record.get("locations") or ()}
            places |= {self.continents[country] for country in places}
            return places | ({"remote"} if record.get("remote") == "true" else set())
        if name == "tag":
            return {tag for tags in (record.get("tags") or {}).values() for tag in tags}
        if name == "program":
            return {slug for own in record.get("programs") or () for slug in self.ancestors(own)}
        if name == "status":
            return {record.get("status") or "active"}
        return {record[name]} if record.get(name) else set()

    def ancestors(self, program: str) -> Iterator[str]:
        known = {
            alias: slug for slug, p in self.programs.items() for alias in p.get("aliases") or ()
        }
        up: str | None = known.get(program, program)
        while up:
            yield up
            up = self.programs[up].get("parent")

    def with_values(self, **filters: Callable[[set[str]], bool] | str) -> dict[str, Record]:
        """The projects with these values; a text is one value, a function judges all of them."""
        found = self.projects
        for name, wanted in filters.items():
            judge = wanted if callable(wanted) else partial(lambda w, values: w in values, wanted)
            found = {s: r for s, r in found.items() if judge(self.values(r, name))}
        return found

    def tally(self, name: str, records: dict[str, Record] | None = None) -> Counter[str]:
        chosen = self.projects if records is None else records
        return Counter(v for record in chosen.values() for v in self.values(record, name))

    def top(self, name: str, number: int, skip: int = 0) -> list[str]:
        values = sorted(self.tally(name).items(), key=lambda pair: (-pair[1], pair[0]))
        others = {"remote", *self.continents.values()}
        return [value for value, _ in values if value not in others][skip : skip + number]


def number_in(low: int, high: int) -> Callable[[set[str]], bool]:
    return lambda values: any(low <= int(value) <= high for value in values)


def plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in folded if not unicodedata.combining(letter))


# --- the questions --------------------------------------------------------------------------------


def total_is(number: int) -> Callable[[list[Found]], bool]:
    return lambda found: found[0].total == number


def counts_are(
    name: str, wanted: Counter[str], key: str = "values"
) -> Callable[[list[Found]], bool]:
    """Whether the shown counts are those of the files, with the most frequent values."""

    def is_right(found: list[Found]) -> bool:
        shown = {v: n for v, n in found[0].counts(name, key).items() if v in wanted}
        missing = [n for v, n in wanted.items() if v not in shown]
        is_top = not missing or max(missing) <= min(shown.values(), default=0)
        return is_top and all(shown[value] == wanted[value] for value in shown) and bool(shown)

    return is_right


def numbers(r: Registry) -> Iterator[Question]:
    """How many, and of which."""
    tag, other = (f"tag_{family}" for family in [*r.families, *r.families][:2])
    first, second = r.top(tag, 2)
    year, early = max(r.tally("year")), min(r.top("year", 3))
    for kind, records in r.kinds.items():
        yield Question(f"How many {kind}?", [count(kind)], total_is(len(records)))
    for status in sorted(r.tally("status"))[:2]:
        wanted = len(r.with_values(status=status))
        yield Question(f"How many are {status}?", [count(status=status)], total_is(wanted))
    for name in ("status", "year"):
        yield Question(
            f"How many of each {name}?", [count(by=[name])], counts_are(name, r.tally(name))
        )
    since = r.with_values(year=number_in(int(early), 9999))
    yield Question(
        f"How do those since {early} fare?",
        [count(by=["status"], year=f"{early}..")],
        counts_are("status", r.tally("status", since)),
    )
    tagged = {tag: first}
    yield Question(
        f"How many {first} a year?",
        [count(by=["year"], **tagged)],
        counts_are("year", r.tally("year", r.with_values(**tagged))),
    )
    yield Question(
        f"What share of {first} is active?",
        [count(by=["status"], **tagged)],
        counts_are("status", r.tally("status", r.with_values(**tagged))),
    )
    both = r.with_values(**{tag: lambda values: {first, second} <= values})
    yield Question(
        f"Both {first} and {second}?",
        [count(**{tag: f"all:{first},{second}"})],
        total_is(len(both)),
    )
    either = r.with_values(**{tag: lambda values: bool({first, second} & values)})
    yield Question(
        f"Either {first} or {second}?", [count(**{tag: f"{first},{second}"})], total_is(len(either))
    )
    one = len(r.with_values(**{tag: first})) - len(both)
    yield Question(
        f"{first} without {second}?",
        [count(**tagged), count(**{tag: f"all:{first},{second}"})],
        lambda found: found[0].total - found[1].total == one,
    )
    neither = r.with_values(**{tag: lambda values: first not in values}, status="active")
    yield Question(
        f"How many active ones are not {first}?",
        [count(**{tag: f"not:{first}"}, status="active")],
        total_is(len(neither)),
    )
    for low, high, text in ((501, 10**9, "501.."), (50, 100, "50..100")):
        wanted = len(r.with_values(team_size=number_in(low, high)))
        yield Question(f"How many have {text} people?", [count(team_size=text)], total_is(wanted))
    wanted = len(r.with_values(location="remote"))
    if wanted:
        yield Question("How many work remotely?", [count(location="remote")], total_is(wanted))
    newest = r.with_values(**{other: r.top(other, 1)[0]}, year=year)
    if newest:
        yield Question(
            f"How many {r.top(other, 1)[0]} in {year}?",
            [count(**{other: r.top(other, 1)[0]}, year=year)],
            total_is(len(newest)),
        )


def comparisons(r: Registry) -> Iterator[Question]:
    """Two or three values beside each other, and places."""
    tag = f"tag_{r.families[0]}"
    for name, number, skip in ((tag, 2, 0), ("program", 2, 1), ("year", 3, 0), ("location", 2, 1)):
        values = sorted(r.top(name, number, skip))
        some = Counter({value: r.tally(name)[value] for value in values})
        step = count(by=[name], like="", **{name: ",".join(values)})
        if len(values) == number:
            yield Question(
                f"Which has more: {' or '.join(values)}?",
                [step],
                counts_are(name, some, "selected"),
            )
    for place in r.top("location", 2, 1):
        here = r.with_values(location=place)
        yield Question(
            f"How many in {place}, by year?",
            [count(by=["year"], location=place)],
            counts_are("year", r.tally("year", here)),
        )
    for cohort in r.top("program", 1, 2):
        here = r.with_values(program=cohort)
        yield Question(
            f"How did {cohort} fare?",
            [count(by=["status"], program=cohort)],
            counts_are("status", r.tally("status", here)),
        )
        active = r.with_values(program=cohort, status="active")
        yield Question(
            f"Active of {cohort}?", [count(program=cohort, status="active")], total_is(len(active))
        )
    cohorts = Counter(
        p["year"] for p in r.programs.values() if p["kind"] == "cohort" and p.get("year")
    )
    if cohorts:
        yield Question(
            "How many cohorts a year?",
            [count("programs", ["year"], kind="cohort")],
            counts_are("year", cohorts),
        )


def rankings(r: Registry) -> Iterator[Question]:
    """The first of an order."""
    tag, first = f"tag_{r.families[0]}", r.top(f"tag_{r.families[0]}", 1)[0]
    place = r.top("location", 1, 1)[0]
    for words, filters in (
        ("have the most people", {}),
        (f"in {place} have the most people", {"location": place}),
        (f"of {first} are the largest active", {tag: first, "status": "active"}),
    ):
        sizes = sorted(
            (int(p["team_size"]) for p in r.with_values(**filters).values() if p.get("team_size")),
            reverse=True,
        )[:5]
        if sizes:
            step = rows("projects", "name,team_size", 5, sort="-team_size", **filters)
            yield Question(f"Which five {words}?", [step], partial(_has, "team_size", sizes))
    years = sorted(int(p["year"]) for p in r.projects.values() if p.get("year"))
    yield Question(
        "Which are the oldest?",
        [rows("projects", "name,year", 3, sort="year")],
        partial(_has, "year", years[:3]),
    )
    cohorts = {s: p for s, p in r.programs.items() if p["kind"] == "cohort"}
    sizes = sorted((r.tally("program")[slug] for slug in cohorts), reverse=True)[:5]
    yield Question(
        "Which cohorts are the largest?",
        [rows("programs", "name,projects", 5, sort="-projects", kind="cohort")],
        partial(_has, "projects", sizes),
    )

    def order(slug: str) -> tuple[int, str, int]:
        name = plain(cohorts[slug]["name"])
        season = max((n for n, word in enumerate(SEASONS) if word in name), default=-1)
        return int(cohorts[slug].get("year") or 0), cohorts[slug].get("starts") or "", season

    if cohorts:
        newest = max(cohorts, key=order)
        fields = "name,year"
        yield Question(
            "What is the newest cohort?",
            [rows("programs", fields, 5, sort="-year", kind="cohort")],
            lambda found: newest in [row["slug"] for row in found[0].rows],
        )


def _has(name: str, wanted: list[int], found: list[Found]) -> bool:
    return [row[name] for row in found[0].rows][: len(wanted)] == wanted


def records(r: Registry) -> Iterator[Question]:
    """What one record says, asked by its name."""
    names = Counter(plain(p["name"]) for p in r.projects.values())
    lone = {
        s: p
        for s, p in r.projects.items()
        if names[plain(p["name"])] == 1 and re.fullmatch("[A-Za-z]{5,}", p["name"])
    }
    for field, words in (
        ("summary", "What does {} do?"),
        ("website", "The website of {}?"),
        ("team_size", "How many people are at {}?"),
        ("year", "Since when is {}?"),
        ("status", "Is {} still active?"),
        ("program", "Which program was {} in?"),
    ):
        having = [
            slug for slug, p in lone.items() if p.get("programs" if field == "program" else field)
        ]
        for slug in having[7:8] or having[:1]:
            wanted: Any = lone[slug].get(field)
            if field == "program":
                wanted = sorted(r.values(lone[slug], "program"))
            if field in ("team_size", "year"):
                wanted = int(wanted)
            step = rows("projects", f"name,{field}", 1, q=plain(lone[slug]["name"]))
            yield Question(
                words.format(lone[slug]["name"]), [step], partial(_is_row, slug, field, wanted)
            )
    for slug, p in r.kinds["organizations"].items():
        if len(re.findall(r"\w+", p["name"])) == 2:
            size = sum(1 for o in r.programs.values() if o["organization"] == slug)
            yield Question(
                f"How many programs has {p['name']}?",
                [rows("organizations", "name,programs", 1, q=plain(p["name"]))],
                partial(_is_row, slug, "programs", size),
            )
            break
    top = r.top("program", 1, 1)
    if top and not r.programs[top[0]].get("aliases"):
        p = r.programs[top[0]]
        yield Question(
            f"Who runs {p['name']}, and with how many projects?",
            [rows("programs", "organization,projects", 3, q=plain(p["name"]))],
            lambda found: any(
                (row["slug"], row["organization"], row["projects"])
                == (top[0], p["organization"], r.tally("program")[top[0]])
                for row in found[0].rows
            ),
        )


def _is_row(slug: str, field: str, wanted: Any, found: list[Found]) -> bool:
    [row] = found[0].rows
    return bool((row["slug"], row[field]) == (slug, wanted))


def traps(r: Registry) -> Iterator[Question]:
    """What is easily answered wrongly, and names."""
    if len(r.families) > 1:
        tallies = {f: r.tally(f"tag_{f}") for f in r.families}
        twins = [
            (n, tag, f)
            for f in r.families[:1]
            for tag, n in tallies[f].items()
            if any(tag in tallies[g] for g in r.families[1:])
        ]
        for _, tag, family in sorted(twins, reverse=True)[:2]:
            yield _twin(r, family, tag, tallies)
    nobody = "zqxwvk"
    yield Question(
        f"What does {nobody} do?", [rows("projects", "name,summary", 1, q=nobody)], total_is(0)
    )
    place, year = r.top("location", 1, 9), min(r.tally("year"))
    if place and not r.with_values(location=place[0], year=year):
        yield Question(
            f"Who was in {place[0]} in {year}?",
            [count(location=place[0], year=year)],
            lambda found: (
                found[0].total == 0
                and len(r.with_values(location=place[0]))
                in [other["total_items"] for other in found[0].document["alternatives"]]
            ),
        )
    former = (
        (slug, name)
        for slug, p in r.projects.items()
        for name in p.get("former_names") or ()
        if re.fullmatch("[A-Z][a-z]{7,}", name)
        and not any(plain(name) in plain(json.dumps(o)) for s, o in r.projects.items() if s != slug)
    )
    for slug, name in islice(former, 2):
        yield Question(
            f"What became of {name}?",
            [rows("projects", "name,status", 1, q=plain(name))],
            partial(_is_row, slug, "status", r.projects[slug].get("status") or "active"),
        )
    for kind, records in r.kinds.items():
        aliases = ((alias, slug) for slug, p in records.items() for alias in p.get("aliases") or ())
        for alias, slug in islice(aliases, 1):
            of = "calendar/events" if kind == "events" else kind
            yield Question(
                f"What is {alias} (a former slug)?",
                [
                    Step(
                        f"/api/{of}/slug/{alias}.json",
                        "get_record",
                        {"collection": kind, "slug": alias, "field": "name"},
                    )
                ],
                lambda found, slug=slug: slug in json.dumps(found[0].document),
            )


def _twin(r: Registry, family: str, tag: str, tallies: dict[str, Counter[str]]) -> Question:
    """The same tag in several families."""
    families = [f for f in r.families if tag in tallies[f]]
    over_http = count(by=[f"tag_{f}" for f in families[:3]], like=tag.replace("-", " ")).address
    tool = count(**{f"tag_{family}": tag})

    def is_right(found: list[Found]) -> bool:
        if "counts" in found[0].document:
            return all(found[0].counts(f"tag_{f}")[tag] == tallies[f][tag] for f in families[:3])
        shown = {t["filter"]: t["total_items"] for t in found[0].document["twins"]}
        return found[0].total == tallies[family][tag] and all(
            shown[f"tag_{f}"] == tallies[f][tag] for f in families if f != family
        )

    return Question(f"How many {tag}?", [tool._replace(address=over_http)], is_right)


def several(r: Registry) -> Iterator[Question]:
    """Several collections, names of a list, and dates."""
    counted = {kind: len(found) for kind, found in r.kinds.items()}
    yield Question(
        "How many of everything?",
        [Step(BUILD, "dashboard", {"section": "counts"})],
        lambda found: all(str(n) in json.dumps(found[0].document) for n in counted.values()),
    )
    names = Counter(plain(p["name"]) for p in r.projects.values())
    lone = [
        (slug, p["name"])
        for slug, p in r.projects.items()
        if names[plain(p["name"])] == 1 and re.fullmatch("[A-Z][a-z]{7,}", p["name"])
    ]
    if len(lone) >= 12:
        slugs, asked = zip(*lone[::4][:3], strict=True)
        typo = asked[0][:3] + asked[0][4:]
        yield Question(
            f"Are {', '.join(asked)} here?",
            [match(*asked)],
            lambda found: [some[:1] for some in candidates(found[0])] == [[slug] for slug in slugs],
        )
        yield Question(
            f"Is {typo} (misspelled) here?",
            [match(typo)],
            lambda found: slugs[0] in candidates(found[0])[0],
        )
    ahead = {
        slug
        for slug, e in r.kinds["events"].items()
        if (e.get("closes") or e.get("due") or e.get("ends") or e.get("starts") or "9")[:10]
        > date.today().isoformat()
        and e.get("status") != "cancelled"
    }
    if ahead:
        yield Question(
            "What comes next?",
            [rows("events", "name,starts_at", 3, upcoming="true")],
            lambda found: bool({row["slug"] for row in found[0].rows} & ahead),
        )


def of_an_analyst(r: Registry) -> Iterator[Question]:
    """Continents, tags of any family, shares per value, names in full, and what is not there."""
    tag = r.top("tag", 1)[0]
    in_any = r.with_values(tag=tag)
    yield Question(f"How many have {tag}, as whatever?", [count(tag=tag)], total_is(len(in_any)))
    yield Question(
        f"How do those with {tag} fare?",
        [count(tag=tag, by=["status"])],
        counts_are("status", r.tally("status", in_any)),
    )
    known = {c: len(r.with_values(location=c)) for c in sorted(set(r.continents.values()))}
    for continent in [c for c, number in known.items() if number][:2]:
        here = r.with_values(location=continent)
        yield Question(
            f"How many in {continent}, and how do they fare?",
            [count(location=continent, by=["status"])],
            counts_are("status", r.tally("status", here)),
        )
    for name in (f"tag_{r.families[0]}", "program"):
        shares = {v: r.tally("status", r.with_values(**{name: v})) for v in r.top(name, 5)}
        yield Question(
            f"What share of each {name} is active?",
            [count(by=[name], per="status", **{name: ",".join(sorted(shares))})],
            partial(_shares_are, name, shares),
        )
    names = Counter(
        plain(name)
        for p in r.projects.values()
        for name in (p["name"], *(p.get("former_names") or ()))
    )
    full = [
        (slug, f"{p['name']}, Inc.")
        for slug, p in r.projects.items()
        if re.fullmatch("[A-Z][a-z]{8,}", p["name"])
        and sum(plain(p["name"]) in other for other in names.elements()) == 1
    ]
    for slug, name in full[:2]:
        yield Question(
            f"Is {name} here?",
            [match(name)],
            lambda found, slug=slug: candidates(found[0], matched=True) == [[slug]],
        )
    yield Question(
        "Is Zqxwvk Holding GmbH here?",
        [match("Zqxwvk Holding GmbH")],
        lambda found: candidates(found[0], matched=True) == [[]],
    )
    nowhere = next((c for c, number in known.items() if not number), None)
    if nowhere:
        yield Question(
            f"How many in {nowhere}?",
            [count(location=nowhere)],
            lambda found: found[0].document["code"] == "not-found",
        )
    first, last = r.top("year", 1)[0], max(r.tally("year"))
    inside = Counter({y: n for y, n in r.tally("year").items() if first <= y <= last})
    yield Question(
        f"How many a year since {first}?",
        [count(by=["year"], year=f"{first}..")],
        lambda found: (
            found[0].total == sum(inside.values()) and found[0].counts("year", "selected") == inside
        ),
    )


def _shares_are(name: str, shares: dict[str, Counter[str]], found: list[Found]) -> bool:
    counts = found[0].document.get("counts", found[0].document.get("data"))[name]
    shown = {
        each["value"]: _per(each["per"])
        for key in ("values", "selected")
        for each in counts.get(key, ())
    }
    return all(shown[value] == shares[value] for value in shares)


def _per(counts: Any) -> dict[str, int]:
    """Value -> count; a tool already answers so."""
    if isinstance(counts, dict):
        return counts
    return {each["value"]: each["count"] for each in counts}


PARTS = (several, traps, records, rankings, comparisons, numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("content", type=Path)
    given = parser.parse_args()
    site, client = Deployment.open(given.build), Client.open(str(given.build))

    def get(step: Step) -> bytes:
        found = answer("GET", step.address, site)
        assert found.status in (200, 404), (step.address, found.status, found.body)
        return found.body

    def call(step: Step) -> bytes:
        params = {"name": step.tool, "arguments": step.arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answered = json.loads(answer_line(json.dumps(message).encode(), client))
        text: str = answered["result"]["content"][0]["text"]
        return text.encode()

    registry = Registry(given.content)
    every = [question for part in PARTS for question in part(registry)][:50]
    every += of_an_analyst(registry)
    print(f"| {'question':60} | requests | HTTP bytes | tool bytes |")
    print(f"|{'-' * 62}|---------:|-----------:|-----------:|")
    totals, wrong = [0, 0, 0], []
    for question in every:
        figures = [len(question.steps)]
        for read in (get, call):
            bodies = [read(step) for step in question.steps]
            figures.append(sum(map(len, bodies)))
            if not question.is_right([Found(json.loads(body)) for body in bodies]):
                wrong.append(f"{question.words} ({read.__name__})")
        totals = [total + figure for total, figure in zip(totals, figures, strict=True)]
        print(
            f"| {question.words[:60]:60} | {figures[0]:8} | {figures[1]:10,} | {figures[2]:10,} |"
        )
    means = [total / len(every) for total in totals]
    name = f"mean of {len(every)}"
    print(f"| {name:60} | {means[0]:8.2f} | {means[1]:10,.0f} | {means[2]:10,.0f} |")
    problems = [f"Wrong: {words}" for words in wrong]
    if means[0] > MOST_REQUESTS or max(means[1:]) > MOST_BYTES:
        problems.append(f"More than {MOST_REQUESTS} requests or {MOST_BYTES:,} bytes.")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
