"""Organizations, which run programs or back projects."""

from typing import Annotated, ClassVar

from generator.kinds.declare import Apart, Declared, Filtered, Label, Listed, Refers, Sorted, Words
from generator.kinds.record import CATEGORIES, Breakdown, Record
from generator.kinds.types import Count, Slug, Year


# fmt: off
class Organization(Record):
    """An organization with every field."""

    category: Annotated[Slug, Filtered(), CATEGORIES, Listed(),
        Words("The category of the organization, as the registry defines it.")]
    year: Annotated[Year | None, Filtered(also="founded", prepared=False), Sorted("", "-year"),
        Listed(), Words("Year of the first cohort, or of the founding.", 2025)] = None
    parent: Annotated[Slug | None, Refers("organizations"), Label("Part of", "record.part_of"),
        Words("The organization it belongs to.")] = None
    projects: ClassVar[Annotated[Count, Sorted("-projects"), Listed(),
        Words("How many projects belong to it or to a program it runs."), Apart()]]
    programs: ClassVar[Annotated[Count, Sorted("-programs"), Listed(),
        Words("How many programs it runs."), Apart()]]
    breakdown: ClassVar[Breakdown]
# fmt: on


KIND = Declared(
    Organization,
    "organizations",
    "organization",
    nouns={"de": ("Organisation", "Organisationen")},
    schema_org="Organization",
    owner=True,
    contexts=True,
    empty_lists=True,
    summaries=("category", "year", "projects", "programs", "tags", "locations", "website", "logo"),
    filters=("tags", "category", "locations", "year"),
    table=("slug", "name", "category", "locations", "projects", "programs"),
    badge="category",
    counts=("programs", "projects"),
    facts=("category", "parent", "year", "locations"),
)
