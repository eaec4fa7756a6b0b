"""The theme of the site: templates, texts and assets.

Files of a registry's own folder `templates/site/` replace ours of the same path; its texts replace
ours key by key.  Its templates are sandboxed, because anybody who can change the content can change
them (https://jinja.palletsprojects.com/en/stable/sandbox/): they read what
`generator.site.templating` allows.  They extend one of ours by the prefix `original/`.  A name is
looked up among the files of the generator, of features and of the registry, and never becomes a
path.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import traceback
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import orjson
from markupsafe import Markup

from generator import PACKAGE
from generator.contract import templates
from generator.contract.artifact import Artifact
from generator.kinds.types import is_url
from generator.model.settings.colours import accent_of
from generator.site import colours, paths, pictures

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment, Template

#: The prefix of our own templates, for templates of a registry that replace them.
_ORIGINAL = "original/"
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
#: Pixels of a side of the touch icon.
_TOUCH_ICON = 180
#: The folder of the bundled scripts.
_SCRIPTS = PACKAGE / "site" / "scripts"
#: The script that is part of pages, not a file beside them.
_EARLY = "early.js"


#: A script -> the script whose parts and texts it has too.
_SHARED_TEXTS = {"agenda": "list", "find": "card"}


#: What to do after a ThemeError.
MEND = (
    "Correct the file, or remove it: the generator's own file is then used. If it is a copy from "
    "an older version, make it again from that file."
)


class ThemeError(Exception):
    """One of the registry's own files is wrong; the message says which and why."""


class Texts:
    """The texts of one language: `texts(key, number=2)`.

    A text is found by its dotted key.  A text with a singular is a mapping of `one` and `other`,
    chosen by `count`.  A missing key raises KeyError.
    """

    VISIBLE = frozenset(("known", "language", "number", "percent", "script"))

    def __init__(self, language: str, known: Mapping[str, Any]):
        self.language, self.known = language, known
        # Key -> the text, or None if it has a singular; singular and plural split at their
        # placeholders, whose names are at odd positions.
        self._split: dict[str, tuple[str | None, list[str], list[str]]] = {}
        self._scripts: dict[str, orjson.Fragment] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        split = self._split.get(key)
        if split is None:
            split = self._split[key] = self._split_text(key)
        text, singular, plural = split
        if text is not None and not values:
            return text
        parts = (singular if text is None and values["count"] == 1 else plural)[:]
        for position in range(1, len(parts), 2):
            value = values[parts[position]]
            if value.__class__ is not str:
                value = self.number(value) if isinstance(value, int) else str(value)
            parts[position] = value
        return "".join(parts)

    def _split_text(self, key: str) -> tuple[str | None, list[str], list[str]]:
        text: Any = self.known
        for name in key.split("."):
            text = text[name]
        if isinstance(text, dict):
            return None, _PLACEHOLDER.split(text["one"]), _PLACEHOLDER.split(text["other"])
        parts = _PLACEHOLDER.split(str(text))
        return str(text), parts, parts

    def number(self, value: int) -> str:
        """A whole number with the language's separator of thousands."""
        if -1000 < value < 1000:
            return f"{value:d}"
        separator: str = self.known["format"]["thousands"]
        return f"{value:,}".replace(",", separator)

    def script(self, name: str) -> orjson.Fragment:
        """The texts of a script and those common to all scripts, as JSON for `tojson`."""
        encoded = self._scripts.get(name)
        if encoded is None:
            texts = self.known["script"]
            shared = texts[_SHARED_TEXTS[name]] if name in _SHARED_TEXTS else {}
            encoded = self._scripts[name] = encoded_json(texts["common"] | shared | texts[name])
        return encoded

    def percent(self, share: float) -> str:
        """A share from 0 to 1 as a percentage, below 10 % with one decimal."""
        number = 100 * share
        digits = f"{number:.1f}" if 0 < number < 9.95 else f"{number:.0f}"
        formats = self.known["format"]
        localized = digits.removesuffix(".0").replace(".", formats["decimal"])
        return str(formats["percent"]).replace("{number}", localized)


def href(address: str) -> str:
    """The address itself if it is http or https, else ""."""
    return address if is_url(address) else ""


def _json(value: Any, **_: Any) -> str:
    """JSON for the filter `tojson`, which escapes it; tuples become lists."""
    return orjson.dumps(value, default=tuple, option=orjson.OPT_SORT_KEYS).decode()


def asset_path(name: str, raw: bytes) -> str:
    """The path of an asset, which has a digest of its content."""
    stem, _, ending = name.rpartition(".")
    return f"{paths.ASSETS}/{stem}-{hashlib.sha256(raw).hexdigest()[:8]}.{ending}"


