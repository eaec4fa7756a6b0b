"""What a page says about itself to programs: search engines, previews of links, other clients.

Texts of records are in it as they are everywhere: escaped by the template, and in JSON-LD by
`script`, so that nothing in one can end its element.  An address of the site is in JSON-LD, as in
every other place that takes absolute ones only, where the registry has a base URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson
from markupsafe import Markup

from generator.grammar.paths import INDEX
from generator.site.page_context import Site

Thing = dict[str, Any]
#: Characters of a description: more of it no search engine shows.
MOST = 200
#: Of the description of a data set (https://developers.google.com/search/docs/appearance/structured-data/dataset).
MOST_OF_DATASET = 5000
#: What could end a script, or begin anything, where HTML is read before JSON (HTML Living Standard
#: section 4.12.1.3), and what JavaScript of before 2019 takes for the end of a line.
_ESCAPED = ((b"<", rb"\u003c"), (b">", rb"\u003e"), (b"&", rb"\u0026"))
_BREAKS = (("\u2028".encode(), rb"\u2028"), ("\u2029".encode(), rb"\u2029"))


class Twin(NamedTuple):
    """The same in another form: its media type, its URL and what people call it."""

    type: str
    href: str
    title: str


class About(NamedTuple):
    """What one page says about itself.

    `trail` is the way to the page, (label, path) each from the top, the page itself left out;
    `things` are of schema.org, without @context; a page that is not `indexed` asks search engines
    to leave it out.
    """

    title: str
    description: str = ""
    trail: tuple[tuple[str, str], ...] = ()
    twins: tuple[Twin, ...] = ()
    things: tuple[Thing, ...] = ()
    indexed: bool = True

    def script(self, site: Site, path: str) -> Markup | None:
        """The JSON-LD of the page at this path, None where there is nothing to say."""
        things = [*self.things]
        if site.settings.origin and self.trail:
            things.append(breadcrumbs(site, [*self.trail, (self.title, path)]))
        return script(things) if things else None


def script(things: Iterable[Thing]) -> Markup:
    """Things as the content of a script element."""
    data = orjson.dumps({"@context": "https://schema.org", "@graph": list(things)})
    for plain, escaped in _ESCAPED if data.isascii() else _ESCAPED + _BREAKS:
        data = data.replace(plain, escaped)
    return Markup(data.decode())


def clipped(text: str) -> str:
    """A text as one line of at most MOST characters, cut between words where that can be."""
    line = " ".join(text.split())
    if len(line) <= MOST:
        return line
    return (line[:MOST].rpartition(" ")[0] or line[: MOST - 1]).rstrip(" ,;:") + "…"


def breadcrumbs(site: Site, trail: Iterable[tuple[str, str]]) -> Thing:
    """The way to a page: (label, path) each, from the top; the registry has a base URL."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": i, "name": name, "item": site.absolute(path)}
            for i, (name, path) in enumerate(trail, 1)
        ],
    }


def home(site: Site) -> About:
    """Of the home page: the registry as a data set."""
    settings = site.settings
    description = settings.description.strip()[:MOST_OF_DATASET]
    index = site.url(INDEX)
    dataset: Thing = {
        "@type": "Dataset",
        "name": settings.name,
        "description": description,
        "inLanguage": settings.language,
        "isAccessibleForFree": True,
    }
    if settings.license:
        dataset["license"] = f"https://spdx.org/licenses/{settings.license}.html"
    if settings.contact_url:
        contact = settings.contact_url
        key, value = ("email", contact[7:]) if contact.startswith("mailto:") else ("url", contact)
        dataset["creator"] = {"@type": "Organization", "name": settings.name, key: value}
    if settings.origin:
        whole = settings.origin + index
        dataset |= {"url": site.absolute("/"), "@id": site.absolute("/#dataset")}
        dataset["distribution"] = [
            {"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": whole}
        ]
    title = site.theme.texts("meta.index")
    return About(
        settings.name,
        clipped(description),
        twins=(Twin("application/json", index, title),),
        things=(dataset,),
    )


