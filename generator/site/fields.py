"""The fields of a record as words and links for its page; links to edit it and to report an
error in it, at the host of the repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from generator.grammar.grammar import Collection, Slice
from generator.grammar.query import capitalized
from generator.kinds.declare import Field
from generator.kinds.types import is_url
from generator.model.settings.site import is_gitlab
from generator.site import labels, paths
from generator.site.page_context import Site

Record = Mapping[str, Any]

#: The digits of a fraction of money.
CENTS = 2


class FactValue(NamedTuple):
    """A value in words, with a link within the site (`href`) or to another site (`external_link`).

    `before` is text in front of the link; `datetime` is the machine-readable form of a date.
    """

    text: str
    href: str = ""
    elsewhere: str = ""
    before: str = ""
    datetime: str = ""


class Fact(NamedTuple):
    """A field, or a family of tags, with its values."""

    label: str
    values: list[FactValue]


def facts(site: Site, collection: Collection, record: Record) -> dict[str, Fact]:
    """The filled fields of a record by name, without its name, texts, tags, times and sources."""
    return {
        field.name: Fact(label_of(site, collection, field, len(values)), values)
        for field in collection.declared.shown
        if (values := _values(site, collection, field, record))
    }


def _values(site: Site, collection: Collection, field: Field, record: Record) -> list[FactValue]:
    if field.type == "places":
        return _locations(site, collection, record)
    if field.type == "links":
        return [_link(key, address) for key, address in record[field.name].items()]
    if field.added:
        shown = field.added.shown(record[field.name], site.symbols)
        return [external_link(url, f"{label} {text}") for label, text, url in shown]
    return [value_of(site, collection, field, value) for value in field.values_in(record)]


def label_of(site: Site, collection: Collection, field: Field, count: int = 1) -> str:
    """The label of a field with so many values."""
    key = "label", collection.name, field.name, count > 1
    return site.memo.get_or_make(key, _label_of, site, collection, field, count)


def _label_of(site: Site, collection: Collection, field: Field, count: int) -> str:
    if label := site.settings.label(collection.declared, field.name):
        return label
    if field.label_key:
        return site.theme.texts(field.label_key)
    if site.grammar.kinds.has_noun(field) and not field.is_own:
        target = site.grammar.collections[field.refers]
        return target.label if count > 1 else capitalized(target.one)
    return labels.filter_label(site, collection, field.filter or field.name)


def tags(site: Site, collection: Collection, record: Record) -> list[Fact]:
    """The tags of a record by family, without empty families."""
    families = site.grammar.tag_families
    return [
        Fact(
            families[family], [value_link(site, collection, f"tag_{family}", tag) for tag in slugs]
        )
        for family, slugs in record.get("tags", {}).items()
        if slugs
    ]


def value_link(
    site: Site, collection: Collection, name: str, value: str, label: str = ""
) -> FactValue:
    """A value of a field; if the field is a filter with pages, it links to the list of the value.

    `label` is the text of a value whose field is not a filter.
    """
    key = "value", collection.name, name, value, label
    return site.memo.get_or_make(key, _value_link, site, collection, name, value, label)


def _value_link(site: Site, collection: Collection, name: str, value: str, label: str) -> FactValue:
    text = labels.shown_label(site, collection, name, value, label)
    part = Slice(collection, name, value)
    has_page = name in collection.prepared_filters and paths.visited(part)
    return FactValue(text, site.url(paths.list_page(part)) if has_page else "")


def place_url(site: Site, collection: Collection, slug: str) -> str:
    """The URL of the records of a place, or ""."""
    return site.memo.get_or_make(
        ("place", collection.name, slug), _place_url, site, collection, slug
    )


def _place_url(site: Site, collection: Collection, slug: str) -> str:
    if not slug or "location" not in collection.prepared_filters:
        return ""
    return site.url(paths.place_page(Slice(collection, "location", slug)))


def external_link(address: str, text: str = "") -> FactValue:
    """An address on the web, linked if it is http(s).

    Without `text` it is shown without scheme and `www.`.
    """
    short = (address.partition("://")[2] or address).removeprefix("www.").removesuffix("/")
    return FactValue(text or short, "", address if is_url(address) else "")


def _link(key: str, address: str) -> FactValue:
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return external_link(address, f"{key.replace('_', ' ')} ({host.removeprefix('www.')})")


def _locations(site: Site, collection: Collection, record: Record) -> list[FactValue]:
    values = [_location(site, collection, location) for location in record.get("locations", ())]
    for name in ("remote", "online"):
        if record.get(name):
            values.append(value_link(site, collection, "location", name))
    return values


def _location(site: Site, collection: Collection, location: Mapping[str, str | None]) -> FactValue:
    """A place, linked to the records of its city, else of its region, else of its country."""
    country = labels.country(site, location["country"] or "")
    text = ", ".join(name for name in (location["city"], location["region"], country) if name)
    return FactValue(text, place_url(site, collection, location["slug"] or ""))


def value_of(site: Site, collection: Collection, field: Field, value: Any) -> FactValue:
    """A value of a field.  The script of lists writes the same: source/list/rows.mjs."""
    name = field.filter or field.name
    if field.refers:
        target = site.grammar.collections[field.refers]
        return FactValue(value["name"], site.url(target.record_page(value["slug"])))
    if field.type in ("number", "integer"):
        text = labels.number(site, value, CENTS if field.currency else 0)
        return FactValue(f"{text} {field.unit}" if field.unit else text)
    if field.type == "url":
        return external_link(value)
    if field.type == "date":
        return FactValue(labels.day(site, value), datetime=value)
    if field.type == "boolean":
        word = str(value).lower()
        return value_link(site, collection, name, word, site.theme.texts(f"words.boolean.{word}"))
    if field.type == "year":
        return value_link(site, collection, name, str(value))
    if field.type in ("choice", "slug"):
        label = field.values.get(value, value.replace("-", " "))
        return value_link(site, collection, name, value, label)
    return FactValue(value)


def own_badge(site: Site, collection: Collection, record: Record) -> str:
    """The first value of the own field that the badge shows, or the label of a field that is true;
    "" if there is none.  The script of lists writes the same: source/list/rows.mjs.
    """
    field = collection.declared.fields.get(collection.declared.badged)
    if field is None or not field.is_own or field.refers or not field.is_plain:
        return ""
    value = next(iter(field.values_in(record)), None)
    if value is True:
        return field.label
    return value_of(site, collection, field, value).text if value else ""


def script_field(site: Site, collection: Collection, field: Field) -> dict[str, Any]:
    """A field for the script, with what its values need to be written in words."""
    texts = site.theme.texts
    if field.type in ("choice", "slug"):
        name = field.filter or field.name
        words = (
            labels.declared(site, collection, name) if name in collection.filters else field.values
        )
        return {"label": label_of(site, collection, field), "type": "choice", "values": words}
    values = {word: texts(f"words.boolean.{word}") for word in ("true", "false")}
    cents = {"least": CENTS} if field.currency else {}
    formats = {
        "boolean": {"values": values},
        "date": {"date": texts("format.date"), "months": texts.known["format"]["months"]},
        "number": {"decimal": texts("format.decimal"), "unit": field.unit, **cents},
    }
    shape = "number" if field.type == "integer" else field.type
    return {"label": label_of(site, collection, field), "type": shape, **formats.get(shape, {})}


def script_badge(site: Site, collection: Collection) -> list[Any]:
    """The badge of a record for scripts: the path of its field, tones, the field's name, and an own
    field itself.
    """
    kind = collection.declared
    badged, badge = kind.fields.get(kind.badged), list[Any](["", {}, ""])
    if badged and badged.is_plain and not badged.refers:
        badge = [".".join(badged.path), dict(kind.tones), badged.name]
        badge += [script_field(site, collection, badged)] if badged.is_own else []
    return badge


#: URLs at GitHub, and at hosts with the same URLs: to edit a file, to read it, and a new issue.
_GITHUB = (
    "{url}/edit/{branch}/{file}",
    "{url}/blob/{branch}/{file}",
    "{url}/issues/new?title={title}&body={body}",
)
#: URLs at GitLab (https://docs.gitlab.com/user/project/issues/create_issues/).
_GITLAB = (
    "{url}/-/edit/{branch}/{file}",
    "{url}/-/blob/{branch}/{file}",
    "{url}/-/issues/new?issue%5Btitle%5D={title}&issue%5Bdescription%5D={body}",
)


class Edits(NamedTuple):
    """The URL of a record's editor, None if its file is unknown, and where to report an error."""

    edit: str | None
    report: str


