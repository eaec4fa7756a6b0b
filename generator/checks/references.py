"""Every reference names a record that exists."""

from collections.abc import Iterator
from typing import Any

from generator.diagnostic import suggestion
from generator.kinds.frame import Frame, Kind
from generator.load import Fault
from generator.validate import spell


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    for loc, collection, slug in kind.references(record):
        known = frame.targets(collection)
        if slug not in known:
            what = f'{spell(loc)}: there is no {collection[:-1]} "{slug}"'
            hint = suggestion(slug, known) or f"add {collection}/{slug}.yaml, or remove the reference"
            yield Fault("unknown-reference", what, loc, hint)
