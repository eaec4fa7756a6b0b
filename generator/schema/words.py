"""What the fields of registry.yaml and removed.yaml mean, and examples of fields, for editors.

What the fields of records mean is said where they are published (see generator.schema.published).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Model -> field -> what it means.
WORDS: Mapping[str, Mapping[str, str]] = {
    "Settings": {
        "name": "What the registry is called.",
        "description": "What the registry is about.",
        "base_url": "Where it is published: an http or https URL without query and fragment.",
        "license": "The licence of the data: an identifier of the SPDX License List.",
        "contact": "Whom to write to: a URL or an e-mail address.",
        "page_size": "How many records a page of a list has.",
        "tag_families": "The tag families. One with `tags` takes no other tags than these.",
        "organization_categories": "What the `category` of an organization can be: slug: label.",
        "program_types": "What the `type` of a program can be: slug: label.",
        "nouns": "What this registry calls its records.",
        "language": "The language of the texts, as a BCP 47 tag.",
        "fields": "What this registry's records have beyond those of every registry.",
        "hosts": "For which hosts a build writes rules.",
        "leave_out": "Files that are not published: sorts, contexts, event_pages.",
        "allow_loss": "Whether a build may lose any number of records since the last one.",
        "guards": "What a publish may lose, and what there must be in any.",
        "site": "How the pages for people look; false leaves them out.",
        "cms": "Whether, and how, records are edited in the browser, at /admin/.",
        "repository": "Where the records are edited: the repository's page.",
        "signing": "Whose signature the published manifest has, and for how long it holds.",
    },
    "Signing": {
        "keys": "The public keys, as registry key show prints them.",
        "handovers": "Which key took the place of which, as registry key hand-over prints it.",
        "days": "For how many days a manifest holds.",
    },
    "HandOver": {
        "old": "The key that was trusted until then.",
        "new": "The key that is trusted in its place.",
        "signature": "The signature of the old key.",
    },
    "TagFamily": {
        "label": "What people call the family.",
        "description": "What the family is for.",
        "tags": "The tags there are, each with its label. Without, any slug is a tag.",
    },
    "CollectionNouns": {
        "projects": "What projects are called.",
        "programs": "What programs are called.",
        "organizations": "What organizations are called.",
        "events": "What events are called.",
    },
    "Nouns": {
        "one": "What one record is called, as within a sentence.",
        "many": "What several are called.",
    },
    "CollectionFields": {
        "projects": "The own fields of projects, by key.",
        "programs": "The own fields of programs, by key.",
        "organizations": "The own fields of organizations, by key.",
        "events": "The own fields of events, by key.",
    },
    "Declaration": {
        "label": "What people call the field.",
        "type": "What a record gives.",
        "many": "Whether a record gives a list, of text, url or choice.",
        "required": "Whether every record must give it.",
        "unit": "What a number counts, like USD.",
        "summary": "Whether lists show it.",
        "filter": "Whether it makes a filter: of a choice, a boolean, a number or a date.",
        "sort": "Whether a number or a date makes sorts.",
        "values": "The values of a choice, each with its label. Without, any slug is one.",
    },
    "SiteSettings": {
        "accent": "The colour of links and buttons, in quotes: '#0b6e4f'.",
        "navigation": "More links in the header.",
        "footer": "A few words of Markdown at the foot of every page.",
    },
    "Cms": {
        "auth": "What signs people in for GitHub: the address of an OAuth relay.",
        "app_id": "What signs people in at GitLab: the id of an OAuth application.",
        "review": "Whether a change is a pull request first.",
        "folders": "Whether records lie in folders below that of their collection.",
    },
    "Link": {"label": "What the link says.", "href": "Where it leads: an http or https URL."},
    "Guards": {
        "lost": "The share of a collection's records that may go in one publish.",
        "filled_lost": "By how much the share of records that have something may fall.",
        "values_lost": "The share of the records of a country or a tag that may go.",
        "least": "How many records a collection has, at least.",
        "filled": "Which share of a collection's records have something, at least.",
        "countries": "How many records a country has, at least and at most.",
        "tags": "How many records a tag has, at least and at most.",
    },
    "LeastRecords": {
        "projects": "How many projects there are, at least.",
        "programs": "How many programs there are, at least.",
        "organizations": "How many organizations there are, at least.",
        "events": "How many events there are, at least.",
    },
    "LeastFilled": {
        "projects": "What projects have, at least.",
        "programs": "What programs have, at least.",
        "organizations": "What organizations have, at least.",
        "events": "What events have, at least.",
    },
    "Filled": {
        "website": "The share of records that have a website, at least.",
        "text": "The share of records that have a summary or a description, at least.",
        "places": "The share of records that have a place, at least.",
        "tags": "The share of records that have a tag, at least.",
        "sources": "The share of records that have a source, at least.",
        "year": "The share of records that have a year, at least.",
    },
    "CountryBounds": {
        "projects": "The bounds of countries of projects, by their codes in lower case.",
        "programs": "The bounds of countries of programs, by their codes in lower case.",
        "organizations": "The bounds of countries of organizations, by their codes in lower case.",
    },
    "TagBounds": {
        "projects": "The bounds of tags of projects, by family.",
        "programs": "The bounds of tags of programs, by family.",
        "organizations": "The bounds of tags of organizations, by family.",
    },
    "Bounds": {"least": "How many records, at least.", "most": "How many records, at most."},
    "Removals": {"removed": "The records that were removed for good."},
    "Removal": {
        "kind": "Of which kind the record was.",
        "slug": "The slug that it had, which no other record takes.",
        "date": "The day that it was removed.",
        "reason": "Why, in a line.",
    },
    "Repository": {
        "url": "The repository's page.",
        "branch": "The branch that is published.",
        "folder": "The folder in the repository that has registry.yaml.",
    },
}

#: Field -> examples, in whatever model it is.
EXAMPLES: Mapping[str, list[Any]] = {
    "summary": ["Heat pumps that balance the grid."],
    "website": ["https://example.org/"],
    "links": [{"code": "https://example.org/code"}],
    "sources": [["https://example.org/2025/launch"]],
    "aliases": [["former-slug"]],
    "year": [2025],
    "team_size": [12],
    "founders": [["Ida Berg", "Jon Vik"]],
    "former_names": [["Polar Grid"]],
    "starts": ["2027-01-31"],
    "ends": ["2027-01-31"],
    "opens": ["2027-01-31"],
    "closes": ["2027-01-31 17:00"],
    "due": ["2027-01-31 17:00"],
    "region": ["Vestland"],
    "city": ["Bergen"],
    "base_url": ["https://registry.example.org"],
    "contact": ["registry@example.org"],
    "language": ["en"],
    "accent": ["#0b6e4f"],
}
