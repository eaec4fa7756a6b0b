from collections.abc import Iterator

from generator.contract.artifact import Artifact, document_artifact
from generator.model.tables.table import Table
from registry_stars.addresses import STARS

ADDRESSES = (STARS,)


def render(projects: Table) -> Iterator[Artifact]:
    stars = projects.collection.numbers.index("stars")
    known = [row for row in projects if row.numbers[stars] is not None]
    known.sort(key=lambda row: -row.numbers[stars])
    data = [{"slug": r.slug, "name": r.name, "stars": r.numbers[stars]} for r in known[:10]]
    yield document_artifact(STARS, "stars", data=data)
