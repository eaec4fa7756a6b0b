"""Finds the slug that an author probably meant, among slugs, labels and names.

Used only for hints and fixes of faults, so it may be slow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.dialect.strays import strip_extension
from generator.kinds.declare import Field
from generator.kinds.types import fold_website
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix, nearest_word
from generator.problems.faults import Loc, Remedy
from generator.problems.one_edit import differ_by_one_edit
from generator.text.characters import is_single, split_commas
from generator.text.words import fold, is_slug, slugify


class SlugMatch(NamedTuple):
    """A slug with its label or name; `family` is the family of a tag, else ""."""

    slug: str
    label: str
    family: str = ""


def suggest_slug(loc: Loc, word: str, symbols: Symbols) -> Remedy:
    """The mend for an invalid slug: the slug whose label or name is `word`."""
    word, kinds = strip_extension(word), symbols.grammar.kinds
    match loc:
        case ("tags", str(family), int()):
            return _mend_tag(loc, word, family, symbols)
        case _ if collections := kinds.targets_of([p for p in loc if isinstance(p, str)]):
            return _mend_reference(loc, word, collections, symbols)
        case (str(field),) if field in kinds.vocabularies:
            of = kinds.vocabularies[field]
        case _:
            return Remedy(None)
    labels = symbols.vocabulary(of.name)
    found = _find(word, _by_word(labels))
    if found is not None:
        return _mend(found, loc, sure=found.slug == slugify(word))
    return Remedy(_hint(None, labels, of.setting))


def describe_slug(field: Field) -> str:
    """What a field of slugs takes, in words; "" for another field."""
    if field.refers:
        return f"the slug of a record in {field.refers}/, its file name without .yaml"
    of = field.vocabulary
    return f"one of {of.setting} in registry.yaml" if of else ""


def _mend_reference(loc: Loc, word: str, collections: tuple[str, ...], symbols: Symbols) -> Remedy:
    """The mend for a name or a website in the place of a slug; a similar name is another record."""
    known = symbols.grammar.kinds
    last = strip_extension(word.strip("/").rpartition("/")[2])  # of an address, or of a path
    for collection in collections:
        if last != word and last in symbols.targets(collection):
            return Remedy(f'write only the slug: "{last}"', Fix("value", last, loc))
        found = _find(word, _by_name(symbols, collection), near=False)
        if found is not None:
            # Names are not unique, so a fix is safe only if the folded word is the slug.
            return _mend(found, loc, sure=found.slug == slugify(word))
        website = fold_website(word if "://" in word else f"https://{word}")
        slug = symbols.websites.get(collection, {}).get(website)
        if slug is not None:
            hint = f'write "{slug}", the {known[collection].noun} with this website'
            return Remedy(hint, Fix("value", slug, loc))
    kinds = " or ".join(known[collection].noun for collection in collections)
    if "://" in word:
        return Remedy(f"write the slug of the {kinds}, not its address")
    if ";" in word and len(loc) > 1:
        items = ", ".join(part.strip() for part in word.split(";"))
        return Remedy(f"put commas between the items: [{items}]")
    slug = slugify(word)
    if not is_slug(slug) or len(collections) > 1:
        return Remedy(f"write the slug of the {kinds}, its file name without .yaml")
    return Remedy(f'there is no {kinds} "{slug}": {suggest_reference(slug, collection, symbols)}')


def suggest_reference(slug: str, collection: str, symbols: Symbols) -> str:
    """A hint for a slug that no record of a collection has: one that differs by a slip."""
    for other in symbols.grammar.kinds.referred:
        if other != collection and slug in symbols.targets(other):
            return f'"{slug}" is in {other}/, not in {collection}/'
    add = f"add {collection}/{slug}.yaml, or remove the reference"
    near = [known for known in symbols.targets(collection) if differ_by_one_edit(slug, known)]
    return f'did you mean "{near[0]}"? If not, {add}' if len(near) == 1 else add


def _mend_tag(loc: Loc, word: str, family: str, symbols: Symbols) -> Remedy:
    if family not in symbols.tags:
        family = guess_family(family, symbols) or family
    in_family = _by_tag(symbols, family)
    match = _find(word, in_family, near=False) or _find(word, _by_tag(symbols), near=False)
    if match is not None:
        return _mend(match, loc, sure=match.family == family, family=family)
    if symbols.tags.get(family):
        return Remedy(suggest_tag(word, family, symbols))
    slug = slugify(word)
    sure = family in symbols.tags and is_slug(slug) and is_single(word)
    return Remedy(None, Fix("value", slug, loc) if sure else None)


def sort_tags(words: Any, symbols: Symbols) -> Remedy | None:
    """The mend for tags without their families, if each is listed in one family."""
    from generator.dialect.values import flow  # loads libyaml

    if isinstance(words, str):
        words = split_commas(words)
    tags: dict[str, list[str]] = {}
    for word in words if isinstance(words, list) else ():
        found = [_find(str(word), _by_tag(symbols, family), near=False) for family in symbols.tags]
        matches = [match for match in found if match is not None]
        if len(matches) != 1:
            return None
        tags.setdefault(matches[0].family, []).append(matches[0].slug)
    if not tags:
        return None
    return Remedy(f"write tags: {flow(tags)}", Fix("value", tags, ("tags",)))


def suggest_declared(word: str, labels: Mapping[str, str], setting: str) -> str:
    """A hint for a slug that a setting does not list: the nearest slug, or all of a short list."""
    return _hint(_find(word, _by_word(labels)), labels, setting)


def _hint(match: SlugMatch | None, labels: Mapping[str, str], setting: str) -> str:
    if match is not None:
        return (
            f'did you mean "{match.slug}" ({match.label})? '
            f"All are listed in registry.yaml, under {setting}"
        )
    if not labels:
        return f"add it to registry.yaml, under {setting}, which is empty"
    if len(labels) > 12:
        return f"choose one that registry.yaml lists under {setting}, or add it there"
    return f"one of: {', '.join(sorted(labels))}; or add it to registry.yaml, under {setting}"


def suggest_tag(word: str, family: str, symbols: Symbols) -> str:
    """A hint for a tag that its closed family does not list."""
    return symbols.cached(("meant", family, word), lambda: _tag_hint(word, family, symbols))


def _tag_hint(word: str, family: str, symbols: Symbols) -> str:
    in_family, in_all = _by_tag(symbols, family), _by_tag(symbols)
    match = _find(word, in_family, near=False) or _find(word, in_all, near=False)
    match = match or _find(word, in_family) or _find(word, in_all)
    if match is None or match.family == family:
        return suggest_declared(word, symbols.tags[family], f"tag_families.{family}.tags")
    return (
        f'did you mean "{match.slug}" ({match.label}) of the family "{match.family}"? '
        f"Write it under tags.{match.family}"
    )


def suggest_family(word: str, symbols: Symbols) -> str:
    """A hint for a tag family that is not declared."""
    if not symbols.grammar.tag_families:
        return f"declare it in registry.yaml: tag_families: {{{word}: {{label: …}}}}"
    return _hint(_find_family(word, symbols), symbols.grammar.tag_families, "tag_families")


def guess_family(word: str, symbols: Symbols) -> str | None:
    """The key of the tag family whose key or label is nearest to a word."""
    match = _find_family(word, symbols)
    return match.slug if match is not None else None


def _find_family(word: str, symbols: Symbols) -> SlugMatch | None:
    families = symbols.grammar.tag_families
    return symbols.cached(("family meant", word), lambda: [_find(word, _by_word(families))])[0]


def _mend(match: SlugMatch, loc: Loc, *, sure: bool, family: str = "") -> Remedy:
    place = "" if match.family == family else f", under tags.{match.family}"
    hint = f'write "{match.slug}", the slug of "{match.label}"{place}'
    return Remedy(hint, Fix("value", match.slug, loc) if sure else None)


def _by_word(labels: Mapping[str, str], family: str = "") -> dict[str, SlugMatch]:
    """Slug or folded label -> slug and label.  Slugs win over labels."""
    slugs = {slug: SlugMatch(slug, label, family) for slug, label in labels.items()}
    return {fold(known.label): known for known in slugs.values()} | slugs


def _by_name(symbols: Symbols, collection: str) -> dict[str, SlugMatch]:
    def make() -> dict[str, SlugMatch]:
        targets = symbols.targets(collection)
        return _by_word({slug: target.name for slug, target in targets.items()})

    return symbols.cached(("words", collection), make)


def _by_tag(symbols: Symbols, family: str | None = None) -> dict[str, SlugMatch]:
    """The listed tags of one family, or of all families."""
    families = sorted(symbols.tags, reverse=True) if family is None else [family]
    return symbols.cached(
        ("words of tags", family),
        lambda: {
            word: known
            for name in families
            for word, known in _by_word(symbols.tags.get(name, {}), name).items()
        },
    )


def _find(word: str, words: Mapping[str, SlugMatch], near: bool = True) -> SlugMatch | None:
    """The slug with this slug or label; with `near`, else the nearest."""
    match = words.get(fold(word)) or words.get(slugify(word))
    if match is None and near:
        nearest = nearest_word(fold(word), words)
        match = words[nearest] if nearest is not None else None
    return match
