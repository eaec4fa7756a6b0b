"""Tags belong to declared families, and to those that a closed family lists."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from generator.records.faults import Fault
from generator.records.meant import family_for, tag_for
from generator.records.symbols import Kind, Symbols


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    if record.tags is not None and "tag_families" not in symbols.unknown:
        for family, tags in record.tags.items():
            known = symbols.tags.get(family)
            if known is None or (family in symbols.closed and not known.keys() >= set(tags)):
                return _told(record, symbols)
    return ()


def _told(record: Any, symbols: Symbols) -> Iterator[Fault]:
    for family, tags in record.tags.items():
        if family not in symbols.tags:
            what = f'tags: there is no tag family "{family}"'
            labels = symbols.grammar.tag_families
            yield Fault(
                "unknown-tag-family",
                what,
                ("tags", family),
                partial(family_for, family, labels),
                on_key=True,
            )
        elif family in symbols.closed:
            known = symbols.tags[family]
            for i, tag in enumerate(tags):
                if tag not in known:
                    what = (
                        f'tags.{family}[{i}]: there is no tag "{tag}" in the closed family '
                        f'"{family}"'
                    )
                    yield Fault(
                        "unknown-tag",
                        what,
                        ("tags", family, i),
                        partial(tag_for, tag, family, symbols),
                    )
