"""Words that people and programs write where there is no value."""

from __future__ import annotations

import re
from functools import lru_cache

#: In lower case, without dots, and with one space for hyphens, slashes and underscores.
_WORDS = frozenset((
    "n a", "na", "k a", "ka", "none", "nil", "null", "nan", "undefined", "unknown", "not known",
    "not available", "not applicable", "not specified", "not provided", "no data", "no answer",
    "no response", "tbd", "tba", "tbc", "to be determined", "to be announced", "to be confirmed",
    "keine", "keine angabe", "keine angaben", "ohne angabe", "nicht angegeben", "nicht bekannt",
    "nicht vorhanden", "nicht verfügbar", "unbekannt", "entfällt", "keine daten",
    "inconnu", "inconnue", "non renseigné", "non disponible", "sans objet", "aucun", "aucune",
    "desconocido", "desconocida", "no disponible", "no aplica", "sin datos", "ninguno", "ninguna",
    "sconosciuto", "non disponibile", "nessuno", "onbekend", "niet beschikbaar",
))  # fmt: skip
#: Short words that are names too when they are written like these: Nan is a city, Na a surname.
_NAMES = ("Na", "Ka", "Nan", "Nil", "Tba")
_LONGEST = 24
_is_mark = re.compile(r"[-\u2010-\u2015\u2212?.\u2026/\\_*#]+").fullmatch


def is_placeholder(text: str) -> bool:
    """Whether a text says only that there is no value: "N/A", "-", "keine Angabe"."""
    return len(text) <= _LONGEST and _is_placeholder(text)


@lru_cache(maxsize=1 << 14)
def _is_placeholder(text: str) -> bool:
    text = text.strip()
    if not text or text in _NAMES:
        return False
    if _is_mark(text):
        return True
    plain = text.strip("()[]<>\"'#*_-–—.:!? ").casefold().replace(".", "")
    return " ".join(re.split(r"[\s/_\-]+", plain)) in _WORDS
