"""What an author meant by a word that is no slug, or that nobody declared: looked for among slugs,
labels and names.

Hints only; they are asked for what is told, so they may take their time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from generator.api.diagnostic import did_you_mean
from generator.api.text import fold, slugify
from generator.records.symbols import Symbols


class Known(NamedTuple):
    """A word that there is: its slug, its label or name, and for a tag its family."""

    slug: str
    label: str
    family: str = ""


def slug_for(loc: tuple[str | int, ...], given: str, symbols: Symbols) -> str | None:
    """A hint for what stands where a slug is meant: the slug that has this label or name."""
    match loc:
        case ("tags", str(family), int()):
            found = _find(given, _tags(symbols, family), near=False) or _find(
                given, _tags(symbols), near=False
            )
            return (
                _write(found, family)
                if found
                else tag_for(given, family, symbols)
                if symbols.tags.get(family)
                else None
            )
        case ("category",):
            found = _find(given, _labelled(symbols.categories))
            if found is None:
                return declared(given, symbols.categories, "organization_categories")
        case ("type",):
            found = _find(given, _labelled(symbols.program_types))
            if found is None:
                return declared(given, symbols.program_types, "program_types")
        case ("program",) | ("programs", _):
            found = _find(given, _named(symbols, "programs"))
        case ("organization",) | ("organizations", _):
            found = _find(given, _named(symbols, "organizations"))
        case ("parent",):
            found = _find(given, _named(symbols, "programs")) or _find(
                given, _named(symbols, "organizations")
            )
        case _:
            return None
    return found and f'write "{found.slug}", the slug of "{found.label}"'


def declared(given: str, known: Mapping[str, str], where: str) -> str:
    """A hint for a slug that registry.yaml does not declare: the nearest by slug or label, else all
    of few, and where they are.
    """
    found = _find(given, _labelled(known))
    if found is not None:
        return f'did you mean "{found.slug}" ({found.label})? All are listed in registry.yaml, under {where}'
    some = f"one of: {', '.join(sorted(known))}; listed" if 0 < len(known) <= 12 else "see the list"
    return (
        f"{some} in registry.yaml, under {where}"
        if known
        else f"registry.yaml lists none under {where}"
    )


def tag_for(given: str, family: str, symbols: Symbols) -> str:
    """A hint for a tag that its closed family does not list."""
    key = ("meant", family, given)
    hint: str | None = symbols._memo.get(key)
    if hint is None:
        found = _find(given, _tags(symbols, family), near=False) or _find(
            given, _tags(symbols), near=False
        )
        found = found or _find(given, _tags(symbols, family)) or _find(given, _tags(symbols))
        if found is not None and found.family != family:
            hint = f'did you mean "{found.slug}" ({found.label}) of the family "{found.family}"? Write it under tags.{found.family}'
        else:
            hint = declared(given, symbols.tags[family], f"tag_families.{family}.tags")
        symbols._memo[key] = hint
    return hint


def family_for(given: str, families: Mapping[str, str]) -> str:
    """A hint for a tag family that is not declared."""
    return declared(given, families, "tag_families")


def _write(found: Known, family: str) -> str:
    there = "" if found.family == family else f", under tags.{found.family}"
    return f'write "{found.slug}", the slug of "{found.label}"{there}'


def _labelled(known: Mapping[str, str], family: str = "") -> dict[str, Known]:
    """Folded label or slug -> what it names; a slug is taken before a label."""
    found = {fold(label): Known(slug, label, family) for slug, label in known.items()}
    return found | {slug: Known(slug, label, family) for slug, label in known.items()}


def _named(symbols: Symbols, collection: str) -> dict[str, Known]:
    key = ("words", collection)
    words: dict[str, Known] | None = symbols._memo.get(key)
    if words is None:
        words = symbols._memo[key] = _labelled(
            {slug: target.name for slug, target in symbols.targets(collection).items()}
        )
    return words


def _tags(symbols: Symbols, family: str | None = None) -> dict[str, Known]:
    """The tags that are listed, of one family or of all."""
    key = ("words of tags", family)
    words: dict[str, Known] | None = symbols._memo.get(key)
    if words is None:
        words = {}
        for name in sorted(symbols.tags, reverse=True) if family is None else [family]:
            words |= _labelled(symbols.tags.get(name, {}), name)
        symbols._memo[key] = words
    return words


def _find(given: str, words: Mapping[str, Known], near: bool = True) -> Known | None:
    found = words.get(fold(given)) or words.get(slugify(given))
    if found is None and near:
        nearest = did_you_mean(fold(given), words)
        found = words[nearest] if nearest is not None else None
    return found
