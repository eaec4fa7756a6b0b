"""Projects.  No record refers to a project."""

from typing import Annotated, ClassVar, Literal

from generator.kinds.declare import (
    Apart,
    Declared,
    Default,
    Filtered,
    Label,
    Labels,
    Listed,
    Ranged,
    Refers,
    Searched,
    Sorted,
    Unpublished,
    Words,
)
from generator.kinds.record import CATEGORIES, Record
from generator.kinds.types import Count, Flag, Names, Slugs, Year

STATUSES = {"active": "Active", "acquired": "Acquired", "public": "Public", "inactive": "Inactive"}
_ALSO = {
    "active": "alive live operating open",
    "acquired": "exited bought",
    "public": "listed ipo",
    "inactive": "dead closed defunct failed shut-down",
}


# fmt: off
class Project(Record):
    """A project with every field."""

    year: Annotated[Year | None, Filtered(also="founded founding"), Sorted("-year", "year"),
        Listed(), Words("Year of the first cohort, or of the founding.", 2025)] = None
    status: Annotated[Literal["active", "acquired", "public", "inactive"] | None,
        Filtered(also="state"), Labels(STATUSES, "status", _ALSO), Default("active"), Listed(),
        Searched(2), Words("Whether the project is active, or what became of it.")] = None
    programs: Annotated[Slugs | None, Refers("programs"), Filtered("program", "batch cohort"),
        Listed("Slugs of the programs it took part in."),
        Words("The programs it took part in.")] = None
    organizations: Annotated[Slugs | None, Refers("organizations"),
        Filtered("organization", "accelerator investor backer"),
        Listed("Slugs of the organizations it belongs to or was backed by."),
        Words("The organizations it belongs to or was backed by.")] = None
    remote: Annotated[Flag | None, Listed(in_rows=False),
        Words("Whether people can work for it from anywhere."), Apart()] = None
    team_size: Annotated[Count | None, Ranged("employees people headcount staff"),
        Sorted("", "-team_size"), Words("How many people work on it.", 12)] = None
    founders: Annotated[Names | None, Label("Founders", "record.founders"),
        Words("Names of the founders.", ["Ida Berg", "Jon Vik"])] = None
    former_names: Annotated[Names | None, Label("Former names", "record.former_names"),
        Listed(in_rows=False, drawn=False), Searched(10),
        Words("Former names.", ["Polar Grid"])] = None
    organization_category: ClassVar[Annotated[Slugs, Filtered(), Label("{organizations} category"),
        CATEGORIES, Unpublished()]]
# fmt: on


KIND = Declared(
    Project,
    "projects",
    "project",
    nouns={"de": ("Projekt", "Projekte")},
    also="company startup firm venture",
    schema_org="Organization",
    counted=True,
    summaries=("status", "year", "tags", "programs", "organizations", "locations", "remote",
               "website", "logo", "former_names"),
    filters=("tags", "programs", "organizations", "organization_category", "locations", "year",
             "status", "team_size"),
    table=("slug", "name", "year", "status", "locations", "summary"),
    badge="status",
    tones={"active": "good usual", "acquired": "done", "public": "best", "inactive": "quiet"},
    facts=("status", "year", "programs", "organizations", "founders", "team_size", "locations",
           "former_names")
)  # fmt: skip
