"""Query URLs: a fixed list, and queries drawn from the records of a build."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from urllib.parse import quote, quote_plus

from support.brute import Brute, Collection
from support.tokens import words

#: q, for the projects of writings.py: composed and decomposed accents, marks in another order,
#: sharp s, Turkish i, sigmas, ligatures; other scripts with whole words, prefixes and infixes;
#: numbers, signs; a few letters; empty.
_WORDS = """
    café cafe CAFE\u0301 façade Ą\u0301 a\u0301\u0328 o\u0308 köln été ete
    straße STRASSE ẞ ss stras istanbul İSTANBUL ıstanbul ısı isik ISIK ışık Σίσυφος σισυφοσ ΣΙΣΥΦΟΣ
    οδυσσευς ᾳ αι ﬁnance finance ﬂo ǆ dž ĳ ſt ﬆ straight
    東京 東京スカイ 東京スカイツリー スカイ 日本語 日本語の検索 𠮷野家 𠮷 𠮷野 パソコン ハソコン ﾊﾟｿ
    ABC123 abc ド شركة شَرِكَة الذكاء الذ ١٢٣ 123 ﻻ لا ﷺ שלום שָׁלוֹם हिन्दी हिन खोज कार्यक्रम क
    ภาษาไทย ภาษ น้ำ 한국어 한 한국 하 검색 ёлка елка йод ѣ Ѣ вос ᏣᎳᎩ ꮳꮃꭹ ꮳꮃ ᏸᏹ ᏰᏱ საქართველო ᲡᲐᲥ 𐐔𐐯𐑅
    𐐼𐐯𐑅 𝐑𝐨𝐛𝐨𝐭 robot 𞤢𞤣 𞤀 x² x2 ½ 1⁄2 1 viii Ⅷ № no ٤٢ ४२ 42 〇 007 00 c++ c# c snake_case a-b_c d·e
    f\u00adg h\u2060i \ufeffcafé a x ü u é b 字 7 am amb ambe amber amberl ambers cedar ranked mer
    nothinglikethis amberlikeit
"""
#: With spaces and characters that addresses or JSON escape; eight words; 200 characters.
_TEXTS = [
    "creme brulee", "صلى الله", "snake case", "🤖 robot", "❤️ lab", "tab\tand", "line\nand",
    "\x00 tab", "tab\x7f", "\u2028 line", "\u2029 tab", '"tab" \\ and', "it's tab!()*~",
    "tab & line = and?", "%41 tab", "tab\U0010ffff", "\ufffd tab", "amber amber",
    "AMBER amber Amber", "amber cedar", "cedar amber", "ranked amber", "old amber", "amber stone",
    "amber nothinglikethis", "s o l a r g r i", "solar robot grid heat pump ocean wave quantum",
    "amber " * 8, "solar" + " " * 195, "a" * 200, "é" * 200,
]  # fmt: skip

#: The rest of a query after `q=`: refused parameters, and pages that exist or not.
_RAW = """
    %E9 % %zz %4 %ff%4 - + %20 %CC%81 _ %F0%9F%A4%96 a+b+c+d+e+f+g+h+i amber&sort=height
    amber&sort=starts amber&page=0 amber&page=99 amber&page=2 solar&page=999999999 amber&year=24
    amber&year=1801 amber&year=1801&status=active amber&status=active&year=1801 amber&tag_topic=void
    amber&q=amber amber&upcoming=true amber&limit=5 amber& amber&sort= amber&sort=relevance
    amber&sort=name amber&sort=-year ranked+amber caf%c3%a9 it's!()*~tab amber%2bstone a.b-c~d
"""
_TARGETS = """
    projects?mode=page&tag_topic=void&status=public
    projects?mode=page&tag_topic=void&status=public&page=2
    projects?mode=page&status=active&remote=true projects?mode=page&year=2024&sort=relevance
    projects?mode=page&organization=nobody&program=program-1
    projects?mode=page&program=program-1&organization=nobody
    projects?mode=page&location=us&location=no calendar/events?mode=page&upcoming=true&kind=deadline
    calendar/events?mode=page&upcoming=true&kind=event
    calendar/events?mode=page&q=call&upcoming=false
    calendar/events?mode=page&q=call&sort=starts&page=2
    calendar/events?mode=page&upcoming=true&year=2027&sort=starts
