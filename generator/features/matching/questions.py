"""What is asked by name, and the records that may be meant, with the points of their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.features.matching.names import SAME
from generator.grammar.row_fields import RowField

#: The filter with the places of records.
PLACES = "location"
#: Questions in a batch.
MAX_BATCH = 10
#: Keys that are looked up for one question, so that ten of them stay within the bound on reads.
MAX_KEYS = 4
#: Candidates with lower scores are left out.
LEAST = 50
#: The score from which people should look at a candidate that is no match.
LIKELY = 75
#: Without a limit, a question has candidates only if one has a higher score than this, and at most
#: so many.
SURE, USUAL = 90, 5
#: The score of a website of the same host with another path, if one of the two has none.
SAME_HOST = 85
#: Points that a former name has less, unless it is the same.
FORMER = 2
#: Points that a common place adds, and that other places take off.
NEAR, FAR = 3, 20


class Question(NamedTuple):
    """A name, or what stands for one, with websites and places of what it names.

    `limit` is the maximum number of candidates; None gives the usual number, if one is likely.
    """

    name: str
    sites: Sequence[str] = ()
    places: Sequence[str] = ()
    limit: int | None = None


class Extension(NamedTuple):
    """The slugs, sorted, and the fields of a data extension query."""

    slugs: Sequence[str]
    fields: Sequence[RowField]


@dataclass
class Candidate:
    """A record with the best score of its names and that of its website, each with its reason;
    `near` says whether the places agree, None if either has none; `only_form` whether a name
    differs in its legal form only.
    """

    slug: str
    name: str
    places: Sequence[str]
    best: tuple[int, str] = (0, "")
    site: int = 0
    match: bool = field(default=False)
    near: bool | None = None
    only_form: bool = False

    @property
    def score(self) -> int:
        score = max(self.best[0], self.site)
        if self.near and score < SAME:
            score = min(score + NEAR, SAME - 1)
        return score - FAR if self.near is False else score

    @property
    def is_exact(self) -> bool:
        """Whether a name, a former name, a website or an identifier is the same."""
        return SAME in (self.best[0], self.site)

    @property
    def features(self) -> list[tuple[str, int | bool]]:
        """The reasons for the score, each with its part of it."""
        found: list[tuple[str, int | bool]] = [(self.best[1], self.best[0])] * bool(self.best[0])
        found += [("website", self.site)] * bool(self.site)
        return found if self.near is None else [*found, ("place", self.near)]
