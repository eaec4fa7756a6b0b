"""Programs: series such as an accelerator, and their cohorts."""

from typing import Annotated, ClassVar, Literal

from generator.kinds.declare import (
    Apart,
    Declared,
    Filtered,
    Label,
    Labels,
    Listed,
    Refers,
    Sorted,
    Unpublished,
    Vocabulary,
    Words,
)
from generator.kinds.record import CATEGORIES, Breakdown, Record
from generator.kinds.types import Count, Date, Slug, Year

KIND_LABELS = {"cohort": "Cohort", "program": "Program"}


# fmt: off
class Program(Record):
    """A program with every field."""

    kind: Annotated[Literal["cohort", "program"], Filtered(), Labels(KIND_LABELS, "program"),
        Listed(), Words("A permanent program, or one cohort of a program."), Apart()]
    type: Annotated[Slug, Filtered(), Label("{programs} type"), Vocabulary("program_types",
        "program_types", "program type", "unknown-program-type"), Listed(),
        Words("The program type, as the registry defines it.")]
    organization: Annotated[Slug, Refers("organizations"), Filtered(),
        Listed("Slug of the organization that runs it."), Words("The organization that runs it.")]
    parent: Annotated[Slug | None, Refers("programs"), Label("Part of", "record.part_of"),
        Listed("Slug of the program it belongs to.", in_rows=False, drawn=False),
        Words("The program it belongs to.")] = None
    year: Annotated[Year | None, Filtered(), Sorted("-year"), Listed(),
        Words("Year of the first cohort, or of the founding.", 2025)] = None
    starts: Annotated[Date | None, Label("First day", "record.first_day"), Listed(in_rows=False,
        drawn=False),
        Words("First day. Cohorts of one year are sorted by it, those without it by name.",
        "2027-01-31")] = None
    ends: Annotated[Date | None, Label("Last day", "record.last_day"), Words("Last day.",
        "2027-01-31")] = None
    organization_category: ClassVar[Annotated[Slug, Filtered(), Label("{organizations} category"),
        CATEGORIES, Unpublished()]]
    projects: ClassVar[Annotated[Count, Sorted("-projects"), Listed(),
        Words("How many projects took part in it or in a program below it."), Apart()]]
    breakdown: ClassVar[Breakdown]
# fmt: on


KIND = Declared(
    Program,
    "programs",
    "program",
    nouns={"de": ("Programm", "Programme")},
    schema_org="Organization",
    contexts=True,
    empty_lists=True,
    summaries=("kind", "type", "year", "organization", "parent", "starts", "projects", "tags",
               "locations", "website", "logo"),
    filters=("tags", "organization", "organization_category", "type", "kind", "locations", "year"),
    table=("slug", "name", "kind", "year", "organization", "projects"),
    badge="type",
    counts=("projects",),
    series=True,
    facts=("type", "organization", "parent", "year", "starts", "ends", "locations")
)  # fmt: skip
