"""What all records have in common: the fields that every kind has."""

from typing import Annotated, Any

from generator.kinds.declare import (
    Apart,
    Filtered,
    Label,
    Listed,
    Typed,
    Unpublished,
    Vocabulary,
    Words,
)
from generator.kinds.marks import JsonSchema
from generator.kinds.types import (
    Codes,
    Date,
    Links,
    Name,
    OwnFields,
    Part,
    Places,
    Slugs,
    Summary,
    Tags,
    Text,
    Url,
    Urls,
)

#: The filter by places.
BY_PLACE = Filtered("location", "continent country region city state place hq headquarters")
CATEGORIES = Vocabulary(
    "categories", "organization_categories", "organization category", "unknown-category"
)
#: The order in which `registry format` writes fields.  Other fields of kinds come before `tags`.
WRITTEN = (
    "name", "summary", "kind", "type", "category", "status", "year", "description",
    "organization", "program", "parent", "programs", "organizations",
    "stage", "round", "opens", "closes", "rolling", "due", "starts", "ends", "timezone",
    "founders", "former_names", "aliases", "remote", "team_size",
    "tags", "locations", "online", "website", "logo", "links",
    "sources", "verified", "accept", "fields",
)  # fmt: skip


# fmt: off
class Record(Part):
    """The fields that every kind has."""

    name: Annotated[Name, Words("The name."), Apart()]
    summary: Annotated[Summary | None, Words("One line about the record.",
        "Heat pumps that balance the grid."), Apart()] = None
    description: Annotated[Text | None, Words("A longer text."), Apart()] = None
    website: Annotated[Url | None, Listed(drawn=False), Label("Website", "record.website"),
        Words("Its own website.", "https://example.org/")] = None
    links: Annotated[Links | None, Label("Links", "record.links"),
        Words("Other addresses on the web, by kind.", {"code": "https://example.org/code"})] = None
    sources: Annotated[Urls | None, Words("Where the facts come from.",
        ["https://example.org/2025/launch"]), Apart()] = None
    verified: Annotated[Date | None, Label("Verified", "record.verified"),
        Words("The day on which somebody last compared the record with its sources.",
        "2026-05-31")] = None
    accept: Annotated[Codes | None, Unpublished(),
        Words("Warnings about this record that are accepted, by their codes.")] = None
    tags: Annotated[Tags | None, Filtered(), Listed(), Words("Tags, by tag family.")] = None
    aliases: Annotated[Slugs | None, Words("Former slugs.", ["former-slug"]), Apart()] = None
    locations: Annotated[Places | None, BY_PLACE, Label("Location"), Listed(),
        Words("Its places.")] = None
    fields: Annotated[OwnFields | None, JsonSchema({"type": "object"}, replaces=True)] = None
# fmt: on


Breakdown = Annotated[
    dict[str, list[dict[str, Any]]],
    Typed("breakdown"),
    Words(
        "Counts of its projects by filter: every `status` and `year`, and the 20 most frequent "
        "values of each tag family and countries of `location`."
    ),
    Apart(),
]
