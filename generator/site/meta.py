"""The metadata of a page for search engines, link previews and other programs.

Templates escape the texts of records, and `json_ld` escapes them in JSON-LD, so no text can end its
element.  JSON-LD has addresses of the site only if the registry has a base URL: they are absolute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from markupsafe import Markup

from generator.contract.addresses import added
from generator.grammar.paths import CHANGES, INDEX
from generator.kinds.declare import Declared, Field
from generator.site.markdown import plain_text
from generator.site.page_context import Site
from generator.site.paths import HOME

Thing = dict[str, Any]
#: The most characters of a description; search engines show no more.
MAX_DESCRIPTION = 160
#: The most characters of a data set's description
#: (https://developers.google.com/search/docs/appearance/structured-data/dataset).
MAX_DATASET_DESCRIPTION = 5000
#: Types with what only organizations have, and other types with an address (https://schema.org).
_ORGANIZATIONS = ("Organization", "Corporation", "NGO", "EducationalOrganization",
    "CollegeOrUniversity", "GovernmentOrganization", "ResearchOrganization", "LocalBusiness",
)  # fmt: skip
_ADDRESSED = ("Person", "Place", "CivicStructure", "Museum", "Park", "TouristAttraction")
#: Characters that HTML parses within a script (HTML Living Standard, section 4.12.1.3), and line
#: breaks of JavaScript before 2019.
_ESCAPED = ((b"<", rb"\u003c"), (b">", rb"\u003e"), (b"&", rb"\u0026"))
_BREAKS = (("\u2028".encode(), rb"\u2028"), ("\u2029".encode(), rb"\u2029"))


class Twin(NamedTuple):
    """The content of a page in another format: its media type, URL and label."""

    type: str
    href: str
    title: str


class Breadcrumb(NamedTuple):
    """A page above a page: its label and its path."""

    label: str
    path: str


class About(NamedTuple):
    """The metadata of one page.

    `trail` has the breadcrumbs from the home page on, without the page itself; `things` are
    schema.org objects without @context; a page that is not `indexed` asks search engines to leave
    it out.  `canonical` is the path of the page that search engines shall show instead.
    """

    title: str
    description: str = ""
    trail: tuple[Breadcrumb, ...] = ()
    twins: tuple[Twin, ...] = ()
    things: tuple[Thing, ...] = ()
    indexed: bool = True
    canonical: str = ""

    @property
    def VISIBLE(self) -> frozenset[str]:
        """What a registry's own templates may read."""
        return frozenset((*self._fields, "script"))

    def script(self, site: Site, path: str) -> Markup | None:
        """The JSON-LD of the page at `path`, or None."""
        things = [*self.things]
        if site.settings.origin and self.trail:
            things.append(breadcrumbs(site, [*self.trail, Breadcrumb(self.title, path)]))
        return json_ld(things) if things else None


def below_home(site: Site, title: str, description: str = "", **more: Any) -> About:
    """The metadata of a page whose only breadcrumb is the home page."""
    return About(title, description, (home_breadcrumb(site),), **more)


def home_breadcrumb(site: Site) -> Breadcrumb:
    """The first breadcrumb of every page."""
    return Breadcrumb(site.settings.name, HOME)


def json_ld(things: Iterable[Thing]) -> Markup:
    """Schema.org objects as the content of a script element."""
    data = orjson.dumps({"@context": "https://schema.org", "@graph": list(things)})
    for character, escaped in _ESCAPED if data.isascii() else _ESCAPED + _BREAKS:
        data = data.replace(character, escaped)
    return Markup(data.decode())


def clip_text(text: str) -> str:
    """A text as one line of at most MAX_DESCRIPTION characters, cut between words if possible."""
    line = " ".join(text.split())
    if len(line) <= MAX_DESCRIPTION:
        return line
    return (line[:MAX_DESCRIPTION].rpartition(" ")[0] or line[: MAX_DESCRIPTION - 1]).rstrip(
        " ,;:"
    ) + "…"


def about_text(record: Mapping[str, Any]) -> str:
    """The summary of a record, else the plain words of its description, as one line."""
    text = record["summary"] or plain_text(record["description"] or "")
    return " ".join(text.split())


