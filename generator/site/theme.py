"""How the site looks and speaks: templates, texts and assets, those of the registry before ours.

A registry's own folder `templates/site/` may have any file that ours has, and is taken first.  Its
templates are sandboxed (https://jinja.palletsprojects.com/en/stable/sandbox/): they come with the
content, from whoever may change that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from generator.api import templates
from generator.records.fields import is_url

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_OPEN = re.compile(r"\{([a-z_]+)\}")


class Texts:
    """The texts of one language: `texts("list.page", number=2)`.

    A text is found by its dotted key; where it is another in the singular, it is a mapping of `one`
    and `other`, of which `count` decides.  A key that is missing is a bug: KeyError.
    """

    def __init__(self, language: str, known: Mapping[str, Any]):
        self.language, self.known = language, known

    def __call__(self, key: str, /, **values: object) -> str:
        text: Any = self.known
        for part in key.split("."):
            text = text[part]
        if isinstance(text, dict):
            text = text["one" if values["count"] == 1 else "other"]
        shown = {
            name: self.number(value) if isinstance(value, int) else str(value)
            for name, value in values.items()
        }
        return _OPEN.sub(lambda match: shown[match[1]], text)

    def number(self, value: int) -> str:
        """A whole number with the language's mark between thousands."""
        mark: str = self.known["format"]["thousands"]
        return f"{value:,}".replace(",", mark)

    def percent(self, share: float) -> str:
        """A part of one as a percentage: whole, or of less than ten with one digit behind the
        point.
        """
        number = 100 * share
        digits = f"{number:.1f}" if 0 < number < 9.95 else f"{number:.0f}"
        form = self.known["format"]
        shown = digits.removesuffix(".0").replace(".", form["decimal"])
        return str(form["percent"]).replace("{number}", shown)


def href(address: str) -> str:
    """An address of http or https that a page may link to; "" for all else."""
    return address if is_url(address) else ""


class Theme:
    """The templates, texts and assets of one registry: `own` is its folder, None where it has
    none.
    """

    def __init__(self, language: str, own: Path | None = None):
        self.language, self.own = language, own

    @cached_property
    def environment(self) -> Environment:
        from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        kind = Environment if self.own is None else ImmutableSandboxedEnvironment
        folders = [*([self.own] if self.own else []), templates.folder() / "site"]
        environment = kind(
            loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
            undefined=StrictUndefined,
            autoescape=True,
            auto_reload=False,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters["href"] = href
        return environment

    def template(self, name: str) -> Template:
        """The template `<name>.html.j2`."""
        return self.environment.get_template(f"{name}.html.j2")

    def file(self, name: str) -> bytes:
        """A file of the theme.  Raises FileNotFoundError."""
        for folder in (self.own, templates.folder() / "site"):
            if folder is not None and (folder / name).is_file():
                return (folder / name).read_bytes()
        raise FileNotFoundError(name)

    @cached_property
    def texts(self) -> Texts:
        """The texts of the language, else of its first part (`de` for `de-AT`), else English."""
        for language in (self.language, self.language.partition("-")[0], "en"):
            try:
                return Texts(language, orjson.loads(self.file(f"texts/{language}.json")))
            except FileNotFoundError:
                continue
        raise FileNotFoundError("texts/en.json")
