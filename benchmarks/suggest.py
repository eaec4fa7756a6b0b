"""Measures whether a name is found, or suggested, that was not typed as it is.

    python benchmarks/suggest.py [--projects ''] [--content DIR] [--queries 1000] [--out
    benchmarks/queries.md]

Names are drawn from all that have a word of four letters.  Each gets one typing error in such a
word: two letters that change places, one that is dropped, one that is doubled, or one of a
neighbouring key; others are written apart where they were one word, or together where they were
two.  Writes tables into --out, between two comments; those of other registries, from earlier runs,
stay.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import corpus
import report
from corpus import spread
from reading import Published, published

from generator.text.words import split_words

HERE = Path(__file__).resolve().parent
RESULTS = HERE / ".cache" / "suggest.json"
LEAST = 4  # letters of a word that suggestions are made for
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
#: letter -> its neighbours on a keyboard, in its row and in those above and below.
NEIGHBOURS = {
    letter: "".join(
        other
        for r, row in enumerate(_ROWS)
        for c, other in enumerate(row)
        if other != letter and abs(r - at) <= 1 and abs(c - n) <= 1
    )
    for at, line in enumerate(_ROWS)
    for n, letter in enumerate(line)
}
#: What a name was, where it was not lost.
MEANT = ("found", "suggested")
Error = Callable[[str, random.Random], str | None]


def swapped(word: str, chance: random.Random) -> str | None:
    places = [n for n in range(len(word) - 1) if word[n] != word[n + 1]]
    if not places:
        return None
    n = chance.choice(places)
    return word[:n] + word[n + 1] + word[n] + word[n + 2 :]


def dropped(word: str, chance: random.Random) -> str | None:
    n = chance.randrange(len(word))
    return word[:n] + word[n + 1 :]


def doubled(word: str, chance: random.Random) -> str | None:
    n = chance.randrange(len(word))
    return word[: n + 1] + word[n:]


def beside(word: str, chance: random.Random) -> str | None:
    places = [n for n, letter in enumerate(word) if letter in NEIGHBOURS]
    if not places:
        return None
    n = chance.choice(places)
    return word[:n] + chance.choice(NEIGHBOURS[word[n]]) + word[n + 1 :]


ERRORS: dict[str, Error] = {
    "two letters swapped": swapped,
    "one dropped": dropped,
    "one doubled": doubled,
    "a neighbouring key": beside,
}


def mistyped(name: list[str], error: Error, chance: random.Random) -> str | None:
    long = [n for n, word in enumerate(name) if len(word) >= LEAST]
    if not long:
        return None
    n = chance.choice(long)
    word = error(name[n], chance)
    return None if word in (None, name[n]) else " ".join([*name[:n], str(word), *name[n + 1 :]])


def apart(name: list[str], chance: random.Random) -> str | None:
    """One word as two, each of two letters or more."""
    if len(name) != 1 or len(name[0]) < LEAST or not name[0].isalpha():
        return None
    at = chance.randrange(2, len(name[0]) - 1)
    return f"{name[0][:at]} {name[0][at:]}"


def together(name: list[str], chance: random.Random) -> str | None:
    return "".join(name) if len(name) == 2 and len("".join(name)) >= LEAST else None


def cases(names: list[tuple[str, str]], kind: str, count: int) -> Iterator[tuple[str, str, str]]:
    """(slug, the words of its name, what is typed): so many, or as many as there are."""
    chance = random.Random(f"{corpus.SEED}/{kind}")
    for slug, name in chance.sample(names, len(names)):
        held = split_words(name)
        if kind == "a typing error":
            typed = mistyped(held, chance.choice([*ERRORS.values()]), chance)
        else:
            typed = (apart if kind == "written apart" else together)(held, chance)
        if typed is not None and len(split_words(typed)) <= 8 and count:
            count -= 1
            yield slug, " ".join(held), typed


def asked(site: Published, slug: str, name: str, typed: str) -> tuple[str, int, int]:
    """Whether it is `found` outright, `suggested`, or `others` are found in its place, or nothing;
    how many bytes more that took, as they lie there and as a host sends them.
    """
    answer = site.ask(f"/api/projects?mode=page&q={quote(typed)}")
    document = answer.document or {"data": [], "suggestions": []}
    raw, sent = map(
        sum, zip((0, 0), *(site.sizes(p) for p in answer.paths if "/spell/" in p), strict=True)
    )
    if slug in [row["slug"] for row in document["data"]]:
        return "found", raw, sent
    said = [" ".join(split_words(text)) for text in document["suggestions"]]
    if document["data"]:
        return "others", raw, sent
    return "suggested" if name in said else "", raw, sent


def measured(registry: int | Path, count: int) -> dict[str, Any]:
    found: dict[str, Any] = {"kinds": {}}
    with published(registry) as site:
        names = [(row["slug"], row["name"]) for row in site.rows()]
        found["records"] = len(names)
        for kind in ("a typing error", "written apart", "written together"):
            told = [asked(site, *case) for case in cases(names, kind, count)]
            found["kinds"][kind] = told
            print(
                f"  {kind}: {sum(how in MEANT for how, _, _ in told)} of {len(told)}",
                file=sys.stderr,
            )
    return found


def rendered(results: dict[str, Any]) -> str:
    lines: list[str] = []
    for title, result in results.items():
        rows = []
        for kind, told in result["kinds"].items():
            outright, said, others = (
                sum(how == w for how, _, _ in told) for w in ("found", "suggested", "others")
            )
            more = [
                [size / 1000 for size in column]
                for column in zip(*((r, s) for _, r, s in told if r), strict=True)
            ]
            rows.append(
                [
                    kind,
                    report.number(len(told)),
                    f"{outright / len(told):.1%}",
                    f"{said / len(told):.1%}",
                    f"{(outright + said) / len(told):.1%}",
                    f"{others / len(told):.1%}",
                    *([spread(column) for column in more] or ["–", "–"]),
                ]
            )
        head = [
            "name",
            "asked",
            "found outright",
            "suggested",
            "either",
            "others found",
            "KB of words",
            "KB sent",
        ]
        lines += [f"### {title}", "", *report.table(head, rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    corpus.command(__doc__, "suggestions", measured, rendered, RESULTS)
