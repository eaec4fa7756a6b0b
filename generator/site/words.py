"""Countries, days and numbers in the language of the site.

Documents have names of countries in English; pages have them of pycountry's translations.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.records.fields import COUNTRIES
from generator.site.frame import Site

if TYPE_CHECKING:
    from gettext import NullTranslations


def country(site: Site, code: str) -> str:
    """The name of a country by its ISO 3166-1 alpha-2 code, and of `REMOTE`; "" of all else."""
    texts = site.theme.texts
    if code == "REMOTE":
        return texts("words.remote")
    name = COUNTRIES.get(code, "")
    if texts.language.partition("-")[0] == "en" or not name:
        return name
    return _countries(texts.language).gettext(name)


@lru_cache(maxsize=4)
def _countries(language: str) -> NullTranslations:
    import gettext

    package = importlib.util.find_spec("pycountry")
    assert package is not None and package.origin is not None
    names = Path(package.origin).parent / "locales"
    return gettext.translation("iso3166-1", names, [language.replace("-", "_")], fallback=True)


def day(site: Site, iso: str) -> str:
    """A date, `YYYY-MM-DD`, as people write it."""
    year, month, number = iso.split("-")
    texts = site.theme.texts
    name = texts(f"format.months.{month}")
    return texts("format.date", day=str(int(number)), month=name, year=year)


def month(site: Site, iso: str) -> str:
    """A month, `YYYY-MM`, likewise."""
    texts = site.theme.texts
    name = texts(f"format.months.{iso[5:]}")
    return texts("format.month", month=name, year=iso[:4])


def number(site: Site, value: float) -> str:
    """A number with the language's marks; a fraction with as many digits as it was written with."""
    texts = site.theme.texts
    whole, _, fraction = repr(value).partition(".")
    if not whole.lstrip("-").isdigit() or (fraction and not fraction.isdigit()):
        return repr(value)
    sign = "-" if whole[0] == "-" else ""
    mark = texts.known["format"]["decimal"]
    return sign + texts.number(abs(int(whole))) + (mark + fraction if fraction else "")