def breadcrumbs(site: Site, trail: Iterable[Breadcrumb]) -> Thing:
    """The breadcrumbs of a page; only for registries with a base URL."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": i,
                "name": crumb.label,
                "item": site.absolute(crumb.path),
            }
            for i, crumb in enumerate(trail, 1)
        ],
    }


def data_files(site: Site) -> list[Thing]:
    """The data files that the Data Package describes, as its resources with the `href` of each;
    none if the registry has no data files.
    """
    package = next((a.address.template for a in added(site.grammar) if a.name == "data"), "")
    try:
        resources = site.kept_document(package)["resources"]
    except LookupError:
        return []
    folder = package.rpartition("/")[0]
    return [{**resource, "href": f"{folder}/{resource['path']}"} for resource in resources]


def home_metadata(site: Site) -> About:
    """The metadata of the home page: the registry as a data set."""
    settings = site.settings
    description = settings.description.strip()[:MAX_DATASET_DESCRIPTION]
    index = site.url(INDEX)
    dataset: Thing = {
        "@type": "Dataset",
        "name": settings.name,
        "description": description,
        "inLanguage": settings.language,
        "isAccessibleForFree": True,
    }
    if settings.release:
        dataset |= {"version": settings.release.version, "datePublished": settings.release.date}
    if settings.license:
        dataset["license"] = settings.license_url
    dataset["creator"] = creator = {"@type": "Organization", "name": settings.name}
    if settings.contact_url:
        contact = settings.contact_url
        key, value = ("email", contact[7:]) if contact.startswith("mailto:") else ("url", contact)
        creator[key] = value
    changes = site.kept_document(CHANGES)["data"]
    if changes:
        dataset["dateModified"] = max(change["at"] for change in changes)
    if settings.origin:
        content_url = settings.origin + index
        dataset |= {"url": site.absolute("/"), "@id": site.absolute("/#dataset")}
        dataset["distribution"] = [
            {
                "@type": "DataDownload",
                "encodingFormat": "application/json",
                "contentUrl": content_url,
            },
            *(
                {
                    "@type": "DataDownload",
                    "encodingFormat": file["mediatype"],
                    "contentUrl": site.absolute(file["href"]),
                    "contentSize": f"{file['bytes']} B",
                }
                for file in data_files(site)
            ),
        ]
    twin = Twin("application/json", index, site.theme.texts("meta.index"))
    return About(settings.name, clip_text(description), twins=(twin,), things=(dataset,))


# --- things of schema.org -------------------------------------------------------------------------


def record_object(site: Site, kind: Declared, record: Mapping[str, Any], path: str) -> Thing:
    """A record that is no event."""
    is_organization = kind.schema_org in _ORGANIZATIONS
    thing = _thing(site, kind.schema_org, record, path)
    if record.get("website"):
        thing["url"] = record["website"]
    if record.get("logo") and site.settings.origin:
        thing["logo" if is_organization else "image"] = site.settings.origin + record["logo"]
    same = [*record["links"].values(), *_urls_by_key(site, record)]
    if same:
        thing["sameAs"] = list(dict.fromkeys(same))
    if record.get("former_names"):
        thing["alternateName"] = record["former_names"]
    if kind.schema_org in _ADDRESSED and (found := _places((record.get("locations") or ())[:1])):
        thing["address"] = found[0]["address"]
    return thing | _organization(site, kind, record) if is_organization else thing


def _organization(site: Site, kind: Declared, record: Mapping[str, Any]) -> Thing:
    """What only organizations have."""
    thing: Thing = {}
    if site.settings.label(kind, "year") and record.get("year"):
        thing["foundingDate"] = f"{record['year']:04}"
    if record.get("locations"):
        thing["location"] = _places(record["locations"])
    if record.get("founders"):
        thing["founder"] = [{"@type": "Person", "name": name} for name in record["founders"]]
    if record.get("team_size") is not None:
        size = {"@type": "QuantitativeValue", "value": record["team_size"]}
        thing["numberOfEmployees"] = size
    references = [kind.common[name] for name in kind.references if name in kind.common]
    members = [_named(site, f, owner) for f in references if f.many for owner in record[f.name]]
    if members:
        thing["memberOf"] = members
    if parent := _referred(site, kind, record, kind.name):
        thing["parentOrganization"] = parent
    return thing


def date_object(site: Site, record: Mapping[str, Any], path: str) -> Thing:
    """A date: an event, or the page of a deadline or a window, which nobody attends."""
    if record["kind"] == "event":
        return event_object(site, record, path)
    thing = _thing(site, "WebPage", record, path)
    if site.settings.origin:
        thing["@id"] = thing["url"] = site.absolute(path)
        del thing["mainEntityOfPage"]
    if day := record.get("verified"):
        thing["lastReviewed"] = day
    if about := _referred(site, site.grammar.timed.declared, record):
        thing["about"] = about
    return thing


def event_object(site: Site, record: Mapping[str, Any], path: str) -> Thing:
    kind = site.grammar.timed.declared
    thing = _thing(site, kind.schema_org, record, path)
    if record["starts_at"]:
        thing["startDate"] = _date_or_time(record, "starts")
    if record["ends_at"]:
        thing["endDate"] = _date_or_time(record, "ends")
    cancelled = record["status"] == "cancelled"
    thing["eventStatus"] = f"https://schema.org/Event{'Cancelled' if cancelled else 'Scheduled'}"
    if record.get("website"):
        thing["url"] = record["website"]
    thing |= _where(site, record, path)
    if organizer := _referred(site, kind, record, site.grammar.kinds.owner):
        thing["organizer"] = organizer
    same = _urls_by_key(site, record)
    if same:
        thing["sameAs"] = same
    return thing


def _referred(
    site: Site, kind: Declared, record: Mapping[str, Any], best: str = ""
) -> Thing | None:
    """The first record that a record refers to, if possible one of the collection `best`."""
    own = (f for f in kind.parents if not f.is_own)
    parents = sorted(own, key=lambda f: f.refers != best)
    return next((_named(site, f, record[f.name]) for f in parents if record[f.name]), None)


def _where(site: Site, record: Mapping[str, Any], path: str) -> Thing:
    """The places of an event as in the calendar feeds, else those of its program, and the address
    of one that is online: its website, else its page.
    """
    places = _places(places_of_event(record, _program(site, record)))
    found, mode = places, "Offline"
    if record["online"]:
        address = record.get("website") or (site.absolute(path) if site.settings.origin else "")
        found = [*places, {"@type": "VirtualLocation", "url": address}] if address else places
        mode = "Mixed" if places else "Online"
    if not places and not record["online"]:
        return {}
    attended = {"eventAttendanceMode": f"https://schema.org/{mode}EventAttendanceMode"}
    return {"location": found, **attended} if found else attended


def _program(site: Site, record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The program of an event; None if it has none, or if that is left out because of an error."""
    series = site.grammar.kinds.series
    parents = (f for f in site.grammar.timed.declared.parents if f.refers == series)
    slug = next((record[f.name]["slug"] for f in parents if record[f.name]), "")
    if not slug or site.source(series, slug) is None:
        return None
    program: Mapping[str, Any] = site.kept_document(site.grammar[series].record_path(slug))["data"]
    return program


