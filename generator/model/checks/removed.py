"""A slug of a record that was removed for good is nobody's slug and nobody's alias."""

from collections.abc import Iterator, Mapping

from generator.dialect.folder import REMOVED_FILE
from generator.model.checks import Known, Where
from generator.problems.faults import Fault

_HINT = f"choose another slug; to bring the record back, delete its entry in {REMOVED_FILE}"


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        if not names.removed:
            continue
        for slug, removal in names.removed.items():
            if slug in names.live:
                what = f'"{slug}" was removed for good on {removal.date} ({REMOVED_FILE})'
                yield collection, slug, Fault("removed-slug", what, (), _HINT)
        for slug, aliases in names.aliases.items():
            for i, alias in enumerate(aliases):
                if alias in names.removed:
                    date = names.removed[alias].date
                    what = (
                        f'aliases[{i}]: "{alias}" was removed for good on {date} ({REMOVED_FILE})'
                    )
                    yield collection, slug, Fault("removed-slug", what, ("aliases", i), _HINT)
