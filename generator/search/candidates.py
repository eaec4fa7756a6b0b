"""The records that a name may mean, with scores, from the files of the names in an index.

search/js/source/candidates.mjs does the same in JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.grammar.text import split_runs
from generator.search.columns import Values
from generator.search.format import Damaged, entries
from generator.search.manifest import NAMES, Part, values_kind
from generator.search.name_files import file_with_key, letters_for
from generator.search.names import (
    INITIALS,
    SAME,
    Name,
    asked_keys,
    compare,
    parse_name,
    read_known,
    site_key,
    site_of,
    words_name,
)
from generator.search.reading import Reading

#: The filter with the places of records.
PLACES = "location"
#: Keys that are looked up for one question, so that ten of them stay within the bound on reads.
_KEYS = 4
#: Candidates with lower scores are left out.
_LEAST = 50
#: The score of a website of the same host with another path, if one of the two has none.
_SAME_HOST = 85
#: Points that a common place adds, and that other places take off.
_NEAR, _FAR = 3, 20


class Question(NamedTuple):
    """A name, or what stands for one, with websites and places of what it names."""

    name: str
    sites: Sequence[str] = ()
    places: Sequence[str] = ()
    limit: int = 5


@dataclass
class Candidate:
    """A record with the best score of its names and that of its website, each with its reason;
    `near` says whether the places agree, None if either has none.
    """

    slug: str
    name: str
    places: Sequence[str]
    best: tuple[int, str] = (0, "")
    site: int = 0
    match: bool = field(default=False)
    near: bool | None = None

    @property
    def score(self) -> int:
        score = max(self.best[0], self.site)
        if self.near and score < SAME:
            score = min(score + _NEAR, SAME - 1)
        return score - _FAR if self.near is False else score

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


def find_candidates(questions: Sequence[Question], reading: Reading) -> list[list[Candidate]]:
    """The candidates of each question, the best first.

    Raises Damaged, and as `Reading.files` does.
    """
    number = len(reading.index.checks[NAMES])
    keys = [_keys(question, letters_for(number)) for question in questions]
    places = dict.fromkeys(place for question in questions for place in question.places)
    has_places = bool(places) and PLACES in reading.index.columns
    wanted: list[Part] = [(NAMES, file_with_key(key, number)) for some in keys for key in some]
    wanted += [(values_kind(PLACES), 0)] * has_places
    files = reading.parts(dict.fromkeys(wanted))
    values = _place_values(places, files[values_kind(PLACES), 0], reading) if has_places else {}
    shards = {part[1]: dict(entries(data)) for part, data in files.items() if part[0] == NAMES}
    found = []
    for question, some in zip(questions, keys, strict=True):
        bodies = (shards[file_with_key(key, number)].get(key.encode(), b"") for key in some)
        near = {value for place in question.places for value in values.get(place, ())}
        found.append(_candidates(question, bodies, near))
        reading.check_time()
    return found


def _sites(question: Question) -> list[tuple[str, str]]:
    """The websites of a question, whose name may be one too."""
    found = map(site_of, (*question.sites, question.name))
    return list(dict.fromkeys(site for site in found if site is not None))


def _keys(question: Question, letters: int) -> list[str]:
    sites = [site_key(host) for host, _ in _sites(question)]
    return list(dict.fromkeys((*sites, *asked_keys(parse_name(question.name), letters))))[:_KEYS]


def _candidates(question: Question, bodies: Iterable[bytes], near: set[str]) -> list[Candidate]:
    asked, sites = parse_name(question.name), _sites(question)
    found: dict[str, Candidate] = {}
    for kind, words, slug, name, places in _lines(bodies):
        candidate = found.get(slug) or Candidate(slug, name, places.split())
        if kind == "website":
            candidate.site = max(candidate.site, *(_site_score(path, words) for _, path in sites))
        else:
            candidate.best = max(candidate.best, _score(asked, kind, words_name(words)))
        found[slug] = candidate
    for candidate in found.values():
        if near and candidate.places:
            candidate.near = any(_is_near(place, near) for place in candidate.places)
    ordered = sorted(found.values(), key=lambda each: (-each.score, each.slug))
    _decide(ordered)
    return [each for each in ordered if each.score >= _LEAST][: question.limit]


def _lines(bodies: Iterable[bytes]) -> Iterator[list[str]]:
    try:
        for body in bodies:
            yield from read_known(body)
    except ValueError:
        raise Damaged from None


def _score(asked: Name, kind: str, known: Name) -> tuple[int, str]:
    if kind == "initials":
        return (INITIALS, kind) if asked.joined == known.joined else (0, "")
    score, reason = compare(asked, known)
    return score, kind if score == SAME else reason


def _site_score(path: str, known: str) -> int:
    return SAME if path == known else 0 if path and known else _SAME_HOST


def _is_near(place: str, asked: set[str]) -> bool:
    """Whether a place is one of these, in one of these, or has one of these in it."""
    return any(
        f"{a}-".startswith(f"{b}-") for one in asked for a, b in ((place, one), (one, place))
    )


def _decide(candidates: Sequence[Candidate]) -> None:
    """Mark the only candidate that is exact, or else the only one whose name differs in nothing but
    a legal form.  A candidate in another place is no match.
    """
    for chosen in (
        [each for each in candidates if each.is_exact],
        [each for each in candidates if each.best[1] == "legal_form"],
    ):
        here = [each for each in chosen if each.near is not False]
        if len(here) == 1:
            here[0].match = True
        if chosen:
            return


def _place_values(
    places: Iterable[str], data: bytes, reading: Reading
) -> Mapping[str, Sequence[str]]:
    """The values of the filter for places that each text means, by its value or its label."""
    spec, records = reading.index.columns[PLACES], reading.index.records
    values = Values.parse(data, spec, records)
    by_words: dict[str, list[str]] = {}
    for value, label in zip(values.texts, values.labels, strict=True):
        for text in {value, label, label.partition(",")[0]}:
            by_words.setdefault(" ".join(split_runs(text)), []).append(value)
    return {place: by_words.get(" ".join(split_runs(place)), ()) for place in places}
