"""What an author meant by a word that is no slug, or that nobody declared: looked for among slugs,
labels and names.

Hints only; they are asked for what is told, so they may take their time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from generator.dialect.texts import is_single
from generator.grammar.text import fold, is_slug, slugify
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix, did_you_mean
from generator.problems.faults import Loc, Mend


class Known(NamedTuple):
    """A word that there is: its slug, its label or name, and for a tag its family."""

    slug: str
    label: str
    family: str = ""


def slug_for(loc: tuple[str | int, ...], word: str, symbols: Symbols) -> Mend:
    """What to write where a slug is meant: the slug that has this label or name."""
    from generator.model.corrections import without_ending

    word = without_ending(word)
    match loc:
        case ("tags", str(family), int()):
            if family not in symbols.tags:
                family = family_meant(family, symbols) or family
            known = _tags(symbols, family)
            likely = _find(word, known, near=False) or _find(word, _tags(symbols), near=False)
            if likely is not None:
                return _write(likely, loc, sure=likely.family == family, family=family)
            if symbols.tags.get(family):
                return Mend(tag_for(word, family, symbols))
            better = slugify(word)
            sure = family in symbols.tags and is_slug(better) and is_single(word)
            return Mend(None, Fix("value", better, loc) if sure else None)
        case ("category",):
            known, where = _labelled(symbols.categories), "organization_categories"
        case ("type",):
            known, where = _labelled(symbols.program_types), "program_types"
        case ("program",) | ("programs", _):
            known, where = _named(symbols, "programs"), ""
        case ("organization",) | ("organizations", _):
            known, where = _named(symbols, "organizations"), ""
        case ("parent",):
            known, where = _named(symbols, "programs"), ""
            if _find(word, known) is None:
                known = _named(symbols, "organizations")
        case _:
            return Mend(None)
    likely = _find(word, known)
    if likely is not None:
        # Names are not unique, and a slug in capitals is no other record's.
        return _write(likely, loc, sure=likely.slug == slugify(word))
    if where:
        labels = symbols.categories if where == "organization_categories" else symbols.program_types
        return Mend(declared(word, labels, where))
    return Mend(None)


def declared(word: str, known: Mapping[str, str], where: str) -> str:
    """A hint for a slug that registry.yaml does not declare: the nearest by slug or label, else all
    of few, and where they are.
    """
    return _declared(_find(word, _labelled(known)), known, where)


def _declared(likely: Known | None, known: Mapping[str, str], where: str) -> str:
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
    hint: str | None = symbols.memo.get(key)
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
        symbols.memo[key] = hint
    return hint


def family_for(word: str, symbols: Symbols) -> str:
    """A hint for a tag family that is not declared."""
    families = symbols.grammar.tag_families
    return _declared(_family(word, symbols), families, "tag_families")


def family_meant(word: str, symbols: Symbols) -> str | None:
    """The tag family that is nearest to a word, by its key or its label."""
    likely = _family(word, symbols)
    return likely.slug if likely is not None else None


def _family(word: str, symbols: Symbols) -> Known | None:
    key = ("family meant", word)
    if key not in symbols.memo:
        symbols.memo[key] = _find(word, _labelled(symbols.grammar.tag_families))
    likely: Known | None = symbols.memo[key]
    return likely


def _write(likely: Known, loc: Loc, *, sure: bool, family: str = "") -> Mend:
    there = "" if likely.family == family else f", under tags.{likely.family}"
    hint = f'write "{likely.slug}", the slug of "{likely.label}"{there}'
    return Mend(hint, Fix("value", likely.slug, loc) if sure else None)


def _labelled(known: Mapping[str, str], family: str = "") -> dict[str, Known]:
    """Folded label or slug -> what it names; a slug is taken before a label."""
    likely = {fold(label): Known(slug, label, family) for slug, label in known.items()}
    return likely | {slug: Known(slug, label, family) for slug, label in known.items()}


def _named(symbols: Symbols, collection: str) -> dict[str, Known]:
    key = ("words", collection)
    words: dict[str, Known] | None = symbols.memo.get(key)
    if words is None:
        words = symbols.memo[key] = _labelled(
            {slug: target.name for slug, target in symbols.targets(collection).items()}
        )
    return words


def _tags(symbols: Symbols, family: str | None = None) -> dict[str, Known]:
    """The tags that are listed, of one family or of all."""
    key = ("words of tags", family)
    words: dict[str, Known] | None = symbols.memo.get(key)
    if words is None:
        words = {}
        for name in sorted(symbols.tags, reverse=True) if family is None else [family]:
            words |= _labelled(symbols.tags.get(name, {}), name)
        symbols.memo[key] = words
    return words


def _find(word: str, words: Mapping[str, Known], near: bool = True) -> Known | None:
    likely = words.get(fold(word)) or words.get(slugify(word))
    if likely is None and near:
        nearest = did_you_mean(fold(word), words)
        likely = words[nearest] if nearest is not None else None
    return likely
