"""How the site looks and speaks: templates, texts and assets, those of the registry before ours.

A registry's own folder `templates/site/` may have any file that ours has, and is taken first; of
texts, those that it has.  Its templates are sandboxed
(https://jinja.palletsprojects.com/en/stable/sandbox/): they come with the content, from whoever may
change that.  `original/` before the name of a template is ours, for templates that extend it.
"""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import orjson

from generator import PACKAGE
from generator.contract import templates
from generator.contract.artifact import Artifact
from generator.model.fields import is_url
from generator.model.settings.colours import DEFAULT
from generator.site import colours, paths

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment, Template

#: Before the names of our own templates, whatever a registry has of that name.
_ORIGINAL = "original/"
_OPEN = re.compile(r"\{([a-z_]+)\}")
#: Files of a registry's own folder that are assets, besides those in its `assets/`.
_MARKS = ("logo.svg", "logo.png", "favicon.svg")
#: Scripts, each bundled into one file.
_SCRIPTS = PACKAGE / "site" / "scripts"


class ThemeError(Exception):
    """One of the registry's own files cannot be used; the text says which and why."""


class Texts:
    """The texts of one language: `texts("list.page", number=2)`.

    A text is found by its dotted key; where it is another in the singular, it is a mapping of `one`
    and `other`, of which `count` decides.  A key that is missing is a bug: KeyError.
    """

    def __init__(self, language: str, known: Mapping[str, Any]):
        self.language, self.known = language, known
        # Key -> a text, None where it has a singular, and in both forms what stands between values,
        # and at odd places their names.
        self._taken: dict[str, tuple[str | None, list[str], list[str]]] = {}
        self._scripts: dict[str, orjson.Fragment] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        taken = self._taken.get(key)
        if taken is None:
            taken = self._taken[key] = self._take(key)
        text, one, other = taken
        if text is not None and not values:
            return text
        said = (one if text is None and values["count"] == 1 else other)[:]
        for place in range(1, len(said), 2):
            value = values[said[place]]
            if value.__class__ is not str:
                value = self.number(value) if isinstance(value, int) else str(value)
            said[place] = value
        return "".join(said)

    def _take(self, key: str) -> tuple[str | None, list[str], list[str]]:
        text: Any = self.known
        for part in key.split("."):
            text = text[part]
        if isinstance(text, dict):
            return None, _OPEN.split(text["one"]), _OPEN.split(text["other"])
        parts = _OPEN.split(str(text))
        return str(text), parts, parts

    def number(self, value: int) -> str:
        """A whole number with the language's mark between thousands."""
        if -1000 < value < 1000:
            return f"{value:d}"
        mark: str = self.known["format"]["thousands"]
        return f"{value:,}".replace(",", mark)

    def script(self, name: str) -> orjson.Fragment:
        """The texts of a script and those of all, as JSON that `tojson` takes as it is."""
        kept = self._scripts.get(name)
        if kept is None:
            of = self.known["script"]
            kept = self._scripts[name] = settled(of["common"] | of[name])
        return kept

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


def _json(value: Any, **_: Any) -> str:
    """A value as the filter `tojson` writes it before it is made safe; tuples are lists."""
    return orjson.dumps(value, default=tuple, option=orjson.OPT_SORT_KEYS).decode()


def settled(value: Any) -> orjson.Fragment:
    """A value that many pages have in their JSON, written once."""
    return orjson.Fragment(_json(value))


