"""An alias is nobody's live slug and no other record's alias."""

from collections.abc import Iterator, Mapping

from generator.model.checks import Known, Where
from generator.problems.faults import Fault

_HINT = "remove it here: an alias is a former slug that no record uses now"


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        owner: dict[str, str] = {}
        for slug, aliases in sorted(names.aliases.items()):
            for i, alias in enumerate(aliases):
                other = alias
                if alias == slug:
                    what = f'aliases[{i}]: "{alias}" is the slug of this record itself'
                elif alias in names.live:
                    what = f'aliases[{i}]: "{alias}" is the slug of {where(collection, alias)}'
                    if names.aliases.get(alias):
                        chain = names.aliases[alias][0]
                        what += f', which itself has an alias, "{chain}"'
                elif (other := owner.setdefault(alias, slug)) != slug:
                    what = f'aliases[{i}]: "{alias}" is also an alias in {where(collection, other)}'
                else:
                    continue
                also = ((where(collection, other), 1, 1),) if other != slug else ()
                fault = Fault("alias-clash", what, ("aliases", i), _HINT, also=also)
                yield collection, slug, fault