"""


def written() -> list[str]:
    texts = [quote(text, safe="") for text in (*_WORDS.split(), *_TEXTS)]
    asked = [
        f"/api/projects?mode=page&q={text}"
        for text in (*texts, *_RAW.split(), "a" * 201, "%C3%A9" * 201)
    ]
    asked += [f"{target}&sort=-year" for target in asked[: len(texts) : 7]]
    asked += [f"{target}&status=active" for target in asked[: len(texts) : 5]]
    return [*dict.fromkeys(asked), *(f"/api/{target}" for target in _TARGETS.split())]


def searches() -> list[str]:
    """Searches over all collections, some of them refused."""
    texts = [quote(text, safe="") for text in (*_WORDS.split()[::3], *_TEXTS)]
    texts += ["call", "house", "programme", "kobot", "solra", "ambre+cedra", "pum", "org"]
    return [f"/api/search?q={text}" for text in (*texts, *_RAW.split(), "a" * 201)]


def drawn(brute: Brute, number: int, seed: int, roots: Mapping[str, int]) -> Iterator[str]:
    """Allowed queries without a prepared page, drawn from the records: values, ranges around them,
    words and prefixes; lists and counts.

    `roots` are the lists, each with its weight.
    """
    rng = random.Random(seed)
    texts = {
        root: {slug: sorted(record.levels) for slug, record in brute.lists[root].found.items()}
        for root in roots
    }
    while number:
        root = rng.choices([*roots], [*roots.values()])[0]
        part = brute.lists[root]
        slug = rng.choice([*part.rows])
        names = rng.sample([*part.filters], len(part.filters))[: rng.choice((0, 1, 1, 2, 3))]
        asked = {name: text for name in names if (text := _constraint(rng, part, name, slug))}
        if rng.random() < 0.6:
            held = texts[root][slug]
            found = rng.sample(held, min(len(held), rng.choice((1, 1, 2, 4))))
            cut = [
                word[: rng.randint(1, len(word))] if rng.random() < 0.5 else word for word in found
            ]
            # The first half of a pair of letters may be a sign alone, which is not a word.
            cut = [some if words(some) else word for some, word in zip(cut, found, strict=True)]
            asked["q"] = " ".join(cut)
        if rng.random() < 0.35:
            asked |= {"mode": "count"} | _by(rng, part)
        else:
            asked["mode"] = "page"
            if rng.random() < 0.3:
                asked["sort"] = rng.choice(part.sorts)
            if brute.is_prepared(part, asked):
                continue
        order = rng.sample([*asked], len(asked))
        target = f"{root}?" + "&".join(f"{name}={quote_plus(asked[name], ',:')}" for name in order)
        if asked["mode"] == "page":
            pages = brute.answer(target)["page"]["total_pages"]
            page = rng.choice((1, 1, pages, rng.randint(1, pages)))
            target += f"&page={page}" * (page > 1)
        yield target
        number -= 1


def _constraint(rng: random.Random, part: Collection, name: str, slug: str) -> str | None:
    """A constraint on a filter that the record, or another record, satisfies, in its echoed
    spelling.
    """
    if name == "upcoming":
        return "true"
    mine = part.values(name)[slug]
    if not mine:
        return None
    if part.is_range(name) and rng.random() < (0.4 if part.listed(name) else 0.8):
        low, high = sorted((mine[0], rng.choice(part.known(name))), key=part.key(name))
        return rng.choice((f"{low}..{high}", f"{low}..", f"..{high}"))
    others = rng.sample(part.known(name), min(len(part.known(name)), rng.choice((1, 2, 4))))
    how, values = rng.choice((("", mine[:1]), ("", mine[:1]), ("", {*mine[:3], *others}),
                              ("all:", mine[:10]), ("not:", others)))  # fmt: skip
    return how * (len(values) > 1 or how == "not:") + ",".join(sorted(values))


def _by(rng: random.Random, part: Collection) -> dict[str, str]:
    """Up to three filters to count by, some limited to values with similar labels."""
    names = rng.sample([f for f in part.filters if f != "upcoming"], rng.choice((0, 1, 1, 2, 3)))
    if not names:
        return {}
    known = part.known(names[0])
    if not known or rng.random() < 0.7:
        return {"by": ",".join(names)}
    value = rng.choice(known)
    word = rng.choice(words(f"{value} {part.labels.get((names[0], value), '')}"))
    return {"by": ",".join(names), "like": word[: rng.randint(1, len(word))]}
