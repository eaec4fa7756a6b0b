"""Tags belong to declared families, and to those that a closed family lists."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from generator.records.faults import Fault
from generator.records.meant import family_for, tag_for
from generator.records.symbols import Kind, Symbols


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    if "tag_families" in symbols.unknown:
        return
    for family, tags in (record.tags or {}).items():
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
