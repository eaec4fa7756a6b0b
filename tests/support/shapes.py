"""Registries of another shape than `content/`: dates of conferences without a project, tools with
their members without a date or a program, and the records of one collection alone.

All names are invented.  The same number of records always gives the same bytes.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from support.corpora import Chance
from support.registries import Content

_CITIES = [
    ("KE", None, "Nairobi"), ("PT", None, "Lisbon"), ("JP", None, "Kyoto"),
    ("CL", None, "Valdivia"),
    ("CA", "Quebec", "Montréal"), ("NO", None, "Tromsø"), ("IN", "Kerala", "Kochi"),
    ("DE", None, "Leipzig"), ("US", "Oregon", "Portland"), ("BR", "Bahia", "Salvador"),
    ("GR", None, "Chania"), ("GH", None, "Accra"),
]  # fmt: skip


def _place(number: int) -> dict[str, str]:
    country, region, city = _CITIES[number % len(_CITIES)]
    return {"country": country, **({"region": region} if region else {}), "city": city}


# --- conferences ---

_TOPICS = {
    "databases": "Databases", "graphics": "Graphics", "languages": "Programming languages",
    "learning": "Machine learning", "networks": "Networks", "robots": "Robotics",
    "security": "Security", "speech": "Speech", "systems": "Systems", "theory": "Theory",
    "vision": "Computer vision", "web": "The web",
}  # fmt: skip
_MANNERS = ["Applied", "Formal", "Scalable", "Trustworthy", "Interactive", "Distributed", "Green",
            "Experimental"]  # fmt: skip
_SOCIETIES = {
    "anvil-society": ("Anvil Society", "society"),
    "brine-institute": ("Brine Institute", "society"),
    "cobalt-union": ("Cobalt Union", "society"), "dune-press": ("Dune Press", "publisher"),
    "elm-university": ("Elm University", "university"),
}  # fmt: skip
#: (days before the conference, record of the date) of an edition.
_STEPS = (
    (210, "abstract", "deadline"), (203, "paper", "deadline"), (120, "notification", "deadline"),
    (60, "registration", "application_window"), (0, "", "event"),
)  # fmt: skip
#: The zones of deadlines: AoE, zones with and without summer time, and with minutes in the offset.
_ZONES = ("AoE", "AoE", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
_CONFERENCES = {
    "name": "Paper Dates",
    "description": "Deadlines and dates of conferences in computing.",
    "license": "CC0-1.0",
    "nouns": {"programs": {"one": "series", "many": "series"},
              "events": {"one": "date", "many": "dates"}},
    "tag_families": {"topic": {"label": "Topic", "tags": _TOPICS}},
    "organization_categories": {"society": "Learned society", "publisher": "Publisher",
                                "university": "University"},
    "program_types": {"conference": "Conference", "workshop": "Workshop"},
    "event_stages": {"abstract": "Abstract", "paper": "Full paper", "notification": "Notification"},
}  # fmt: skip


def conferences(dates: int, today: date = date(2026, 11, 21)) -> Content:
    """A registry of this many dates: series of conferences, their hosts, and no project."""
    chance = Chance(41)
    series: dict[str, Any] = {}
    events: dict[str, Any] = {}
    names = [(manner, topic) for manner in _MANNERS for topic in _TOPICS]
    years = -(-dates // (len(names) * len(_STEPS)))
    for manner, topic in chance.some(names, len(names)):
        if len(events) >= dates:
            break
        slug, owner = f"{manner.lower()}-{topic}", chance.one(list(_SOCIETIES))
        name = f"{manner} {_TOPICS[topic]}"
        series[slug] = {
            "name": name, "kind": "program", "organization": owner,
            "type": "workshop" if chance.likely(0.2) else "conference",
            "summary": f"Work on {_TOPICS[topic].lower()}, every year.",
            "tags": {"topic": [topic, *chance.some([t for t in _TOPICS if t != topic], 1)]},
            "website": f"https://{slug}.example/",
        }  # fmt: skip
        begins = today + timedelta(days=chance.below(360) - 60)
        if len(slug) % 5 == 0:
            events |= _rolling(slug, name)
        for edition in range(years):
            day = begins - timedelta(days=364 * edition)
            events |= _edition(slug, name, owner, day)
    return {
        "registry": _CONFERENCES,
        "projects": {},
        "organizations": {
            slug: {
                "name": name,
                "category": category,
                "locations": [_place(chance.below(len(_CITIES)))],
            }
            for slug, (name, category) in _SOCIETIES.items()
        },
        "programs": series,
        "events": dict(list(events.items())[:dates]),
    }


def _edition(slug: str, name: str, owner: str, day: date) -> dict[str, Any]:
    """The dates of a conference that begins on a day; every third conference has two rounds."""
    dates: dict[str, Any] = {}
    number = len(slug) + day.year
    zone = _ZONES[number % len(_ZONES)]
    for before, step, kind in _STEPS:
        deadline = kind == "deadline"
        for in_round in (1, 2) if deadline and len(slug) % 3 == 0 else (None,):
            at = day - timedelta(days=before + (90 if in_round == 1 else 0))
            where = {"online": True} if number % 4 == 0 else {"locations": [_place(number)]}
            times = {
                "deadline": {"due": f"{at} {23 - number % 14}:59", "timezone": zone, "stage": step},
                "application_window": {"opens": str(at), "closes": str(at + timedelta(days=30))},
                "event": {"starts": str(day), "ends": str(day + timedelta(days=3)), **where},
            }[kind]
            times |= {"round": in_round} if in_round else {}
            words = " ".join(filter(None, (step, f"round {in_round}" if in_round else "")))
            end = f"-{words.replace(' ', '-')}" if words else ""
            dates[f"{slug}-{day.year}-{day.month:02}{end}"] = {
                "name": f"{name} {day.year}{f': {words}' if words else ''}", "kind": kind, **times,
                "program": slug, "organization": owner,
                "website": f"https://{slug}.example/{day.year}",
            }  # fmt: skip
    return dates


def _rolling(slug: str, name: str) -> dict[str, Any]:
    """The submissions of a journal, which have no deadline."""
    record = {"name": f"{name}: journal", "kind": "application_window", "rolling": True}
    opens = {"opens": "2026-03-01"} if len(slug) % 2 else {}
    return {f"{slug}-journal": {**record, **opens, "program": slug}}


# --- one collection ---

#: The fields of projects and events that refer to other records.
_REFERENCES = ("program", "organization", "programs", "organizations")


def alone(records: Content, collection: str) -> Content:
    """A registry with the projects or the events of another one, and no other records."""
    kept = {
        slug: {name: value for name, value in record.items() if name not in _REFERENCES}
        for slug, record in records[collection].items()
    }
    empty: dict[str, Any] = {"projects": {}, "organizations": {}, "programs": {}, "events": {}}
    return {**empty, "registry": records["registry"], collection: kept}


# --- tools ---

_CATEGORIES = {
    "build": "Build", "databases": "Databases", "delivery": "Delivery", "logging": "Logging",
    "meshes": "Service meshes", "metrics": "Metrics", "queues": "Queues",
    "registries": "Registries",
    "runtimes": "Runtimes", "schedulers": "Schedulers", "secrets": "Secrets", "storage": "Storage",
}  # fmt: skip
_LANGUAGES = {"go": "Go", "rust": "Rust", "python": "Python", "java": "Java",
              "c-plus-plus": "C++", "typescript": "TypeScript"}  # fmt: skip
_HEADS = """Amber Basalt Cedar Delta Ember Fjord Granite Heron Iris Juniper Kestrel Larch Marble
Nettle Onyx Plover Quartz Rowan Slate Tern Umber Vetch Willow Yarrow""".split()  # noqa: SIM905
_TAILS = """base cast deck flow gate hub kit lane mesh node port queue rack scope stack track vault
watch""".split()  # noqa: SIM905
#: What the names of members end with; one word is longer than a narrow column.
_FORMS = ("Works", "Systems", "Labs", "Zusammenarbeitsgemeinschaft")
_TOOLS = {
    "name": "Tool Shelf",
    "description": "Tools for running services, and the members that support them.",
    "license": "CC-BY-4.0",
    "nouns": {"projects": {"one": "tool", "many": "tools"},
              "organizations": {"one": "member", "many": "members"}},
    "tag_families": {"category": {"label": "Category", "tags": _CATEGORIES},
                     "language": {"label": "Language", "tags": _LANGUAGES},
                     "licence": {"label": "Licence", "tags": {"apache": "Apache 2.0"}}},
    "organization_categories": {"platinum": "Platinum member", "gold": "Gold member",
                                "silver": "Silver member",
                                "end-user": "Non-profit institution of research and education"},
    "fields": {"projects": {"stage": {"label": "Stage", "type": "choice", "summary": True,
                                      "filter": True,
                                      "values": {"sandbox": "Sandbox", "incubating": "Incubating",
                                                 "graduated": "Graduated"}}}},
}  # fmt: skip


def tools(number: int) -> Content:
    """A registry of this many tools with tags, and of members with a tier."""
    chance = Chance(43)
    members = {}
    for n in range(max(4, number // 6)):
        head, tail = _HEADS[n % len(_HEADS)], _FORMS[n % len(_FORMS)]
        slug = f"{head.lower()}-{tail.lower()}" + (f"-{n}" if n >= len(_HEADS) else "")
        tier = "platinum" if n % 40 == 0 else chance.one(("gold", "silver", "silver", "end-user"))
        members[slug] = {
            "name": f"{head} {tail}" + (f" {n}" if n >= len(_HEADS) else ""), "category": tier,
            "website": f"https://{slug}.example/",
        }  # fmt: skip
    names = [head + tail for tail in _TAILS for head in _HEADS]
    projects = {}
    for n in range(number):
        name = names[n % len(names)] + (f" {n // len(names) + 1}" if n >= len(names) else "")
        category = chance.one(list(_CATEGORIES))
        projects[name.lower().replace(" ", "-")] = {
            "name": name, "summary": f"A tool for {_CATEGORIES[category].lower()}.",
            "organizations": chance.some(list(members), 1) if chance.likely(0.8) else [],
            "tags": {"category": [category], "language": chance.some(list(_LANGUAGES), 1),
                     "licence": ["apache"]},
            "website": f"https://{name.lower().replace(' ', '-')}.example/",
            "fields": {"stage": chance.one(("sandbox", "sandbox", "incubating", "graduated"))},
        }  # fmt: skip
    return {"registry": _TOOLS, "projects": projects, "organizations": members, "programs": {},
            "events": {}}  # fmt: skip