def edits(site: Site, collection: Collection, record: Record) -> Edits | None:
    """The links of a record; None if registry.yaml names neither a repository nor a contact."""
    repository, contact = site.settings.repository, site.settings.contact_url
    title = quote(site.theme.texts("record.issue", name=record["name"]), safe="")
    if repository is None:
        mail = f"?subject={title}" if contact and contact.startswith("mailto:") else ""
        return Edits(None, contact + mail) if contact else None
    edit, read, report = _GITLAB if is_gitlab(repository.url) else _GITHUB
    file = site.source(collection.name, record["slug"])
    url = repository.url.rstrip("/")
    # Addresses in an issue are absolute: the host of the repository is not that of the site.
    lines, edit_url = [f"{collection.name}/{record['slug']}"], None
    page = site.record_page(collection.name, record["slug"])
    if site.settings.origin and page:
        lines.append(site.absolute(page))
    if file:
        path, branch = _quoted_path(repository.folder, file), quote(repository.branch)
        edit_url = edit.format(url=url, branch=branch, file=path)
        lines.append(read.format(url=url, branch=branch, file=path))
    body = "\n".join([*lines, "", ""])
    return Edits(edit_url, report.format(url=url, title=title, body=quote(body, safe="")))


def _quoted_path(folder: str, file: str) -> str:
    parts = f"{folder}/{file}".split("/")
    return quote("/".join(part for part in parts if part not in ("", ".")))
