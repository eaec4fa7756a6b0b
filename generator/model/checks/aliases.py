"""An alias must not be a live slug or an alias of another record."""

from collections.abc import Iterator, Mapping

from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.problems.diagnostic import Position
from generator.problems.faults import Fault

_HINT = "remove it here: an alias is a former slug that no record uses now"


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    for collection, records in collections.items():
        owners: dict[str, str] = {}
        for slug, aliases in sorted(records.aliases.items()):
            for i, alias in enumerate(aliases):
                other = alias
                if alias == slug:
                    clash = "the slug of this record itself"
                elif alias in records.live_slugs:
                    clash = f"the slug of {path_of(collection, alias)}"
                    if records.aliases.get(alias):
                        clash += f', which itself has an alias, "{records.aliases[alias][0]}"'
                elif (other := owners.setdefault(alias, slug)) != slug:
                    clash = f"also an alias in {path_of(collection, other)}"
                else:
                    continue
                message = f'aliases[{i}]: "{alias}" is {clash}'
                also = (Position(path_of(collection, other)),) if other != slug else ()
                fault = Fault("alias-clash", message, ("aliases", i), _HINT, also=also)
                yield RecordFault(collection, slug, fault)
