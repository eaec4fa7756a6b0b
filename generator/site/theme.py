"""How the site looks and speaks: templates, texts and assets, those of the registry before ours.

A registry's own folder `templates/site/` may have any file that ours has, and is taken first.  Its
templates are sandboxed (https://jinja.palletsprojects.com/en/stable/sandbox/): they come with the
content, from whoever may change that.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import orjson

from generator import PACKAGE
from generator.api import templates
from generator.api.artifact import Artifact
from generator.records.colours import DEFAULT
from generator.records.fields import is_url
from generator.site import colours, paths

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_OPEN = re.compile(r"\{([a-z_]+)\}")
#: Files of a registry's own folder that are assets, besides those in its `assets/`.
_MARKS = ("logo.svg", "logo.png", "favicon.svg")
#: Scripts, each bundled into one file.
_SCRIPTS = PACKAGE / "site" / "scripts"


class Texts:
    """The texts of one language: `texts("list.page", number=2)`.

    A text is found by its dotted key; where it is another in the singular, it is a mapping of `one`
    and `other`, of which `count` decides.  A key that is missing is a bug: KeyError.
    """

    def __init__(self, language: str, known: Mapping[str, Any]):
        self.language, self.known = language, known
        self._said: dict[str, str] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        if key in self._said:
            return self._said[key]
        text: Any = self.known
        for part in key.split("."):
            text = text[part]
        if isinstance(text, dict):
            text = text["one" if values["count"] == 1 else "other"]
        elif not values:
            self._said[key] = str(text)
            return self._said[key]
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
    """The templates, texts and assets of one registry: `own` has its files, by their paths in
    `templates/site/`.  The accent is a colour of six hexadecimal digits; of the name, the first
    letter is on the icon.
    """

    def __init__(
        self,
        language: str,
        own: Mapping[str, bytes] | None = None,
        accent: str = DEFAULT,
        name: str = "",
    ):
        self.language, self.own, self.accent, self.name = language, own or {}, accent, name
        self._ours = templates.folder() / "site"

    @cached_property
    def environment(self) -> Environment:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        kind = ImmutableSandboxedEnvironment if self.own else Environment
        environment = kind(
            loader=FunctionLoader(self._source),
            undefined=StrictUndefined,
            autoescape=True,
            auto_reload=False,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters["href"] = href
        environment.filters["weekday"] = lambda day: date.fromisoformat(day).weekday()
        return environment

    def _source(self, name: str) -> tuple[str, str, None] | None:
        try:
            return self.file(name).decode(), name, None
        except FileNotFoundError:
            return None

    def template(self, name: str) -> Template:
        """The template `<name>.html.j2`."""
        return self.environment.get_template(f"{name}.html.j2")

    def compile(self) -> None:
        """Compile every template."""
        for name in self.names("", ".j2"):
            self.environment.get_template(name)

    def names(self, folder: str, ending: str = "") -> list[str]:
        """The names of the files in a folder of the theme, sorted."""
        ours = (path.name for path in (self._ours / folder).iterdir() if path.is_file())
        own = (PurePosixPath(path) for path in self.own)
        own_names = (path.name for path in own if path.parent == PurePosixPath(folder))
        return sorted(name for name in {*ours, *own_names} if name.endswith(ending))

    def file(self, name: str) -> bytes:
        """A file of the theme.  Raises FileNotFoundError."""
        own = self.own.get(name)
        return own if own is not None else (self._ours / name).read_bytes()

    @cached_property
    def assets(self) -> Mapping[str, Artifact]:
        """What pages load, by its name: files of `assets/`, the bundled scripts, and what a
        registry has of its own for its logo.
        """
        return dict(self._assets())

    def _assets(self) -> Iterator[tuple[str, Artifact]]:
        data = {path.name: path.read_bytes() for path in sorted(_SCRIPTS.glob("*.js"))}
        data |= {name: self.file(f"assets/{name}") for name in self.names("assets")}
        data["favicon.svg"] = self._icon()
        data |= {name: self.own[name] for name in _MARKS if name in self.own}
        # Before the style sheet, so that one of the registry's own has the colours too.
        data["site.css"] = colours.css(self.accent).encode() + data["site.css"]
        for name, raw in data.items():
            stem, _, ending = name.rpartition(".")
            digest = hashlib.sha256(raw).hexdigest()[:8]
            yield name, Artifact(f"{paths.ASSETS}/{stem}-{digest}.{ending}", raw)

    def _icon(self) -> bytes:
        """What stands in a browser's tab: the name's first letter on the accent."""
        template = self.environment.get_template("favicon.svg.j2")
        ink = colours.tokens(self.accent)["on-accent"]
        initial = self.name[:1].upper()
        return template.render(accent=self.accent, ink=ink, initial=initial).encode()

    @cached_property
    def texts(self) -> Texts:
        """The texts of the language, else of its first part (`de` for `de-AT`), else English."""
        for language in (self.language, self.language.partition("-")[0], "en"):
            try:
                return Texts(language, orjson.loads(self.file(f"texts/{language}.json")))
            except FileNotFoundError:
                continue
        raise FileNotFoundError("texts/en.json")
