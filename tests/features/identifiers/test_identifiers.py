"""Identifiers: forms and checksums of the known schemes, patterns in linear time, and web addresses
that are identifiers.
"""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.features.identifiers.schemes import (
    KNOWN,
    IdScheme,
    pattern_validator,
)
from generator.features.identifiers.settings import MAX_PATTERN, is_pattern

#: Identifiers with the right form and checksum.
RIGHT = {
    "wikidata": ["Q1", "Q95", "Q123456789"],
    "ror": ["05gq02987", "03yrm5c26"],
    "lei": ["5493006MHB84DD0ZWV18", "7LTWFZYICNSX8D621K86", "213800LBQA1Y9L22JB70"],
    "isni": ["000000012146438X", "0000000121032683"],
    "crunchbase": ["airbnb", "open-ai-2"],
    "github": ["torvalds", "Microsoft", "a-b"],
    "linkedin": ["airbnb", "1441", "Acme.Inc_2"],
    "pypi": ["zope.interface", "ruamel_yaml"],
    "npm": ["lodash", "JSONStream"],
}
WRONG = {
    "wikidata": ["95", "Q0", "q95", "Q9 5", "P31"],
    "ror": ["15gq02987", "05gq0298", "05gq0298l", "05GQ02987"],
    "lei": ["5493006MHB84DD0ZWV19", "5493006mhb84dd0zwv18", "5493006MHB84DD0ZWV1"],
    "isni": ["0000000121464381", "X000000121464380", "0000 0001 2146 438X"],
    "crunchbase": ["Airbnb", "organization/airbnb", "-a"],
    "github": ["torvalds/linux", "a_b", "a" * 40],
    "linkedin": ["company/airbnb", "acmé"],
    "pypi": ["", ".hidden", "a" * 101],
    "npm": ["@scope/name", "a b"],
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_scheme_takes_its_identifiers_and_no_others(name: str) -> None:
    scheme = KNOWN[name]
    assert [text for text in [*RIGHT[name], scheme.example] if not scheme.is_valid(text)] == []
    assert [text for text in WRONG[name] if scheme.is_valid(text)] == []
    for text in RIGHT[name]:
        address = scheme.address(text)
        for written in (f" {address} ", f"{address}/", address.replace("https", "http")):
            assert scheme.corrected(written) == text


@given(st.sampled_from(["lei", "isni"]), st.data())
def test_one_wrong_digit_is_found(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(RIGHT[name]))
    at = data.draw(st.sampled_from([i for i in range(len(text) - 2) if text[i].isdigit()]))
    digit = data.draw(st.sampled_from("0123456789"))
    changed = text[:at] + digit + text[at + 1 :]
    assert KNOWN[name].is_valid(changed) == (changed == text)


NO_ACCOUNTS = (
    "https://github.com/acme/repository",
    "https://github.com/orgs/acme",
    "https://github.com/features",
    "https://gist.github.com/acme",
    "https://github.com",
    "https://github.example/acme",
    "https://www.wikidata.org/wiki/Property:P31",
    "https://www.linkedin.com/in/acme",
    "https://www.npmjs.com/package/@acme/tool",
    "https://www.crunchbase.com/person/ada",
    "https://ror.org/",
    "https://acme.example/https://ror.org/05gq02987",
)


def test_other_addresses_are_no_identifiers() -> None:
    for url in NO_ACCOUNTS:
        assert [name for name, scheme in KNOWN.items() if scheme.corrected(url)] == [], url
    other_forms = {
        "http://m.wikidata.org/entity/Q95": ("wikidata", "Q95"),
        "https://uk.linkedin.com/company/acme/?trk=x": ("linkedin", "acme"),
        "HTTPS://GitHub.com/Acme": ("github", "Acme"),
    }
    for url, (name, text) in other_forms.items():
        assert KNOWN[name].corrected(url) == text


def test_an_own_scheme_may_have_the_id_anywhere_after_the_host() -> None:
    scheme = IdScheme("Own", "https://own.example/?id={id}&x=1", "[a-z]+")
    assert scheme.corrected(scheme.address("abc")) == "abc"


@pytest.mark.parametrize(
    "pattern",
    ["", "(a)", "a**", "a+*", "a{2}{3}", "a{2}+", "^a", "a$", "[^a]", "[a", "a|", "|a", "[z-a]",
     r"\w", r"\1", "a{3,2}", "[[a]]", "a b", "é", "a" * (MAX_PATTERN + 1), "(?:a|a)*", "a{1000}"],
)  # fmt: skip
def test_patterns_with_groups_or_nested_quantifiers_are_refused(pattern: str) -> None:
    assert not is_pattern(pattern)


#: Parts of patterns, each also a pattern.
PARTS = st.sampled_from(
    ["a", "Z", "7", "-", "_", ".", r"\d", r"\.", "[a-z]", "[A-Z0-9._-]", r"[\d-]"]
)
QUANTIFIERS = st.sampled_from(["", "?", "*", "+", "{2}", "{1,3}", "{0,}"])
PATTERNS = st.lists(
    st.lists(st.tuples(PARTS, QUANTIFIERS).map("".join), min_size=1, max_size=3).map("".join),
    min_size=1,
    max_size=3,
).map("|".join)


@given(PATTERNS, st.text("aZ7-_.x9", min_size=1, max_size=8))
def test_patterns_mean_what_they_mean_elsewhere(pattern: str, text: str) -> None:
    assert is_pattern(pattern)
    found = pattern_validator(pattern).isinstance_python(text)
    assert found == (re.fullmatch(pattern, text, re.ASCII) is not None)


def test_a_pattern_that_backtracks_elsewhere_takes_no_time() -> None:
    pattern = "a*" * 99 + "b"
    assert is_pattern(pattern)
    scheme = IdScheme("Slow", "https://slow.example/{id}", pattern)
    began = time.process_time()
    assert not any(scheme.is_valid("a" * 100) for _ in range(100))
    assert time.process_time() - began < 2