# --- things of schema.org -------------------------------------------------------------------------


def organization(site: Site, collection: str, record: Mapping[str, Any], path: str) -> Thing:
    """A project, a program or an organization."""
    thing = _thing(site, "Organization", record, path)
    if record["website"]:
        thing["url"] = record["website"]
    if record["links"]:
        thing["sameAs"] = list(record["links"].values())
    if record.get("former_names"):
        thing["alternateName"] = record["former_names"]
    if collection == "organizations" and record["year"]:
        thing["foundingDate"] = f"{record['year']:04}"
    if record["locations"]:
        thing["location"] = _places(record)
    if record.get("founders"):
        thing["founder"] = [{"@type": "Person", "name": name} for name in record["founders"]]
    if record.get("team_size") is not None:
        size = {"@type": "QuantitativeValue", "value": record["team_size"]}
        thing["numberOfEmployees"] = size
    if collection == "projects":
        member_of = [*record["programs"], *record["organizations"]]
        if member_of:
            thing["memberOf"] = [_named(of) for of in member_of]
    else:
        parent = record["parent"] or record.get("organization")
        if parent:
            thing["parentOrganization"] = _named(parent)
    return thing


def event(site: Site, record: Mapping[str, Any], path: str) -> Thing:
    """A date.  What has no start of its own says none: an application window may name only its
    end.
    """
    thing = _thing(site, "Event", record, path)
    if record["starts_at"]:
        start = record["starts_local"]
        thing["startDate"] = _offset(record, start, record["starts_at"], "00:00:00")
    thing["endDate"] = _offset(record, record["ends_local"], record["ends_at"], "23:59:59")
    cancelled = record["status"] == "cancelled"
    thing["eventStatus"] = f"https://schema.org/Event{'Cancelled' if cancelled else 'Scheduled'}"
    if record["website"]:
        thing["url"] = record["website"]
    if record["locations"]:
        thing["location"] = _places(record)
    organizer = record["organization"] or record["program"]
    if organizer:
        thing["organizer"] = _named(organizer)
    return thing


def _thing(site: Site, kind: str, record: Mapping[str, Any], path: str) -> Thing:
    thing: Thing = {"@type": kind, "name": record["name"]}
    about = record["summary"] or record["description"]
    if about:
        thing["description"] = " ".join(about.split())
    if site.settings.origin:
        whole = site.absolute(path)
        thing |= {"@id": f"{whole}#record", "mainEntityOfPage": whole}
    return thing


def _named(reference: Mapping[str, str]) -> Thing:
    return {"@type": "Organization", "name": reference["name"]}


def _places(record: Mapping[str, Any]) -> list[Thing]:
    names = {"country": "addressCountry", "region": "addressRegion", "city": "addressLocality"}
    return [
        {
            "@type": "Place",
            "address": {
                "@type": "PostalAddress",
                **{key: place[name] for name, key in names.items() if place[name]},
            },
        }
        for place in record["locations"]
    ]


def _offset(record: Mapping[str, Any], local: str, instant: str, clock: str) -> str:
    """A time as written, with its offset from UTC; anywhere on earth, which is no place, in UTC.

    The offset is what lies between the two, so that no table of zones is asked.  `clock` is the
    time of day that a bare date stands for.
    """
    from datetime import UTC, datetime

    if record["timezone"] == "AoE":
        return instant
    written = datetime.fromisoformat(local if "T" in local else f"{local}T{clock}")
    apart = written.replace(tzinfo=UTC) - datetime.fromisoformat(instant)
    minutes, rest = divmod(round(abs(apart).total_seconds()), 60)
    if rest:  # local mean time of the 19th century: RFC 3339 has no seconds of an offset
        return instant
    sign = "-" if apart.days < 0 else "+"
    return f"{written.isoformat()}{sign}{minutes // 60:02}:{minutes % 60:02}"
