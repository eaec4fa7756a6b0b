"""Tags belong to declared families, and to those that a closed family lists."""

from collections.abc import Iterator
from typing import Any

from generator.diagnostic import suggestion
from generator.kinds.frame import Frame, Kind
from generator.load import Fault


def check_record(kind: Kind, record: Any, frame: Frame) -> Iterator[Fault]:
    if "tag_families" in frame.unknown:
        return
    for family, tags in (record.tags or {}).items():
        if family not in frame.tags:
            what = f'tags: there is no tag family "{family}"'
            hint = suggestion(family, frame.tags) or "declare it in registry.yaml, under tag_families"
            yield Fault("unknown-tag-family", what, ("tags", family), hint, on_key=True)
        elif family in frame.closed:
            known = frame.tags[family]
            for i, tag in enumerate(tags):
                if tag not in known:
                    what = f'tags.{family}[{i}]: there is no tag "{tag}" in the closed family "{family}"'
                    hint = suggestion(tag, known) or f"add it in registry.yaml, under tag_families.{family}.tags"
                    yield Fault("unknown-tag", what, ("tags", family, i), hint)
