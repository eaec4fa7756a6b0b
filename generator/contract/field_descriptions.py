"""For editors: descriptions of the fields of registry.yaml and removed.yaml, and examples.
Fields that features add describe themselves.

generator.contract.published has the descriptions of the published fields of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from generator.kinds import KIND_OF, KINDS

_PLACED = [name for name, kind in KINDS.items() if not kind.timed]


def _of_each(words: str, names: Iterable[str] = KIND_OF) -> dict[str, str]:
    """The same description for a field of each of these collections, with its name."""
    return {name: words.format(name) for name in names}


#: Model -> field -> description.
DESCRIPTIONS: Mapping[str, Mapping[str, str]] = {
    "Settings": {
        "name": "The name of the registry.",
        "description": "What the registry is about.",
        "base_url": "The published address: an http or https URL without query and fragment.",
        "license": "The licence of the data: an identifier of the SPDX License List.",
        "contact": "The contact: a URL or an e-mail address.",
        "page_size": "How many records a page of a list has.",
        "tag_families": "The tag families. A family with `tags` allows only these tags.",
        "organization_categories": "The values of `category` of organizations, as slug: label.",
        "program_types": "The values of `type` of programs, as slug: label.",
        "event_stages": "The values of `stage` of events, as slug: label, in their order in time.",
        "nouns": "The words of this registry for its records.",
        "language": "The language of the texts, as a BCP 47 tag.",
        "slugs": "How names become slugs: with german, ä, ö and ü are spelled ae, oe and ue.",
        "fields": "Own fields: fields that only the records of this registry have.",
        "hosts": "The hosts for which the build writes rules.",
        "feeds": "Filters of events that also have a calendar feed for each value.",
        "publish": "Files that are published on request.",
        "leave_out": "Files that are not published: sorts, contexts, event_pages, or a feature.",
        "accept": "Warnings that are accepted in the whole registry, as code: reason.",
        "release": "The latest version to cite; registry release writes it.",
        "allow_loss": "Whether a build may have any number of records less than the last one.",
        "guards": "How many records a publish may lose, and how many it must have.",
        "site": "The site for people; false builds none.",
        "repository": "The page of the repository, where people edit records.",
        "signing": "The keys that sign the published manifest, and how long a manifest is valid.",
    },
    "Release": {"version": "The version.", "date": "The day of the release."},
    "Signing": {
        "keys": "The public keys, as printed by registry key show.",
        "handovers": "The replacements of keys, as printed by registry key hand-over.",
        "days": "For how many days a manifest is valid.",
    },
    "HandOver": {
        "old": "The key that was trusted until then.",
        "new": "The key that is trusted now.",
        "signature": "The signature of the old key.",
    },
    "TagFamily": {
        "label": "The label of the family.",
        "description": "What the tags of this family describe.",
        "tags": "The allowed tags, each with its label. Without this list, any slug is allowed.",
    },
    "CollectionNouns": _of_each("The words for {}."),
    "Nouns": {
        "one": "The word for one record, as within a sentence.",
        "many": "The word for several records, as within a sentence.",
    },
    "CollectionFields": _of_each("The own fields of {}, by key."),
    "Declaration": {
        "label": "The label of the field.",
        "type": "The type of the value.",
        "many": "Whether a record has a list of values; only for text, url and choice.",
        "required": "Whether every record must have it.",
        "unit": "The unit of a number, like USD.",
        "summary": "Whether lists show it.",
        "filter": "Whether it is a filter; only for choice, boolean, number and date.",
        "sort": "Whether it makes sorts; only for number and date.",
        "values": "The values of a choice, each with its label. Without it, any slug is allowed.",
    },
    "SiteSettings": {
        "accent": "The colour of links and buttons, in quotes: '#0b6e4f'.",
        "lead": "The collection that the home page begins with. Default: the largest.",
        "navigation": "More links in the header.",
        "footer": "A few words of Markdown at the foot of every page.",
    },
    "Link": {"label": "The text of the link.", "href": "The address: an http or https URL."},
    "Guards": {
        "lost": "The share of the records of a collection that one publish may lose.",
        "filled_lost": "How far the share of records with a website, a text and so on may fall.",
        "values_lost": "The share of the records of a country or a tag that one publish may lose.",
        "least": "The least number of records of a collection.",
        "filled": "The least share of records with a website, a text and so on.",
        "countries": "The least and the most records of a country.",
        "tags": "The least and the most records of a tag.",
    },
    "LeastRecords": _of_each("The least number of {}."),
    "LeastFilled": _of_each("The least shares for {}."),
    "Filled": {
        "website": "The least share of records with a website.",
        "text": "The least share of records with a summary or a description.",
        "places": "The least share of records with a place.",
        "tags": "The least share of records with a tag.",
        "sources": "The least share of records with a source.",
        "year": "The least share of records with a year.",
    },
    "CountryBounds": _of_each("The limits for {} by country: codes in lower case.", _PLACED),
    "TagBounds": _of_each("The limits for {} by tag family and tag.", _PLACED),
    "Bounds": {"least": "The least number of records.", "most": "The most records."},
    "Removals": {"removed": "The records that were removed for good."},
    "Removal": {
        "kind": "The kind of the record.",
        "slug": "The slug of the record. No other record can have it.",
        "date": "The day of the removal.",
        "reason": "The reason, in one line.",
    },
    "Repository": {
        "url": "The repository's page.",
        "branch": "The published branch.",
        "folder": "The folder with registry.yaml in the repository.",
    },
}

#: Field of registry.yaml or of a place -> examples.
EXAMPLES: Mapping[str, list[Any]] = {
    "region": ["Vestland"],
    "city": ["Bergen"],
    "base_url": ["https://registry.example.org"],
    "contact": ["registry@example.org"],
    "language": ["en"],
    "accent": ["#0b6e4f"],
}
