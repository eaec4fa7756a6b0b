"""A slug in removed.yaml is no longer used as a slug or an alias."""

from collections.abc import Iterator, Mapping

from generator.dialect.folder import REMOVED_FILE
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.problems.faults import Fault

_HINT = f"choose another slug; to bring the record back, delete its entry in {REMOVED_FILE}"


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    for collection, records in collections.items():
        if not records.removed:
            continue
        for slug, removal in records.removed.items():
            if slug in records.live_slugs:
                message = f'"{slug}" was removed for good on {removal.date} ({REMOVED_FILE})'
                yield RecordFault(collection, slug, Fault("removed-slug", message, (), _HINT))
        for slug, aliases in records.aliases.items():
            for i, alias in enumerate(aliases):
                if alias in records.removed:
                    date = records.removed[alias].date
                    message = (
                        f'aliases[{i}]: "{alias}" was removed for good on {date} ({REMOVED_FILE})'
                    )
                    yield RecordFault(
                        collection, slug, Fault("removed-slug", message, ("aliases", i), _HINT)
                    )
