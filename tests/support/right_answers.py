"""The right answers to the questions of search/questions.yaml, from the YAML of content/ alone.

Nothing of the package is used.  All values of records are texts.
"""

from __future__ import annotations

import difflib
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from support.commands import ROOT, TODAY
from support.git import git

Record = dict[str, Any]
Records = dict[str, Record]


def _read(collection: str) -> Records:
    """The records by slug, in the order of their names."""
    found = {
        path.stem: yaml.load(path.read_text("utf-8"), yaml.BaseLoader)
        for path in (ROOT / "content" / collection).rglob("*.yaml")
    }
    return dict(sorted(found.items(), key=lambda pair: (_folded(pair[1]["name"]), pair[0])))


def _folded(text: str) -> str:
    """A text without case and accents."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).casefold()


PROJECTS, PROGRAMS = _read("projects"), _read("programs")
ORGANIZATIONS, EVENTS = _read("organizations"), _read("events")


def having(found: Records, test: Callable[[Record], bool]) -> Records:
    return {slug: record for slug, record in found.items() if test(record)}


def ordered(found: Records, key: Callable[[str], Any]) -> Records:
    """The records by a key of their slugs; equal ones stay as they are."""
    return {slug: found[slug] for slug in sorted(found, key=key)}


def ranked(values: Iterable[str]) -> list[tuple[str, int]]:
    """Values with their numbers, the most frequent first, then by value."""
    return sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0]))


def tags(record: Record, family: str) -> set[str]:
    return set(record.get("tags", {}).get(family, ()))


def countries(record: Record) -> set[str]:
    return {place["country"].lower() for place in record.get("locations", ())}


def status(project: Record) -> str:
    return str(project.get("status", "active"))


def programs(project: Record) -> set[str]:
    """The programs that it names, and those above."""
    found = set(project.get("programs", ()))
    above = {PROGRAMS[slug].get("parent") for slug in found} - {None}
    return found | programs({"programs": above}) if above else found


def organizations(project: Record) -> set[str]:
    """The organizations that it names, and those of its programs."""
    named = set(project.get("organizations", ()))
    return named | {PROGRAMS[slug]["organization"] for slug in programs(project)}


def topics(event: Record) -> set[str]:
    """Its own, and those of its program."""
    return tags(event, "topic") | tags(PROGRAMS.get(event.get("program", ""), {}), "topic")


def start(event: Record) -> str:
    times = (event.get(key) for key in ("opens", "due", "starts"))
    return next((time for time in times if time), end(event))


def end(event: Record) -> str:
    """As in `ends_local`."""
    times = (event.get(key) for key in ("ends", "closes", "due", "starts"))
    return next(str(time) for time in times if time).replace(" ", "T")


def words(project: Record) -> set[str]:
    """The words of its texts, tags and references, without descriptions."""
    names = [PROGRAMS[slug]["name"] for slug in programs(project)]
    names += [ORGANIZATIONS[slug]["name"] for slug in organizations(project)]
    texts = [project["name"], project["summary"], str(project.get("tags")), *names]
    return set(re.findall(r"[^\W_]+", _folded(" ".join(texts))))


COHORTS = having(PROGRAMS, lambda p: p["kind"] == "cohort")
AHEAD = ordered(having(EVENTS, lambda e: end(e) >= TODAY), lambda slug: (start(EVENTS[slug]), slug))
NAMES = {p["name"]: slug for slug, p in PROJECTS.items()}


def rows(found: Records, *keys: str) -> list[tuple[str, ...]]:
    return [(slug, *(record.get(key, "") for key in keys)) for slug, record in found.items()]


def of_program(slug: str) -> Records:
    return having(PROJECTS, lambda p: slug in programs(p))


def largest(found: Records, names: Callable[[Record], set[str]]) -> list[tuple[Any, ...]]:
    """The five that most projects name, with the number of these."""
    number = dict(ranked(slug for p in PROJECTS.values() for slug in names(p)))
    order = ordered(found, lambda slug: -number.get(slug, 0))
    return [(slug, found[slug]["name"], number[slug]) for slug in list(order)[:5]]


def years(first: int, last: int) -> list[Record]:
    return [p for p in PROJECTS.values() if first <= int(p.get("year", 0)) <= last]


def each_year(found: list[Record], values: Callable[[Record], set[str]], top: int) -> list[Any]:
    """Years with the number of projects, and with their most frequent values."""
    most = ranked(p["year"] for p in found if "year" in p)[:top]
    return [
        (year, number, ranked(v for p in found if p.get("year") == year for v in values(p))[:top])
        for year, number in most
    ]


def sizes() -> list[Any]:
    """Types of cohorts with the number of cohorts, and statistics of the numbers of projects."""
    found: dict[str, list[int]] = {}
    for slug, cohort in COHORTS.items():
        found.setdefault(cohort["type"], []).append(len(of_program(slug)))
    return [
        (kind, n, {"n": n, "sum": sum(found[kind]), "min": min(found[kind]),
                   "median": statistics.median(found[kind]), "max": max(found[kind])})
        for kind, n in ranked(c["type"] for c in COHORTS.values())
    ]  # fmt: skip


def last_change() -> str:
    """The time of the last commit, or merge, that changed records; "" without the whole history."""
    shallow = ("rev-parse", "--is-shallow-repository")
    if not (ROOT / ".git").exists() or git(ROOT, *shallow) == "true":
        return ""
    folders = [f"content/{name}" for name in ("projects", "programs", "organizations", "events")]
    how = ("--first-parent", "-1", "--date=format-local:%FT%TZ", "--format=%cd")
    return git(ROOT, "log", *how, "--", *folders, TZ="UTC")


def is_wanted(project: Record) -> bool:
    found = tags(project, "topic")
    wanted = found & {"artificial-intelligence", "robotics"} and "health" not in found
    return bool(wanted) and "enterprise" not in tags(project, "model")


def is_african(project: Record) -> bool:
    return not countries(project).isdisjoint({"eg", "et", "gh", "ke", "ma", "ng", "rw", "tz", "za"})


def size(organization: str) -> int:
    return len(having(PROJECTS, lambda p: organization in organizations(p)))


TABLE = [(slug, o["name"], o.get("year"), size(slug)) for slug, o in ORGANIZATIONS.items()]

#: Question -> its right answer.
RIGHT: dict[str, Any] = {
    "How many projects are active?": [*map(status, PROJECTS.values())].count("active"),
    "What became of the projects?": ranked(map(status, PROJECTS.values())),
    "How many projects began in each year?": ranked(
        p["year"] for p in PROJECTS.values() if "year" in p
    ),
    "How many projects began from 2009 to 2012?": len(years(2009, 2012)),
    "Which countries have the most projects?": ranked(
        code for p in PROJECTS.values() for code in countries(p)
    )[:5],
    "Which projects in Germany are about space?": rows(
        having(PROJECTS, lambda p: "de" in countries(p) and "space" in tags(p, "topic")), "name"
    ),
    "Which projects are the newest?": rows(
        ordered(PROJECTS, lambda slug: -int(PROJECTS[slug].get("year", 0))), "name", "year"
    )[:5],
    "Which organizations have the most projects?": largest(ORGANIZATIONS, organizations),
    "Which cohorts of Y Combinator are the largest?": largest(
        having(COHORTS, lambda p: p["organization"] == "y-combinator"), programs
    ),
    "Which projects did Seedcamp back, and what became of them?": [
        (slug, p["name"], status(p))
        for slug, p in PROJECTS.items()
        if "seedcamp" in organizations(p)
    ],
    "Which projects of YC Summer 2012 are public?": rows(
        having(of_program("yc-summer-2012"), lambda p: status(p) == "public"), "name"
    ),
    "What became of the projects of Techstars, and of those of Y Combinator?": [
        (slug, len(of_program(slug)), ranked(map(status, of_program(slug).values())))
        for slug in ("techstars-accelerator", "yc-accelerator")
    ],
    "Which programs give grants?": rows(
        having(PROGRAMS, lambda p: p["type"] == "grant"), "name", "organization"
    ),
    "What is Climeworks, and where is it on the web?": rows(
        having(PROJECTS, lambda p: p["name"] == "Climeworks"), "name", "summary", "website", "year"
    ),
    "Who founded Climeworks?": PROJECTS["climeworks"]["founders"],
    "Is Mercari in the registry?": [
        (slug, True) for name, slug in NAMES.items() if name.partition(" (")[0] == "Mercari"
    ],
    "What is Justin.tv called today?": [
        (slug, True) for slug, p in PROJECTS.items() if "Justin.tv" in p.get("former_names", ())
    ],
    "Which names are like “Climework”?": [
        (NAMES[name], False) for name in difflib.get_close_matches("Climework", NAMES, 3, 0.7)
    ],
    "How many projects have to do with solar energy?": len(
        having(PROJECTS, lambda p: {"solar", "energy"} <= words(p))
    ),
    "Are there “open source projects in Africa”?": len(
        having(PROJECTS, lambda p: is_african(p) and "open-source" in tags(p, "model"))
    ),
    "Which tags are about robots?": ranked(
        tag for p in PROJECTS.values() for tag in tags(p, "technology") if "robot" in tag
    ),
    "What is ahead?": [(slug, e["name"], start(e)) for slug, e in AHEAD.items()],
    "Which dates of the MSCA fellowships are ahead, and when do they end?": [
        (slug, e["name"], end(e))
        for slug, e in AHEAD.items()
        if e.get("program") == "msca-postdoctoral-fellowships"
    ],
    "Which calendar has the dates of MSCA Choose Europe, with an alarm a week before?": sorted(
        e["name"]
        for e in EVENTS.values()
        if e.get("program") == "msca-choose-europe" and end(e) >= "2025-11-21"
    ),
    "When was a record changed last?": last_change(),
    "How many projects have a website on record?": len(having(PROJECTS, lambda p: "website" in p)),
    "With which topics does Climate go together?": ranked(
        tag for p in PROJECTS.values() if "climate" in tags(p, "topic") for tag in tags(p, "topic")
    ),
    "In which years were the investors founded?": ranked(
        o["year"] for o in ORGANIZATIONS.values() if o["category"] == "investor" and "year" in o
    ),
    "How many projects has the median cohort, by type?": sizes(),
    "Which three countries lead in each of the three years with the most projects?": each_year(
        [*PROJECTS.values()], countries, 3
    ),
    "From how many countries are the projects?": len(
        {code for p in PROJECTS.values() for code in countries(p)}
    ),
    "What became of the projects of each year from 2010 to 2012?": each_year(
        years(2010, 2012), lambda p: {status(p)}, 4
    ),
    "Which topics have dates in the next 60 days?": ranked(
        topic for e in EVENTS.values() if TODAY <= end(e) < "2027-01-21" for topic in topics(e)
    ),
    "How many dates end in each month of 2026?": ranked(
        end(e)[:7] for e in EVENTS.values() if end(e)[:4] == "2026"
    ),
    "Which projects are about AI or robotics, but neither about health nor for enterprises?": rows(
        having(PROJECTS, is_wanted), "name"
    ),
    "Which organizations are there, as a table for a spreadsheet?": [TABLE[:50], TABLE[50:]],
}
