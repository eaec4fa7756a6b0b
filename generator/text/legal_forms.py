"""The words of a name, and those that only say what kind of company it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from generator.text.words import split_runs


def _folded(*forms: str) -> frozenset[str]:
    return frozenset(normalize("NFKD", form) for form in forms)


#: Legal forms of scripts without spaces, which may be joined with the name.
JOINED_FORMS = _folded(
    "株式会社", "有限会社", "合同会社", "股份有限公司", "有限责任公司", "有限責任公司", "有限公司",
    "주식회사", "유한회사",
)  # fmt: skip
#: The last words of a name that only say what kind of company it is, as `words_of` gives them.
LEGAL_FORMS = JOINED_FORMS | _folded(
    "ab", "ag", "aktiebolag", "aktiengesellschaft", "anonim sirketi", "aps", "as", "asa", "bhd",
    "bv", "bvba", "corp", "corporation", "doo", "eg", "ehf", "eireli", "eirl", "ek", "eood",
    "eurl", "ev", "fzco", "fze", "gbr", "gesmbh", "ggmbh", "gk", "gmbh", "godo kaisha",
    "haftungsbeschrankt", "inc", "incorporated", "jsc", "kabushiki kaisha", "kft", "kg", "kgaa",
    "kk", "lda", "limited liability company", "limited", "llc", "llp", "lp", "ltd", "ltda", "mbh",
    "nv", "nyrt", "ohg", "ojsc", "ou", "oy", "oyj", "pbc", "pjsc", "plc", "pllc", "pt", "pte",
    "pty", "public benefit corporation", "public limited company", "pvt", "rl", "s de rl de cv",
    "s de rl", "sa de cv", "sa", "sab de cv", "sac", "sapi de cv", "sapi", "sarl", "sas de cv",
    "sas", "sasu", "sdn", "se", "sia", "sl", "slu", "snc", "sp zoo", "spa", "spolka zoo", "sprl",
    "srl", "srls", "sro", "sti", "tbk", "uab", "ug", "wll", "zrt",
    "αε", "επε", "ικε", "ао", "еоод", "зао", "оао", "ооо", "пао", "тов", "тоо", "בע מ", "בעמ",
    "شمم", "ذمم", "จำกัด", "จำกัด มหาชน", "株", "주",
)  # fmt: skip
#: The first words of a name that do so.
FIRST_FORMS = JOINED_FORMS | _folded(
    "ao", "cong ty co phan", "cong ty tnhh", "oao", "ooo", "pao", "pt", "sia", "uab", "zao",
    "ао", "зао", "оао", "ооо", "пао", "тов", "тоо", "บริษัท", "株", "주",
)  # fmt: skip
#: Words that belong to a legal form that follows, as in `Co. Ltd.` and `Private Limited`.
BEFORE_FORMS = frozenset({"cia", "co", "company", "opc", "private", "spol"})
#: The maximum number of words of a legal form.
MAX_FORM = 5
#: The end of a name that is written as a word, as in "Pet Spa", and not as a legal form, as in
#: "Pet S.p.A.".
ORDINARY_WORD = r"(?:^|[ \t\r\n])[Ss](?:pa|ac)[ \t\r\n.,]*"
#: A legal form joined with the other letters of a word.
JOINED = "({0})|({0})(.+)|(.+?)({0})".format(
    "|".join(sorted(JOINED_FORMS, key=lambda f: (-len(f), f)))
)
#: The brackets that may be at the end of a name, and the characters between and behind them.
OPENING, CLOSING, BETWEEN = "([（［", ")]）］", " \t\r\n.,\u00a0\u3000"
#: Characters of a name that are compared.
MAX_NAME = 200
#: The words that a legal form begins or ends with, so that most names are decided by one look-up.
_FIRST_WORDS = frozenset(form.partition(" ")[0] for form in FIRST_FORMS)
_LAST_WORDS = frozenset(form.rpartition(" ")[2] for form in LEGAL_FORMS)
_split_joined = re.compile(JOINED).fullmatch


class Span(NamedTuple):
    """Where the words of a name are without its legal form.

    `first` is the number of words of a legal form before the name; `ends` are where the name may
    end, the longest first: with a legal form, without it, and without several.  `empty` says
    whether the name has no other words.
    """

    first: int
    ends: Sequence[int]
    empty: bool


@lru_cache(maxsize=16)  # several ask for those of one name
def words_of(text: str) -> Sequence[str]:
    """The words of a text.  `and` is no word, and `L.L.C.` is the word `llc`."""
    words: list[str] = []
    before = ""
    for run in split_runs(text[:MAX_NAME]):
        found = None if run.isascii() else _split_joined(run)
        for word in filter(None, found.groups()) if found else (run,):
            if len(word) == len(before) == 1:
                words[-1] += word
            else:
                words.append(word)
                before = word
    return [word for word in words if word != "and"] or words


def before_brackets(text: str) -> list[str]:
    """A name without the brackets at its end: without the last, and, if there are several, without
    all of them.
    """
    text = text[:MAX_NAME]
    if text[-1:].isalnum():
        return []
    depth, ends = 0, list[int]()
    for at in range(len(text) - 1, -1, -1):
        letter = text[at]
        if letter in CLOSING:
            depth += 1
        elif depth and letter in OPENING:
            depth -= 1
            if not depth:
                ends.append(at)
        elif not depth and letter not in BETWEEN:
            break
    return [text[:end] for end in sorted({*ends[:1], *ends[-1:]}, reverse=True)]


def find_span(words: Sequence[str]) -> Span:
    """Where the name in these words is."""
    end, before = len(words), False
    if not end:
        return Span(0, [0], True)
    ends = [end]
    while end:
        if size := _last_form(words, end):
            end, before = end - size, True
        elif before and words[end - 1] in BEFORE_FORMS:
            end, before = end - 1, False
        else:
            break
        ends.append(end)
    first = _first_form(words) if words[0] in _FIRST_WORDS else 0
    empty = end <= (first or words[0] == "the")
    return Span(0 if empty else first, ends, empty)


def _first_form(words: Sequence[str]) -> int:
    """The number of words of the legal form that these begin with; 0 if there is none."""
    sizes = range(min(MAX_FORM, len(words)), 0, -1)
    return next((size for size in sizes if " ".join(words[:size]) in FIRST_FORMS), 0)


def _last_form(words: Sequence[str], end: int) -> int:
    """The number of words of the legal form before `end`; 0 if there is none."""
    if words[end - 1] not in _LAST_WORDS:
        return 0
    sizes = range(min(MAX_FORM, end), 0, -1)
    return next((size for size in sizes if " ".join(words[end - size : end]) in LEGAL_FORMS), 0)


def without_legal_form(name: str) -> str:
    """The words of a name without its legal form; all of them if it has no others."""
    words = words_of(name)
    span = find_span(words)
    return " ".join(words if span.empty else words[span.first : span.ends[-1]])
