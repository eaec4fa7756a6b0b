"""Tags of an open family that are hardly two: singular and plural, with and without a hyphen, two
spellings.  They may be, so this only warns: once for each, at the first record that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from generator.model.checks import Known, Where
from generator.problems import one_edit
from generator.problems.faults import Fault

_SINGULAR = (
    ("(?<=[a-z]{2})ies$", "y"),
    ("(?<=ch|sh|ss)es$|(?<=x)es$", ""),
    ("(?<=[a-z]{3})(?<![sui])(?<!^new)s$", ""),
)
#: As they are spelled in Britain -> in America.
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


@cache
def _rules() -> list[tuple[list[tuple[re.Pattern[str], str]], int]]:
    """Each set of rules, and how many of them change a word at most; compiled when first asked for,
    which a build of a few changes seldom does.
    """
    return [
        ([(re.compile(pattern), put) for pattern, put in rules], most)
        for rules, most in ((_SINGULAR, 1), (_SPELLING, len(_SPELLING)))
    ]


def form(tag: str) -> str:
    """What tags have in common that differ by a hyphen, by number or by spelling."""
    words = []
    for word in tag.split("-"):
        for rules, most in _rules():
            for pattern, put in rules:
                shorter = pattern.sub(put, word)
                most -= shorter != word
                word = shorter
                if not most:
                    break
        words.append(word)
    return "".join(words)


def alike(uses: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """(tag, the one that is more used) of tags, with how many records use each."""
    by_form: dict[str, list[str]] = {}
    for tag in uses:
        by_form.setdefault(form(tag), []).append(tag)
    ranked = {key: sorted(tags, key=lambda tag: (-uses[tag], tag)) for key, tags in by_form.items()}
    for first, *others in ranked.values():
        yield from ((other, first) for other in others)
    firsts = [("", tags[0]) for tags in ranked.values() if len(tags[0]) > one_edit.SHORTEST]
    for (_, one), (_, two) in one_edit.pairs(firsts, firsts):
        if (uses[one], two) < (uses[two], one) and form(one) != form(two):
            yield one, two


def listed(families: Mapping[str, Mapping[str, str]]) -> Iterator[Fault]:
    """What is wrong with the tags that registry.yaml lists, by family."""
    for family, tags in families.items():
        for tag, other in sorted(alike(dict.fromkeys(tags, 0))):
            loc = ("tag_families", family, "tags", tag)
            what = f'{family}: "{tag}" looks like the same tag as "{other}"'
            hint = "if they mean the same, keep only one of them"
            yield Fault("similar-tag", what, loc, hint, on_key=True, severity="warning")


def check_registry(known: Mapping[str, Known], where: Where) -> Iterator[tuple[str, str, Fault]]:
    for collection, names in known.items():
        families: dict[str, dict[str, int]] = {}
        for slice_, members in names.uses.members.items():
            key, _, tag = slice_.partition("/")
            if key.startswith("tag_") and key[4:] in names.open and len(members):
                families.setdefault(key[4:], {})[tag] = len(members)
        for family, uses in families.items():
            for tag, other in sorted(alike(uses)):
                slug = names.uses.first(f"tag_{family}/{tag}")
                loc = ("tags", family)
                what = (
                    f'tags.{family}: "{tag}" ({_records(uses[tag])}) looks like the same tag as '
                    f'"{other}" ({_records(uses[other])})'
                )
                hint = f'if they mean the same, write "{other}" everywhere'
                yield (
                    collection,
                    slug,
                    Fault("similar-tag", what, loc, hint, severity="warning", item=tag),
                )


def _records(count: int) -> str:
    return f"{count:,} record{'s' * (count != 1)}"
