"""A registry in many scripts, with words to rank, and enough projects for several pages, files of a
few rows and blocks of pages.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from support import commands, registries

SIZE = 20
_STEMS = """solar robot grid heat pump ocean wave quantum yeast drone copper lattice meadow signal
harbor kernel ember falcon cobalt prairie""".split()  # noqa: SIM905
_ENDS = ["", "s", "ics", "ation", "works", "lab"]

#: slug -> fields.  The order of marks does not matter; the letters do.
SCRIPTS: dict[str, dict[str, Any]] = {
    "cafe-noir": {"name": "Café Noir", "summary": "Crème brûlée, naïve façade."},
    "cafe-parts": {
        "name": "Cafe\u0301 in parts",
        "description": "A\u0328\u0301 o\u0308 in one order, a\u0301\u0328 in another.",
    },
    "strasse": {
        "name": "Straße Neun",
        "summary": "STRASSE, ẞ and ß.",
        "locations": [{"country": "DE", "city": "Köln"}],
    },
    "tokyo": {
        "name": "東京スカイツリー",
        "summary": "日本語の検索 𠮷野家",
        "tags": {"script": ["kanji"]},
    },
    "half": {"name": "ﾊﾟｿｺﾝ ＡＢＣ１２３", "summary": "ﾄﾞ ド"},
    "arabic": {"name": "شركة الذكاء", "summary": "شَرِكَةٌ مُشْكَلَة ١٢٣", "description": "ﷺ ﻻ"},
    "hebrew": {"name": "שָׁלוֹם עולם"},
    "hindi": {"name": "हिन्दी खोज", "summary": "कार्यक्रम"},
    "thai": {"name": "ภาษาไทย น้ำ"},
    "hangul": {"name": "한국어 검색", "summary": "\u1112\u1161\u11ab"},
    "ligature": {"name": "ﬁnance ﬂow ǆ ĳ", "summary": "ſtraight st ﬆ"},
    "istanbul": {"name": "İstanbul IŞIK ısı", "summary": "istanbul ISTANBUL"},
    "sisyphus": {"name": "ΣΊΣΥΦΟΣ", "summary": "σίσυφος ὈΔΥΣΣΕΎΣ ᾳ ᾼ"},
    "cyrillic": {"name": "ЁЛКА Йод", "summary": "ᲀᲂᲃ ѣ Ѣ ᲇ"},
    "cherokee": {"name": "ᏣᎳᎩ", "summary": "ꮳꮃꭹ ᏸᏹ Ᏸ"},
    "georgian": {"name": "ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ საქართველო"},
    "deseret": {"name": "𐐔𐐯𐑅𐐨𐑉𐐯𐐻 𝐑𝐨𝐛𝐨𝐭 𞤀𞤁"},
    "numbers": {"name": "x² ½ Ⅷ ⅷ № ① ٤٢ ४२ 〇", "summary": "3D 4th 007"},
    "signs": {
        "name": "C++ & C# / snake_case",
        "summary": "a-b_c.d·e’f\u00adg\u200bh\u2060i",
        "description": "tab\tand\nline",
    },
    "emoji": {"name": "🤖 Robot ❤️ Lab", "summary": "👩🏽\u200d🔬"},
    "short": {"name": "A X Ü", "summary": "b é 7 字"},
}
#: The word "amber" in every field, whole and as a prefix.
RANKED: dict[str, dict[str, Any]] = {
    "rank-name-b": {"name": "Zebra amber"},
    "rank-name-a": {"name": "Amber one", "summary": "amber", "description": "amber"},
    "rank-former": {"name": "Ranked formerly", "former_names": ["Old Amber"]},
    "rank-prefix": {"name": "Ranked amberlike"},
    "rank-summary": {"name": "Ranked summary", "summary": "Of amber."},
    "rank-tag": {"name": "Ranked tag", "tags": {"topic": ["stone"]}},
    "rank-both": {"name": "Ranked both", "summary": "amber", "description": "Ambers."},
    "rank-late": {"name": "Ranked description", "description": "At last, amber."},
    "rank-two": {"name": "Cedar", "description": "amber"},
    "rank-other": {"name": "Amber again", "summary": "cedar"},
    "rank-third": {"name": "Amber third", "description": "cedar"},
}


def content() -> dict[str, dict[str, Any]]:
    rng = random.Random(5)

    def some(most: int) -> str:
        return " ".join(rng.choice(_STEMS) + rng.choice(_ENDS) for _ in range(rng.randint(1, most)))

    def made(n: int) -> dict[str, Any]:
        found: dict[str, Any] = {"name": f"{some(2)} {n}".title(), "summary": some(6)}
        if rng.random() < 0.5:
            found["description"] = some(20)
        if rng.random() < 0.9:
            found["year"] = rng.randint(2010, 2026)
        found["status"] = rng.choice(("active", "active", "acquired", "inactive"))
        found["tags"] = {
            "topic": rng.sample(["sea", "stone", "sky"], rng.randint(0, 2)),
            "script": rng.sample(["kanji", "runes"], 1),
        }
        found["programs"] = rng.sample([f"program-{p}" for p in range(30)], rng.randint(0, 2))
        found["remote"] = rng.random() < 0.3
        if rng.random() < 0.6:
            country, city = rng.choice(
                [("US", "Boston"), ("US", "Denver"), ("NO", "Tromsø"), ("JP", "Ōsaka")]
            )
            found["locations"] = [{"country": country, "city": city}]
        return found

    return {
        "registry": {
            "name": "Writings", "description": "Scripts, ranks and many pages.", "page_size": SIZE,
            "tag_families": {
                "topic": {"label": "Topic", "tags": {"sea": "Mer d’été", "stone": "Amber & stone",
                                                     "sky": "Sky", "void": "Void"}},
                "script": {"label": "Script"},
            },
            "organization_categories": {"school": "School", "fund": "Fund", "none": "None"},
            "program_types": {"course": "Course", "prize": "Prize"},
        },
        "organizations": {
            f"org-{n}": {"name": f"{some(1).title()} House {n}",
                         "category": ("school", "fund")[n % 2], "tags": {"topic": ["sea"]}}
            for n in range(40)
        },
        "programs": {
            f"program-{n}": {"name": f"{some(2).title()} Programme {n}",
                             "kind": "program" if n % 3 else "cohort", "type": "course",
                             "organization": f"org-{n % 7}",
                             **({"parent": f"program-{n // 2}"} if n > 9 else {}),
                             **({"year": 2000 + n} if n % 4 else {})}
            for n in range(60)
        },
        "projects": {**SCRIPTS, **RANKED, **{f"made-{n}": made(n) for n in range(700)}},
        "events": {
            f"event-{n}": {"name": f"{some(2).title()} Call {n}", "kind": "deadline",
                           "due": f"20{20 + n % 10}-0{1 + n % 9}-11",
                           "program": f"program-{n % 5}", "summary": some(4)}
            for n in range(90)
        },
    }  # fmt: skip


def build(folder: Path, host: str) -> Path:
    made = registries.write(folder / "content", content())
    return commands.build(made, folder / "out", "--as-of", commands.TODAY, "--host", host)