def encoded_json(value: Any) -> orjson.Fragment:
    """The encoded JSON of a value that is in the JSON of many pages."""
    return orjson.Fragment(_json(value))


class Theme:
    """The templates, texts and assets of one registry.

    `own` has the registry's files by their paths in `folder`.  `accent` is a colour of six
    hexadecimal digits, `name` the registry's name, whose first letter is on the icon.  `compiled`
    caches our compiled templates; it is used only if the registry has no templates.
    """

    VISIBLE = frozenset(("assets", "bar_colours", "early", "texts"))

    def __init__(
        self,
        language: str,
        own: Mapping[str, bytes] | None = None,
        accent: str = "",
        name: str = "",
        compiled: BytecodeCache | None = None,
        folder: str = "templates/site",
    ):
        self.language, self.own, self.name = language, own or {}, name
        self.accent = accent or accent_of(name)
        self.compiled, self.folder = compiled, folder

    @cached_property
    def is_plain(self) -> bool:
        """Whether the registry has no templates of its own."""
        return not any(path.endswith(".j2") for path in self.own)

    @cached_property
    def environment(self) -> Environment:
        from jinja2 import FunctionLoader, StrictUndefined

        from generator.site.templating import Plain, Sandboxed

        environment_class = Plain if self.is_plain else Sandboxed
        environment = environment_class(
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
                raw = self._original(name.removeprefix(_ORIGINAL))
            else:
                raw = self.file(name)
        except OSError:
            return None
        return raw.decode(errors="replace"), name, None

    def template(self, name: str) -> Template:
        """The template `<name>.html.j2`.  Raises LookupError."""
        from jinja2 import TemplateNotFound

        try:
            return self.environment.get_template(f"{name}.html.j2")
        except TemplateNotFound as error:  # which is an OSError, as of the system
            raise LookupError(f"there is no template {error}") from None

    def compile_templates(self) -> None:
        for name in self._names:
            if name.endswith(".j2"):
                self.environment.get_template(name)

    @cached_property
    def _names(self) -> list[str]:
        return sorted({*templates.site_files(), *self.own})

    def display_path(self, name: str) -> str:
        """The path of a file for messages; of a file of the generator, its name."""
        return f"{self.folder}/{name}" if name in self.own else name.removeprefix(_ORIGINAL)

    def file(self, name: str) -> bytes:
        """A file of the theme.  Raises FileNotFoundError."""
        own = self.own.get(name)
        return own if own is not None else self._original(name)

    def _original(self, name: str) -> bytes:
        """A file of the generator, or of a feature.  Raises FileNotFoundError."""
        found = templates.site_files().get(name)
        if found is None:
            raise FileNotFoundError(name)
        return found[0].read_bytes()

    @cached_property
    def assets(self) -> Mapping[str, Artifact]:
        """Assets by name: files of `assets/`, the bundled scripts, icon and logo."""
        return dict(self._assets())

    def _assets(self) -> Iterator[tuple[str, Artifact]]:
        scripts = (path for path in sorted(_SCRIPTS.glob("*.js")) if path.name != _EARLY)
        data = {path.name: path.read_bytes() for path in scripts}
        for folder, _, name in (path.rpartition("/") for path in self._names):
            if folder == "assets":
                data[name] = self.file(f"{folder}/{name}")
        data["favicon.svg"] = self._icon()
        data["touch-icon.png"] = self.own.get("touch-icon.png") or self._touch_icon()
        data |= {name: self.own[name] for name in templates.PICTURES if name in self.own}
        # The colours come before the style sheet, which may be the registry's own.
        data["site.css"] = colours.token_rules(self.accent).encode() + data["site.css"]
        for name, raw in data.items():
            yield name, Artifact(asset_path(name, raw), raw)

    @cached_property
    def early(self) -> Markup:
        """The script in the head of some pages; `headers.EARLY_SCRIPT` has its digest."""
        return Markup((_SCRIPTS / _EARLY).read_text("utf-8").rstrip())

    def _icon(self) -> bytes:
        """The favicon: the first letter of the name on the accent."""
        template = self.environment.get_template("favicon.svg.j2")
        ink = colours.tokens(self.accent)["on-accent"]
        return template.render(accent=self.accent, ink=ink, initial=self._initial).encode()

    def _touch_icon(self) -> bytes:
        """The icon of a phone's home screen, which has to be a PNG: as the favicon."""
        ink = colours.tokens(self.accent)["on-accent"]
        return pictures.icon(_TOUCH_ICON, self._initial, self.accent, ink)

    @property
    def _initial(self) -> str:
        return self.name[:1].upper()

    @cached_property
    def bar_colours(self) -> tuple[str, str]:
        """The colour of a browser's bar above light and dark pages."""
        return self.accent, colours.tokens(self.accent, dark=True)["tint"]

    @cached_property
    def texts(self) -> Texts:
        """The texts of the language, else of its first part (de for de-AT), else English.

        Texts that a language lacks are English.  Raises ThemeError.
        """
        names = (self.language, self.language.partition("-")[0], "en")
        language = next(name for name in names if self._texts(name))
        texts: dict[str, Any] = {}
        for name in dict.fromkeys(("en", language)):
            for catalogue in self._texts(name):
                where = self.display_path(f"texts/{name}.json")
                texts = _merged(texts, catalogue, f"{where}: ")
        return Texts(language, texts)

    def _texts(self, language: str) -> list[dict[str, Any]]:
        """Our catalogue of a language, those of features and the registry's own, if they exist."""
        path = f"texts/{language}.json"
        own, ours = self.own.get(path), templates.site_files().get(path, ())
        catalogues = [orjson.loads(file.read_bytes()) for file in ours]
        if own is not None:
            try:
                catalogues.append(orjson.loads(own))
            except orjson.JSONDecodeError as error:
                where = f"{self.display_path(path)}:{error.lineno}"
                raise ThemeError(f"{where}: this is not JSON: {error.msg}") from error
        if not all(isinstance(catalogue, dict) for catalogue in catalogues):
            raise ThemeError(f"{self.display_path(path)} is no object of JSON")
        return catalogues

    @contextlib.contextmanager
    def own_errors(self) -> Iterator[None]:
        """Turn an exception that the registry's own files cause into a ThemeError."""
        try:
            yield
        except Exception as error:
            self.raise_own(error)

    def raise_own(self, error: Exception) -> NoReturn:
        """Raise an exception; as a ThemeError if the registry's own files caused it."""
        message = self.describe_error(error)
        if message is None:
            raise error
        raise ThemeError(message) from error

    def describe_error(self, error: Exception) -> str | None:
        """A message with template and line if the registry's own files caused an error."""
        from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError

        if isinstance(error, ThemeError):
            return str(error)
        if not any(name.endswith((".j2", ".json")) for name in self.own):
            return None
        if isinstance(error, TemplateSyntaxError):
            return f"{self.display_path(error.name or '')}:{error.lineno}: {error.message}"
        frames = traceback.extract_tb(error.__traceback__)
        lines = [(f.filename, f.lineno) for f in frames if f.filename.endswith(".j2")]
        if isinstance(error, TemplateNotFound):
            message = f"there is no template {error}"
        elif isinstance(error, KeyError):
            message = f"there is no text or value {error}"
        else:
            message = str(error)
        if not lines and not isinstance(error, TemplateError):
            return None
        # The last line of an own template; a template of the generator may fail below it.
        own = [line for line in lines if line[0] in self.own] or lines
        where = (
            f"{self.display_path(own[-1][0])}:{own[-1][1]}" if own else f"A file of {self.folder}"
        )
        return f"{where}: {message}"


def _merged(texts: dict[str, Any], more: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The texts of a catalogue replaced by those of another one of the same shape.

    `prefix` is the file and the parent keys, for the message.  Raises ThemeError.
    """
    merged = dict(texts)
    for key, text in more.items():
        ours: Any = merged.get(key)
        is_group = isinstance(ours, dict) and not _forms(ours)
        if is_group and isinstance(text, dict):
            merged[key] = _merged(ours, text, f"{prefix}{key}.")
        elif ours is None or _is_like(ours, text):
            merged[key] = text
        else:
            example = "{…}" if is_group else json.dumps(ours)
            raise ThemeError(f"{prefix}{key} has to be like {example}")
    return merged


def _is_like(ours: Any, text: Any) -> bool:
    """Whether a text has the shape of ours, and no placeholders that ours lacks."""
    if isinstance(ours, list) and isinstance(text, list):
        return len(ours) == len(text) and all(map(_is_like, ours, text))
    if isinstance(ours, int):
        return type(text) is int
    our_forms, forms = _forms(ours), _forms(text)
    if not our_forms or not forms:
        return False
    return set(_PLACEHOLDER.findall(forms)) <= set(_PLACEHOLDER.findall(our_forms))


def _forms(text: Any) -> str:
    """A text, or its singular and plural joined; "" for other values."""
    forms = text if isinstance(text, dict) else {"one": text, "other": text}
    is_text = forms.keys() == {"one", "other"} and all(isinstance(f, str) for f in forms.values())
    return " ".join(forms.values()) if is_text else ""
