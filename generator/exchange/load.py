"""An import from its files: the registry, the map and the table, read and held against each
other.
"""

from __future__ import annotations

from datetime import UTC, datetime

from generator.api.diagnostic import Diagnostic, is_error
from generator.api.names import COLLECTION_OF
from generator.build.load import read_and_link, read_header
from generator.exchange.columns import columns
from generator.exchange.drafts import Conflicts
from generator.exchange.imported import Import, Result
from generator.exchange.sheet import Table, read
from generator.exchange.targets import of_columns, of_map, read_map
from generator.records.folder import scan


def imported(
    folder: str,
    path: str,
    form: str,
    map_path: str | None,
    collection: str,
    empty: str | None,
    conflicts: Conflicts,
) -> tuple[Table, str, Result] | list[Diagnostic]:
    """What the import of a table would do in a registry, with the table and its collection; or
    problems for which that cannot be told.  Raises Unreadable, OSError.
    """
    content = scan(folder)
    header, problems = read_header(content)
    problems += [one for one in content.problems if one.code == "missing-registry"]
    said = None
    if map_path is not None:
        said, wrong = read_map(map_path)
        problems += wrong
        if said is not None:
            if collection and COLLECTION_OF[said.kind] != collection:
                what = f"the map is of another kind: {said.kind}"
                problems.append(Diagnostic(map_path, 1, 1, "invalid-map", what, "leave out --kind"))
            collection = COLLECTION_OF[said.kind]
    if any(map(is_error, problems)):
        return [problem for problem in problems if is_error(problem)]
    known = columns(collection, header.settings)
    names = [source.column or "" for source in said.fields.values()] if said else list(known)
    table = read(path, form, (said.rows or "") if said else "", names)
    if said is not None and map_path is not None:
        asked, wrong = of_map(map_path, said, known, table)
    else:
        asked, wrong = of_columns(known, table, "keep")
    if wrong:
        return wrong
    if empty is not None:
        asked = asked._replace(empty=empty)
    today = datetime.now(UTC).date().isoformat()
    linked, _ = read_and_link(content, header, header.settings.grammar(), today)
    return table, collection, Import(content, linked, collection, table, asked, conflicts).result()
