"""A part of this registry's own content, for tests that build repeatedly: some records of each
kind, with everything that they refer to.
"""

from __future__ import annotations

import functools
import shutil
from pathlib import Path
from typing import Any

import yaml

from support import commands

CONTENT = commands.ROOT / "content"
#: Fields that refer to records, and their collections; a parent is in the record's own collection.
_NAMES = {"programs": "programs", "program": "programs", "organizations": "organizations",
          "organization": "organizations", "parent": None}  # fmt: skip


def copy(folder: Path, *wanted: str, one_in: int = 3) -> Path:
    """Copy every `one_in`th project and event, and the records with the slugs `wanted`; a small
    page size gives lists several pages.
    """
    records = _records()
    left = [
        key for n, key in enumerate(records)
        if key[1] in wanted or (key[0] in ("projects", "events") and n % one_in == 0)
    ]  # fmt: skip
    kept: set[tuple[str, str]] = set()
    while left:
        key = left.pop()
        if key not in kept:
            kept.add(key)
            left += [(of or key[0], slug) for of, slug in records[key][1]]
    assert {slug for _, slug in kept} >= set(wanted)
    for path in (records[key][0] for key in sorted(kept)):
        target = folder / path.relative_to(CONTENT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    settings = (CONTENT / "registry.yaml").read_text("utf-8")
    assert "\npage_size: 50\n" in settings
    (folder / "registry.yaml").write_text(settings.replace("page_size: 50", "page_size: 10"))
    return folder


@functools.cache
def _records() -> dict[tuple[str, str], tuple[Path, list[tuple[str | None, str]]]]:
    """Collection and slug -> file, and the references in it."""
    found = {}
    for path in sorted(CONTENT.glob("*/**/*.yaml")):
        data: dict[str, Any] = yaml.load(path.read_bytes(), yaml.CSafeLoader)
        named: list[tuple[str | None, str]] = []
        for field, of in _NAMES.items():
            held = data.get(field) or []
            named += [(of, slug) for slug in ([held] if isinstance(held, str) else held)]
        found[path.relative_to(CONTENT).parts[0], path.stem] = path, named
    return found