class Theme:
    """The templates, texts and assets of one registry: `own` has its files, by their paths in
    `templates/site/`.  The accent is a colour of six hexadecimal digits; of the name, the first
    letter is on the icon.  `compiled` has what was compiled of our own templates,
    and is of use where none is the registry's.
    """

    def __init__(
        self,
        language: str,
        own: Mapping[str, bytes] | None = None,
        accent: str = DEFAULT,
        name: str = "",
        compiled: BytecodeCache | None = None,
    ):
        self.language, self.own, self.accent, self.name = language, own or {}, accent, name
        self.compiled = compiled
        self._ours = templates.folder() / "site"

    @cached_property
    def is_plain(self) -> bool:
        """Whether every template is ours."""
        return not any(path.endswith(".j2") for path in self.own)

    @cached_property
    def environment(self) -> Environment:
        from jinja2 import FunctionLoader, StrictUndefined

        from generator.site.templating.fast_jinja import Plain, Sandboxed

        kind = Plain if self.is_plain else Sandboxed
        environment = kind(
            loader=FunctionLoader(self._source),
            undefined=StrictUndefined,
            autoescape=True,
            auto_reload=False,
            bytecode_cache=self.compiled if self.is_plain else None,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.policies["json.dumps_function"] = _json
        environment.filters["href"] = href
        environment.filters["weekday"] = lambda day: date.fromisoformat(day).weekday()
        return environment

    def _source(self, name: str) -> tuple[str, str, None] | None:
        try:
            if name.startswith(_ORIGINAL):
                raw = (self._ours / name.removeprefix(_ORIGINAL)).read_bytes()
            else:
                raw = self.file(name)
        except OSError:
            return None
        return raw.decode(errors="replace"), name, None

    def template(self, name: str) -> Template:
        """The template `<name>.html.j2`."""
        return self.environment.get_template(f"{name}.html.j2")

    def compile(self) -> None:
        """Compile every template."""
        for folder in ("", "record/"):
            for name in self.names(folder, ".j2"):
                self.environment.get_template(folder + name)

    def bounded(self, pages: Iterator[Artifact]) -> Iterator[Artifact]:
        """Pages, each made in a bounded time if the registry has templates of its own."""
        if self.is_plain:
            yield from pages
            return
        from generator.site.templating.sandbox import limited

        while True:
            with limited():
                page = next(pages, None)
            if page is None:
                return
            yield page

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
        """The texts of the language, else of its first part (`de` for `de-AT`), else English; what
        a language lacks is English.  Raises ThemeError.
        """
        names = (self.language, self.language.partition("-")[0], "en")
        language = next(name for name in names if self._texts(name))
        known: dict[str, Any] = {}
        for name in dict.fromkeys(("en", language)):
            for some in self._texts(name):
                known = _merged(known, some, f"texts/{name}.json: ")
        return Texts(language, known)

    def _texts(self, language: str) -> list[dict[str, Any]]:
        """Our texts of a language and the registry's own, as far as there are any."""
        path = f"texts/{language}.json"
        ours, own, known = self._ours / path, self.own.get(path), []
        if ours.is_file():
            known.append(orjson.loads(ours.read_bytes()))
        if own is not None:
            try:
                known.append(orjson.loads(own))
            except ValueError as error:
                raise ThemeError(f"{path} is no JSON: {error}") from error
        if not all(isinstance(some, dict) for some in known):
            raise ThemeError(f"{path} is no object of JSON")
        return known

    def fault(self, error: Exception) -> str | None:
        """What is wrong with the registry's own files, where an error came of them, with the
        template and the line; None where none of them has to do with it.
        """
        from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

        if isinstance(error, ThemeError):
            return str(error)
        if not any(name.endswith((".j2", ".json")) for name in self.own):
            return None
        if isinstance(error, TemplateSyntaxError):
            return f"{error.name}:{error.lineno}: {error.message}"
        frames = traceback.extract_tb(error.__traceback__)
        lines = [f"{at.filename}:{at.lineno}" for at in frames if at.filename.endswith(".j2")]
        if isinstance(error, TemplateNotFound):
            told = f"there is no template {error}"
        elif isinstance(error, KeyError):
            told = f"there is no text or value {error}"
        else:
            told = str(error)
        if not lines and not isinstance(error, TemplateError):
            return None
        return ": ".join([*lines[-1:], told])


def _merged(before: dict[str, Any], more: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Texts with those of another catalogue in their place, which has to have the same shape;
    `where` is the file and the keys above.  Raises ThemeError.
    """
    known = dict(before)
    for key, text in more.items():
        ours = known.get(key)
        if isinstance(ours, dict) and isinstance(text, dict) and not _forms(ours):
            known[key] = _merged(ours, text, f"{where}{key}.")
        elif ours is None or _is_like(ours, text):
            known[key] = text
        else:
            like = "{…}" if isinstance(ours, dict) and not _forms(ours) else json.dumps(ours)
            raise ThemeError(f"{where}{key} has to be like {like}")
    return known


def _is_like(ours: Any, text: Any) -> bool:
    """Whether a text may stand for ours: of the same values, in one form or two."""
    if isinstance(ours, list) and isinstance(text, list):
        return len(ours) == len(text) and all(map(_is_like, ours, text))
    if isinstance(ours, int):
        return type(text) is int
    values = [set(_OPEN.findall(one)) for forms in (ours, text) if (one := _forms(forms))]
    return len(values) == 2 and values[1] <= values[0]


def _forms(text: Any) -> str:
    """A text, or those for one and for several; "" of what is neither."""
    forms = text if isinstance(text, dict) else {"one": text, "other": text}
    fine = forms.keys() == {"one", "other"} and all(isinstance(one, str) for one in forms.values())
    return " ".join(forms.values()) if fine else ""
