"""The project pages by a plain script, as a first version would be.

    python benchmarks/naive.py CONTENT OUT [--loader safe|csafe]

One JSON file for each project, the list of all projects, and for every tag of every family the list
of its projects; lists are cut into pages and sorted by name.  It prints the number of files and
bytes it wrote.
"""

from __future__ import annotations

import argparse
import datetime
import json
import unicodedata
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = "1.0"
Slug = str
written: list[int] = []  # the size of each file


class Location(BaseModel):
    model_config = ConfigDict(extra="forbid")
    country: str = Field(pattern=r"^[A-Z]{2}$")
    region: str | None = None
    city: str | None = None


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=200)
    summary: str | None = Field(None, max_length=300)
    description: str | None = Field(None, max_length=10_000)
    website: str | None = Field(None, pattern=r"^https?://")
    links: dict[str, str] = {}
    sources: list[str] = []
    tags: dict[str, list[Slug]] = {}
    aliases: list[Slug] = []
    year: int | None = Field(None, ge=1800, le=2200)
    locations: list[Location] = []


class Project(Record):
    status: Literal["active", "acquired", "public", "inactive"] = "active"
    programs: list[Slug] = []
    organizations: list[Slug] = []
    remote: bool = False
    team_size: int | None = None
    founders: list[str] = []
    former_names: list[str] = []


class Program(Record):
    kind: Literal["cohort", "program"]
    type: str
    organization: Slug
    parent: Slug | None = None
    starts: datetime.date | None = None
    ends: datetime.date | None = None


class Organization(Record):
    category: str
    parent: Slug | None = None


def fold(text: str) -> str:
    text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if not unicodedata.combining(c)).casefold()


def slugify(text: str) -> str:
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join("".join(c if c.isalnum() else " " for c in text).split())


def read(content: Path, kind: str, model: type[Record], loader: type) -> dict[str, Record]:
    records = {}
    for path in content.joinpath(kind).rglob("*.yaml"):
        records[path.stem] = model.model_validate(
            yaml.load(path.read_text(encoding="utf-8"), loader)
        )
    return records


def location(place: Location) -> dict:
    parts = [part for part in (place.country, place.region, place.city) if part]
    return {**place.model_dump(), "slug": "-".join(slugify(part) for part in parts)}


def summary(slug: str, project: Project, families: dict) -> dict:
    return {
        "slug": slug,
        "name": project.name,
        "summary": project.summary,
        "href": f"/api/projects/slug/{slug}.json",
        "status": project.status,
        "year": project.year,
        "tags": {family: project.tags.get(family, []) for family in families},
        "programs": project.programs,
        "organizations": project.organizations,
        "locations": [location(place) for place in project.locations],
        "remote": project.remote,
        "website": project.website,
    }


def reference(kind: str, slug: str, records: dict[str, Record]) -> dict:
    return {"slug": slug, "name": records[slug].name, "href": f"/api/{kind}/slug/{slug}.json"}


def write(path: Path, document: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    written.append(path.write_bytes(json.dumps(document, ensure_ascii=False).encode()))


def write_list(out: Path, folder: str, filters: dict, rows: list[dict], size: int) -> None:
    total = max(1, -(-len(rows) // size))

    def url(number: int) -> str | None:
        return f"/{folder}/page/{number}.json" if 1 <= number <= total else None

    for number in range(1, total + 1):
        data = rows[(number - 1) * size : number * size]
        write(
            out / folder / "page" / f"{number}.json",
            {
                "schema_version": SCHEMA_VERSION,
                "kind": "project_list",
                "query": {
                    "mode": "page",
                    "page": number,
                    "sort": "name",
                    "q": None,
                    "filters": filters,
                },
                "page": {
                    "number": number,
                    "size": size,
                    "count": len(data),
                    "total_items": len(rows),
                    "total_pages": total,
                },
                "links": {
                    "self": url(number),
                    "first": url(1),
                    "prev": url(number - 1),
                    "next": url(number + 1),
                    "last": url(total),
                    "filters": "/api/projects/filters.json",
                },
                "data": data,
            },
        )


def build(content: Path, out: Path, loader: type) -> None:
    settings = yaml.load((content / "registry.yaml").read_text(encoding="utf-8"), loader)
    families, size = settings.get("tag_families", {}), settings.get("page_size", 50)
    organizations = read(content, "organizations", Organization, loader)
    programs = read(content, "programs", Program, loader)
    projects = read(content, "projects", Project, loader)

    rows = []
    lists = {(family, tag): [] for family in families for tag in families[family].get("tags", {})}
    for slug, project in sorted(projects.items(), key=lambda item: (fold(item[1].name), item[0])):
        row = summary(slug, project, families)
        rows.append(row)
        for family, tags in project.tags.items():
            for tag in tags:
                lists.setdefault((family, tag), []).append(row)
        write(
            out / f"api/projects/slug/{slug}.json",
            {
                "schema_version": SCHEMA_VERSION,
                "kind": "project",
                "links": {"self": row["href"]},
                "data": {
                    **row,
                    "description": project.description,
                    "links": project.links,
                    "sources": project.sources,
                    "aliases": project.aliases,
                    "team_size": project.team_size,
                    "founders": project.founders,
                    "former_names": project.former_names,
                    "programs": [
                        reference("programs", program, programs) for program in project.programs
                    ],
                    "organizations": [
                        reference("organizations", organization, organizations)
                        for organization in project.organizations
                    ],
                },
            },
        )
    write_list(out, "api/projects", {}, rows, size)
    for (family, tag), members in lists.items():
        write_list(
            out, f"api/projects/by/tag_{family}/{tag}", {f"tag_{family}": tag}, members, size
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("content", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--loader", choices=["safe", "csafe"], default="csafe")
    options = parser.parse_args()
    build(
        options.content,
        options.out,
        yaml.CSafeLoader if options.loader == "csafe" else yaml.SafeLoader,
    )
    print(f"{len(written)} files, {sum(written)} bytes")


if __name__ == "__main__":
    main()
