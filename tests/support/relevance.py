"""Words and scores of records, computed from docs/search.md without code of the package."""

from __future__ import annotations

import bisect
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pycountry

from support.tokens import all_words, name_words, words

#: The minimum ratios of the levels, in hundredths, starting with the first level; smaller ratios
#: have the last level.
BOUNDS = (1900, 1400, 1030, 760, 560, 410, 300, 220, 165)
WHOLE = (211, 208, 203, 198, 191, 182, 172, 159, 145, 129)


class Found:
    """The words of a record: `levels` of all its words, `names` the sets of words of its name as
    written and split at capitals.
    """

    def __init__(self, data: Mapping[str, Any], labels: Mapping[tuple[str, str], str]):
        ways, _ = name_words(data["name"])
        self.name = as_written(data["name"])
        weights, length = Counter[str](), 0
        names = [(16, name_words(data["name"]))]
        names += [(10, name_words(former)) for former in data.get("former_names", [])]
        for weight, (written, more) in names:
            once = {word for way in (*written, more) for word in way}
            weights.update(dict.fromkeys(once, weight))
            length += len(once)
        tags = [labels[family, tag] for family, held in data["tags"].items() for tag in held]
        places = [place[part] for place in data.get("locations", []) for part in ("region", "city")]
        named = [one["name"] for one in references(data)]
        labels_of_fields = countries(data) + statuses(data)
        for weight, texts in ((7, tags), (6, [data["summary"]]), (4, places), (2, named),
                              (2, labels_of_fields)):  # fmt: skip
            for word in (word for text in texts for word in all_words(text or "")):
                weights[word] += weight
                length += 1
        once = set(all_words(data["description"] or ""))
        weights.update(dict.fromkeys(once, 2))
        unit = 600 + 24 * ((length + len(once)) // 8 * 8)
        self.levels = {
            word: sum(100_000 * min(weight, 63) < bound * unit for bound in BOUNDS)
            for word, weight in weights.items()
        }
        self.names = [set(way) if len(set(way)) <= 8 else None for way in ways]

    def rank(self, q: str) -> int:
        """3 if the name is written as the query but for case, 2 if it consists of its words, 1 if
        it does split at capitals, else 0.
        """
        asked = set(words(q))
        rank = 2 - self.names.index(asked) if asked in self.names else 0
        return 3 if rank == 2 and as_written(q) == self.name else rank


def as_written(text: str) -> str:
    small = unicodedata.normalize("NFKC", text).lower().replace("ς", "σ")
    return " ".join(filter(None, small.split(" ")))


def countries(data: Mapping[str, Any]) -> list[str]:
    """The names of a record's countries."""
    codes = {place["country"] for place in data.get("locations", [])}
    found = [pycountry.countries.get(alpha_2=code) for code in codes]
    return [getattr(country, "common_name", country.name) for country in found]


def statuses(data: Mapping[str, Any]) -> list[str]:
    """The status of a record, unless it is the default."""
    status = data.get("status")
    return [] if status in (None, "active", "confirmed") else [status]


def references(data: Mapping[str, Any]) -> Iterable[Mapping[str, str]]:
    """The programs and organizations that a record refers to."""
    for field in ("programs", "organizations", "program", "organization"):
        held = data.get(field)
        yield from held if isinstance(held, list) else [held] if isinstance(held, dict) else []


def singulars(word: str) -> list[str]:
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return []
    ends = {"s": "", "es": "", "ies": "y"}
    return [word.removesuffix(end) + ends[end] for end in ends if word.endswith(end)]


def rarity(having: int, records: int) -> int:
    """Eight times the binary logarithm of the number of records per record with the word, in steps
    of an eighth power of two, plus 1.
    """
    times, power = records * 256 // having, 0
    while times >> power > 1:
        power += 1
    return (power - 8) * 8 + (times * 8 >> power) % 8 + 1


class Scores:
    """Scores of records, by slug, for queries."""

    def __init__(self, records: Mapping[str, Found]):
        self.records = records
        self.having: dict[str, dict[str, int]] = {}  # word -> slug -> level
        for slug, record in records.items():
            for word, level in record.levels.items():
                self.having.setdefault(word, {})[slug] = level
        self.sorted = sorted(self.having)
        self._worths: dict[str, dict[str, int]] = {}

    def _begun(self, word: str) -> list[str]:
        """The words with a given prefix."""
        first = last = bisect.bisect_left(self.sorted, word)
        while last < len(self.sorted) and self.sorted[last].startswith(word):
            last += 1
        return self.sorted[first:last]

    def worths(self, word: str) -> dict[str, int]:
        """slug -> the weight of a query word in that record."""
        if word not in self._worths:
            worths = self._worths[word] = {}
            whole = (word, *singulars(word))
            for one in {*whole, *self._begun(word)} if len(word) > 2 else (word,):
                for slug, level in self.having.get(one, {}).items():
                    worth = WHOLE[level] if one in whole else WHOLE[level] * 3 // 4
                    worths[slug] = max(worth, worths.get(slug, 0))
        return self._worths[word]

    def of(self, q: str) -> dict[str, tuple[int, int]]:
        """slug -> how its name equals the query, and its score; only records with all words."""
        asked = list(dict.fromkeys(words(q)))
        worths = [self.worths(word) for word in asked]
        matches = set(worths[0]).intersection(*worths)
        rare = [rarity(len(held), len(self.records)) for held in worths if matches]
        return {
            slug: (
                self.records[slug].rank(q),
                sum(held[slug] * times for held, times in zip(worths, rare, strict=True)),
            )
            for slug in matches
        }
