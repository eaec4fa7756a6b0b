"""A tag belongs to a declared family and, if the family is closed, is in its list.

Warns about tags of an open family that are probably the same: singular and plural, with and without
a hyphen, in British and American spelling, or one edit apart.  A warning is at the first record
with the less frequent tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from generator.grammar.filters import Facet
from generator.model.checks import CollectionRecords, PathOf, RecordFault
from generator.model.kind import Kind
from generator.model.suggestions import guess_family, suggest_family, suggest_tag
from generator.model.symbols import Symbols
from generator.problems import one_edit
from generator.problems.diagnostic import Cause, Diagnostic
from generator.problems.faults import Fault
from generator.text.words import is_slug

_MAX_GUESSES = 5  # undeclared families of a record for which the intended one is searched


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterable[Fault]:
    return check_tags(record.tags, symbols) if record.tags is not None else ()


def check_tags(tags: Any, symbols: Symbols) -> Iterator[Fault]:
    """The faults of tags as a file has them; they may have another type than a model allows.

    The tags of an undeclared family are checked against the family that was probably meant.
    """
    if not isinstance(tags, dict) or "tag_families" in symbols.unread_settings:
        return
    guesses = 0
    for family, values in tags.items():
        meant: str | None = family
        if family not in symbols.tags:
            guesses += 1
            meant = guess_family(family, symbols) if guesses <= _MAX_GUESSES else None
            message = f'tags: there is no tag family "{family}"'
            hint = partial(suggest_family, family, symbols)
            cause = Cause("registry.yaml", f'tag family "{family}"', ("tag_families",))
            loc = ("tags", family)
            yield Fault("unknown-tag-family", message, loc, hint, on_key=True, cause=cause)
        if meant in symbols.closed_families and isinstance(values, list):
            for i, tag in enumerate(values):
                if isinstance(tag, str) and tag not in symbols.tags[meant] and is_slug(tag):
                    missing = f'tag "{tag}" in the family "{meant}"'
                    message = f"tags.{family}[{i}]: there is no {missing}"
                    hint = partial(suggest_tag, tag, meant, symbols)
                    cause = Cause("registry.yaml", missing, ("tag_families", meant, "tags", tag))
                    yield Fault("unknown-tag", message, ("tags", family, i), hint, cause=cause)


def name_open_families(
    problems: Iterable[Diagnostic], uses: Sequence[Mapping[Facet, Sequence[int]]], symbols: Symbols
) -> Iterator[Diagnostic]:
    """The problems; a tag that no family lists gets the open family in which records have it.
    `uses` are the slices of all collections.
    """
    listed = {tag for tags in symbols.tags.values() for tag in tags}
    families = sorted(symbols.tags.keys() - symbols.closed_families)
    for problem in problems:
        tag = problem.cause.loc[-1] if problem.code == "unknown-tag" and problem.cause else None
        for family in families if tag is not None and tag not in listed else ():
            if any(members.get(Facet(f"tag_{family}", str(tag))) for members in uses):
                hint = f'did you mean "{tag}" of the family "{family}"? Write it under '
                problem = replace(problem, hint=f"{hint}tags.{family}")
                break
        yield problem


_SINGULAR = (
    ("(?<=[a-z]{2})ies$", "y"),
    ("(?<=ch|sh|ss)es$|(?<=x)es$", ""),
    ("(?<=[a-z]{3})(?<![sui])(?<!^new)s$", ""),
)
#: British -> American spelling.
_SPELLING = (
    ("is(?=(?:e|ed|er|ing|ation|ations)$)", "iz"),
    ("ys(?=(?:e|er|ing)$)", "yz"),
    ("(?<=[a-z]{3})our(?=$|al|ed|ing|ful)", "or"),
    ("(?<=[a-z]{3}[bt])re$", "er"),
    ("ogue$", "og"),
    ("(?<=ogram)me$", ""),
    ("(?<=[a-z]{3})ence$", "ense"),
    ("ll(?=(?:ed|er|ing)$)", "l"),
)


def fold_tag(tag: str) -> str:
    """A key that is the same for tags that differ only by hyphens, number or spelling."""
    return "".join(map(_fold_word, tag.split("-")))


@lru_cache(maxsize=1 << 12)
def _fold_word(word: str) -> str:
    singular = (re.sub(pattern, end, word) for pattern, end in _SINGULAR)
    word = next((changed for changed in singular if changed != word), word)
    for pattern, replacement in _SPELLING:
        word = re.sub(pattern, replacement, word)
    return word


def find_similar_tags(uses: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Pairs of (tag, similar tag with more uses), for tags with their number of records."""
    by_form: dict[str, list[str]] = {}
    for tag in uses:
        by_form.setdefault(fold_tag(tag), []).append(tag)
    ranked = [sorted(tags, key=lambda tag: (-uses[tag], tag)) for tags in by_form.values()]
    for first, *others in ranked:
        yield from ((other, first) for other in others)
    firsts = [("", tags[0]) for tags in ranked if len(tags[0]) > one_edit.MIN_LENGTH]
    for (_, tag), (_, other) in one_edit.one_edit_pairs(firsts, firsts):
        if (uses[tag], other) < (uses[other], tag) and fold_tag(tag) != fold_tag(other):
            yield tag, other


def check_listed_tags(families: Mapping[str, Mapping[str, str]]) -> Iterator[Fault]:
    """The similar tags among those that registry.yaml lists: family -> tag -> label."""
    for family, tags in families.items():
        for tag, other in sorted(find_similar_tags(dict.fromkeys(tags, 0))):
            loc = ("tag_families", family, "tags", tag)
            message = f'{family}: "{tag}" looks like the same tag as "{other}"'
            hint = (
                "if they mean the same, keep only one of them; if not, write accept: {similar-tag: "
                "REASON}"
            )
            yield Fault("similar-tag", message, loc, hint, on_key=True, severity="warning")


def check_registry(
    collections: Mapping[str, CollectionRecords], path_of: PathOf
) -> Iterator[RecordFault]:
    for collection, records in collections.items():
        families: dict[str, dict[str, int]] = {}
        for part, members in records.members.items():
            key, tag = part
            if key.startswith("tag_") and key[4:] in records.open_families and len(members):
                families.setdefault(key[4:], {})[tag] = len(members)
        for family, uses in families.items():
            for tag, other in sorted(find_similar_tags(uses)):
                slug = records.first_slug(Facet(f"tag_{family}", tag))
                message = (
                    f'tags.{family}: "{tag}" ({_records(uses[tag])}) looks like the same tag as '
                    f'"{other}" ({_records(uses[other])})'
                )
                hint = (
                    f'if they mean the same, write "{other}" everywhere; if not, write accept: '
                    "[similar-tag]"
                )
                loc = ("tags", family)
                fault = Fault("similar-tag", message, loc, hint, severity="warning", item_slug=tag)
                yield RecordFault(collection, slug, fault)


def _records(count: int) -> str:
    return f"{count:,} record{'s' * (count != 1)}"
