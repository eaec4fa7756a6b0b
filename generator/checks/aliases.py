"""An alias is nobody's live slug and no other record's alias."""

from collections.abc import Iterator, Mapping

from generator.checks import Known
from generator.load import Fault


def check_registry(known: Mapping[str, list[Known]]) -> Iterator[tuple[str, str, Fault]]:
    for collection, records in known.items():
        live = {record.slug for record in records}
        owner: dict[str, str] = {}
        for record in sorted(r for r in records if r.aliases):
            for i, alias in enumerate(record.aliases):
                if alias in live:
                    what = f'aliases[{i}]: "{alias}" is the slug of a {collection[:-1]}'
                elif owner.setdefault(alias, record.slug) != record.slug:
                    what = f'aliases[{i}]: "{alias}" is an alias of "{owner[alias]}" too'
                else:
                    continue
                yield collection, record.slug, Fault("alias-clash", what, ("aliases", i), "an alias is a slug that is free now; remove it here")
