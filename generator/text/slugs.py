"""Slugs for new names and words.

Unlike `slugify`, which makes the published slugs of places, these keep words apart that a mark
beyond ASCII separates: `Batch 2024–2025` is batch-2024-2025, as `Batch 2024-2025` is.
"""

from __future__ import annotations

import re
import unicodedata

from generator.text.folding import fold_and_space
from generator.text.words import fold, slugify, spell_umlauts

#: Characters without width inside a word, and the apostrophe that Unicode counts as a letter.
_WITHIN = dict.fromkeys((0x00AD, *range(0x200B, 0x200E), 0x2060, 0xFEFF)) | {0x2BC: "'"}
#: Letters, numbers, signs of currencies; not letters that modify others, such as ʻ.
_LOST = frozenset(("Ll", "Lu", "Lt", "Lo", "Nd", "Nl", "No", "Sc"))
_is_sign = re.compile(r"[+#<>=%$*@^~\\]").match


def name_slug(name: str, *, german: bool = False) -> str:
    """The slug for a name; "" if most of its letters and digits are not Latin.

    With `german`, the registry's setting, ä, ö and ü become ae, oe and ue.
    """
    slug = word_slug(spell_umlauts(name) if german else name)
    if not name.isascii():
        letters = [letter for letter in fold(name) if letter.isalnum()]
        if 2 * sum(map(str.isascii, letters)) < len(letters):
            return ""
    return slug


def word_slug(word: str) -> str:
    """The slug of a word, such as a tag."""
    if word.isascii():
        return slugify(word)
    return slugify("".join(map(fold_and_space, word.translate(_WITHIN))))


def lost_signs(word: str) -> str:
    """The signs that the slug of a word leaves out and that make it another word: those of C++, C#
    and .NET, and letters of other scripts; not punctuation.
    """
    lost = (
        sign
        for sign in fold(word.translate(_WITHIN))
        if (not sign.isascii() and unicodedata.category(sign) in _LOST) or _is_sign(sign)
    )
    dot = "." if re.match(r"\s*\.\w", word) else ""
    return dot + "".join(dict.fromkeys(lost))
