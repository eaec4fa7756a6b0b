"""The records that a name may mean, with scores, from the files of the names in an index.

search/js/source/candidates.mjs does the same in JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from generator.features.matching.name_files import file_with_key, letters_for
from generator.features.matching.names import (
    INITIALS,
    SAME,
    Name,
    NameKeys,
    compare,
    differ_in_form,
    parse_id,
    parse_name,
    read_known,
    site_of,
    words_name,
)
from generator.features.matching.questions import (
    FORMER,
    LEAST,
    MAX_KEYS,
    PLACES,
    SAME_HOST,
    SURE,
    USUAL,
    Candidate,
    Question,
)
from generator.search.columns import Values
from generator.search.format import Damaged, entries
from generator.search.manifest import IDS, NAMES, Manifest, Part, values_kind
from generator.search.reading import Reading
from generator.text.legal_forms import is_ordinary
from generator.text.words import split_runs

#: The kinds of lines with names; a slug is none.
_NAMES = ("name", "former_name")


def find_candidates(questions: Sequence[Question], reading: Reading) -> list[list[Candidate]]:
    """The candidates of each question, the best first.

    Raises Damaged, and as `Reading.files` does.
    """
    known_keys = name_keys(reading.index)
    ids = [_ids(question) if IDS in reading.index.checks else {} for question in questions]
    keys = [
        _keys(question, known_keys)[: MAX_KEYS - len(known)]
        for question, known in zip(questions, ids, strict=True)
    ]
    places = dict.fromkeys(place for question in questions for place in question.places)
    lines = read_names([key for some in keys for key in some], reading)
    id_lines = read_names(dict.fromkeys(key for known in ids for key in known), reading, IDS)
    has_places = bool(places) and PLACES in reading.index.columns
    values = _place_values(places, reading) if has_places else {}
    found = []
    for question, some, known in zip(questions, keys, ids, strict=True):
        near = {value for place in question.places for value in values.get(place, ())}
        named = [line for key in some for line in lines[key]]
        named += [line for key in known for line in id_lines[key] if _is_same(known[key], line[1])]
        found.append(_candidates(question, named, near))
        reading.check_time()
    return found


def read_names(
    keys: Iterable[str], reading: Reading, kind: str = NAMES
) -> dict[str, list[list[str]]]:
    """The lines of each key as fields.  Raises Damaged, and as `Reading.files` does."""
    number = len(reading.index.checks.get(kind, ()))
    by_key: dict[str, Part] = {key: (kind, file_with_key(key, number)) for key in keys}
    files = reading.parts(dict.fromkeys(by_key.values()))
    bodies = {part: dict(entries(data)) for part, data in files.items()}
    try:
        return {key: [*read_known(bodies[p].get(key.encode(), b""))] for key, p in by_key.items()}
    except ValueError:
        raise Damaged from None


def _sites(question: Question) -> list[tuple[str, str]]:
    """The websites of a question, whose name may be one too."""
    found = map(site_of, (*question.sites, question.name))
    return list(dict.fromkeys(site for site in found if site is not None))


def _ids(question: Question) -> dict[str, list[tuple[str, str]]]:
    """The identifiers that a question may be, each with schemes and web addresses."""
    ids: dict[str, list[tuple[str, str]]] = {}
    for text in (*question.sites, question.name):
        found = parse_id(text)
        if found is not None:
            ids.setdefault(found[0], []).append(found[1:])
    return ids


def _is_same(asked: Sequence[tuple[str, str]], words: str) -> bool:
    """Whether an identifier with these words has a scheme or a web address that is asked for."""
    known, _, address = words.partition(" ")
    return any(site == address if site else scheme in ("", known) for scheme, site in asked)


def name_keys(index: Manifest) -> NameKeys:
    return NameKeys(letters_for(len(index.checks[NAMES])), index.layout.split)


def _keys(question: Question, known: NameKeys) -> list[str]:
    sites = [key for site in _sites(question) for key in known.of_site(*site)]
    return list(dict.fromkeys((*sites, *known.asked(parse_name(question.name)))))


def _candidates(
    question: Question, lines: Iterable[Sequence[str]], near: set[str]
) -> list[Candidate]:
    asked, sites = parse_name(question.name), _sites(question)
    ordinary = is_ordinary(question.name)
    found: dict[str, Candidate] = {}
    for kind, words, slug, _, name, places in lines:
        candidate = found.get(slug) or Candidate(slug, name, places.split())
        if kind == "website":
            candidate.site = max([candidate.site, *(_site_score(path, words) for _, path in sites)])
        elif kind == "id":
            candidate.best = max(candidate.best, (SAME, "identifier"))
        else:
            known = words_name(words)
            candidate.best = max(candidate.best, _score(asked, kind, known), key=_order)
            is_name = kind in _NAMES and not is_ordinary(name)
            candidate.only_form |= is_name and not ordinary and differ_in_form(asked, known)
        found[slug] = candidate
    for candidate in found.values():
        if near and candidate.places:
            candidate.near = any(_is_near(place, near) for place in candidate.places)
    ordered = sorted(found.values(), key=lambda each: (-each.score, each.slug))
    _decide(ordered)
    if question.limit is None and ordered and ordered[0].score <= SURE:
        return []
    return [each for each in ordered if each.score >= LEAST][: question.limit or USUAL]


def _score(asked: Name, kind: str, known: Name) -> tuple[int, str]:
    if kind == "initials":
        return (INITIALS, kind) if asked.joined == known.joined else (0, "")
    score, reason = compare(asked, known)
    if score == SAME:
        return score, kind
    return score - (kind == "former_name") * FORMER, reason


def _order(best: tuple[int, str]) -> tuple[int, bool, str]:
    """The order of scores: of equal ones, a legal form is the reason that may be a match."""
    score, reason = best
    return score, reason == "legal_form", reason


def _site_score(path: str, known: str) -> int:
    return SAME if path == known else 0 if path and known else SAME_HOST


def _is_near(place: str, asked: set[str]) -> bool:
    """Whether a place is one of these, in one of these, or has one of these in it."""
    return any(
        f"{a}-".startswith(f"{b}-") for one in asked for a, b in ((place, one), (one, place))
    )


def _decide(candidates: Sequence[Candidate]) -> None:
    """Mark the only candidate that is exact: by name and website, or else by either, or else but
    for the legal form of its name.  A candidate in another place is no match.
    """
    for chosen in (
        [each for each in candidates if each.best[0] == each.site == SAME],
        [each for each in candidates if each.is_exact],
        [each for each in candidates if each.only_form],
    ):
        here = [each for each in chosen if each.near is not False]
        if len(here) == 1:
            here[0].match = True
        if chosen:
            return


def _place_values(places: Iterable[str], reading: Reading) -> Mapping[str, Sequence[str]]:
    """The values of the filter for places that each text means, by its value or its label."""
    spec, part = reading.index.columns[PLACES], (values_kind(PLACES), 0)
    values = Values.parse(reading.parts([part])[part], spec, reading.index.records)
    by_words: dict[str, list[str]] = {}
    for value, label in zip(values.texts, values.labels, strict=True):
        for text in {value, label, label.partition(",")[0]}:
            by_words.setdefault(" ".join(split_runs(text)), []).append(value)
    return {place: by_words.get(" ".join(split_runs(place)), ()) for place in places}