def places_of_event(
    event: Mapping[str, Any], program: Mapping[str, Any] | None
) -> Sequence[Mapping[str, Any]]:
    """The locations of an event; those of its program if it has none itself and is not online."""
    own: Sequence[Mapping[str, Any]] = event["locations"]
    return own or (program["locations"] if program and not event["online"] else ())


def _urls_by_key(site: Site, record: Mapping[str, Any]) -> list[str]:
    """The URLs of values by key, such as identifiers; none for a summary."""
    return [
        url
        for name, added in site.grammar.kinds.added_keyed.items()
        for *_, url in added.shown(record.get(name, {}), site.symbols)
    ]


def _thing(site: Site, kind: str, record: Mapping[str, Any], path: str) -> Thing:
    thing: Thing = {"@type": kind, "name": record["name"]}
    text = about_text(record)
    if text:
        thing["description"] = text
    if site.settings.origin:
        url = site.absolute(path)
        thing |= {"@id": f"{url}#record", "mainEntityOfPage": url}
        if day := record.get("verified"):
            page = {"@type": "WebPage", "@id": url, "lastReviewed": day}
            thing["mainEntityOfPage"] = page
    return thing


def _named(site: Site, field: Field, reference: Mapping[str, str]) -> Thing:
    """A record that another refers to."""
    return {"@type": site.grammar.kinds[field.refers].schema_org, "name": reference["name"]}


def _places(locations: Iterable[Mapping[str, Any]]) -> list[Thing]:
    names = {"country": "addressCountry", "region": "addressRegion", "city": "addressLocality"}
    return [
        {
            "@type": "Place",
            "address": {
                "@type": "PostalAddress",
                **{key: place[name] for name, key in names.items() if place[name]},
            },
        }
        for place in locations
    ]


def _date_or_time(record: Mapping[str, Any], edge: str) -> str:
    """A day without a time as a date, which is the same in every zone; a time with its offset from
    UTC, or in UTC for anywhere on earth.  `edge` is `starts` or `ends`.

    The offset is the difference between the local time and the instant, so no time zone data is
    needed.
    """
    from datetime import UTC, datetime

    local: str = record[f"{edge}_local"]
    instant: str = record[f"{edge}_at"]
    if "T" not in local:
        return local
    if record["timezone"] == "AoE":
        return instant
    written = datetime.fromisoformat(local)
    offset = written.replace(tzinfo=UTC) - datetime.fromisoformat(instant)
    minutes, seconds = divmod(round(abs(offset).total_seconds()), 60)
    if seconds:  # local mean time of the 19th century: RFC 3339 has no seconds of an offset
        return instant
    sign = "-" if offset.days < 0 else "+"
    return f"{written.isoformat()}{sign}{minutes // 60:02}:{minutes % 60:02}"
