"""The words of a name, and those that only say what kind of company it is."""

from __future__ import annotations

from collections.abc import Sequence

from generator.text.words import split_runs

#: The last words of a name that only say what kind of company it is.
LEGAL_FORMS = frozenset({
    "ab", "ag", "aps", "as", "asa", "bhd", "bv", "bvba", "corp", "corporation", "doo", "eg",
    "eirl", "ek", "ev", "gbr", "gk", "gmbh", "inc", "incorporated", "jsc", "kft", "kg", "kgaa",
    "kk", "lda", "limited", "llc", "llp", "lp", "ltd", "ltda", "mbh", "nv", "ohg", "ojsc", "ou",
    "oy", "oyj", "plc", "pt", "pte", "pty", "pvt", "rl", "sa", "sapi", "sarl", "sas", "sasu",
    "sdn", "se", "sl", "slu", "spa", "srl", "sro", "ug", "uab", "zoo", "zrt",
})  # fmt: skip
#: Words that belong to a legal form that follows, as in `Co. Ltd.` and `Private Limited`.
BEFORE_FORMS = frozenset({"co", "company", "private", "sp"})
#: Characters of a name that are compared.
MAX_NAME = 200


def words_of(text: str) -> list[str]:
    """The words of a text.  `and` is no word, and `L.L.C.` is the word `llc`."""
    words: list[str] = []
    before = ""
    for word in split_runs(text[:MAX_NAME]):
        if len(word) == len(before) == 1:
            words[-1] += word
        else:
            words.append(word)
            before = word
    return [word for word in words if word != "and"] or words


def core_span(words: Sequence[str]) -> tuple[int, int]:
    """Where the words begin and end that are no first `the` and no legal form; at least one."""
    start, end = int(len(words) > 1 and words[0] == "the"), len(words)
    forms = LEGAL_FORMS
    while end > start + 1 and words[end - 1] in forms:
        end -= 1
        forms = LEGAL_FORMS if words[end] in BEFORE_FORMS else LEGAL_FORMS | BEFORE_FORMS
    return start, end


def without_legal_form(name: str) -> str:
    """The words of a name without its legal form."""
    words = words_of(name)
    return " ".join(words[: core_span(words)[1]])
