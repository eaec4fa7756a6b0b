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


def slug_for(loc: tuple[str | int, ...], word: str, symbols: Symbols) -> str | None:
    """A hint for what stands where a slug is meant: the slug that has this label or name."""
    match loc:
        case ("tags", str(family), int()):
            likely = _find(word, _tags(symbols, family), near=False) or _find(
                word, _tags(symbols), near=False
            )
            return (
                _write(likely, family)
                if likely
                else tag_for(word, family, symbols)
                if symbols.tags.get(family)
                else None
            )
        case ("category",):
            likely = _find(word, _labelled(symbols.categories))
            if likely is None:
                return declared(word, symbols.categories, "organization_categories")
        case ("type",):
            likely = _find(word, _labelled(symbols.program_types))
            if likely is None:
                return declared(word, symbols.program_types, "program_types")
        case ("program",) | ("programs", _):
            likely = _find(word, _named(symbols, "programs"))
        case ("organization",) | ("organizations", _):
            likely = _find(word, _named(symbols, "organizations"))
        case ("parent",):
            likely = _find(word, _named(symbols, "programs")) or _find(
                word, _named(symbols, "organizations")
            )
        case _:
            return None
    return likely and f'write "{likely.slug}", the slug of "{likely.label}"'


def declared(word: str, known: Mapping[str, str], where: str) -> str:
    """A hint for a slug that registry.yaml does not declare: the nearest by slug or label, else all
    of few, and where they are.
    """
    likely = _find(word, _labelled(known))
    if likely is not None:
        return (
            f'did you mean "{likely.slug}" ({likely.label})? '
            f"All are listed in registry.yaml, under {where}"
        )
    some = f"one of: {', '.join(sorted(known))}; listed" if 0 < len(known) <= 12 else "see the list"
    return (
        f"{some} in registry.yaml, under {where}"
        if known
        else f"registry.yaml lists none under {where}"
    )


def tag_for(word: str, family: str, symbols: Symbols) -> str:
    """A hint for a tag that its closed family does not list."""
    key = ("meant", family, word)
    hint: str | None = symbols._memo.get(key)
    if hint is None:
        likely = _find(word, _tags(symbols, family), near=False) or _find(
            word, _tags(symbols), near=False
        )
        likely = likely or _find(word, _tags(symbols, family)) or _find(word, _tags(symbols))
        if likely is not None and likely.family != family:
            hint = (
                f'did you mean "{likely.slug}" ({likely.label}) of the family "{likely.family}"? '
                f"Write it under tags.{likely.family}"
            )
        else:
            hint = declared(word, symbols.tags[family], f"tag_families.{family}.tags")
        symbols._memo[key] = hint
    return hint


def family_for(word: str, families: Mapping[str, str]) -> str:
    """A hint for a tag family that is not declared."""
    return declared(word, families, "tag_families")


def _write(likely: Known, family: str) -> str:
    there = "" if likely.family == family else f", under tags.{likely.family}"
    return f'write "{likely.slug}", the slug of "{likely.label}"{there}'


def _labelled(known: Mapping[str, str], family: str = "") -> dict[str, Known]:
    """Folded label or slug -> what it names; a slug is taken before a label."""
    likely = {fold(label): Known(slug, label, family) for slug, label in known.items()}
    return likely | {slug: Known(slug, label, family) for slug, label in known.items()}


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


def _find(word: str, words: Mapping[str, Known], near: bool = True) -> Known | None:
    likely = words.get(fold(word)) or words.get(slugify(word))
    if likely is None and near:
        nearest = did_you_mean(fold(word), words)
        likely = words[nearest] if nearest is not None else None
    return likely
