"""The templates of text files, and their jinja2 environment.

A checkout has them in `templates/`, an installed package in `generator/_templates/`.  Values never
become template source; a missing value is an error.  Values from content pass a filter:

    line       one line: each run of white space becomes one space
    markdown   one line without links, code spans, elements, table cells and hidden characters
    yaml       a double-quoted scalar without `---`: simple readers of frontmatter split at `---`
               even in quotes
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator import PACKAGE
from generator.feature import files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

#: Pictures, outside of `assets/`, and a text that a registry may add to the files of the site.
PICTURES = ("logo.svg", "logo.png", "favicon.svg", "touch-icon.png")
HOME_TEXT = "home.md"

_markdown = re.compile(r"[\\`*_\[\]<>|#]")
# Invisible characters, which a language model can read, and characters that change the visible
# order of a text.
_HIDDEN = "\u200b\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
_hidden = re.compile(f"[{_HIDDEN}]")
#: Finds anything that `markdown` changes; most texts have only plain words and single spaces.
_not_plain = re.compile(rf"[\\`*_\[\]<>|#{_HIDDEN}]|\s\s|[^\S ]|^\s|\s$").search
# Characters that JSON leaves unescaped and YAML 1.2 (§5.1, §5.4) forbids or reads as line breaks.
_not_yaml = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|(?<=-)-(?=-)")


def template_folder() -> Path:
    packed = PACKAGE / "_templates"
    return packed if packed.is_dir() else PACKAGE.parent / "templates"


@cache
def site_files() -> Mapping[str, tuple[Path, ...]]:
    """The files of pages by their paths below `site/`: that of the generator, those of features.

    Files are looked up here, because a path joined from a template's word may lead anywhere.
    """
    found: dict[str, tuple[Path, ...]] = {}
    for folder in (template_folder() / "site", *files("templates/site")):
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                name = file.relative_to(folder).as_posix()
                found[name] = (*found.get(name, ()), file)
    return found


@lru_cache(maxsize=1)
def environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader([template_folder(), *files("templates")]),
        undefined=StrictUndefined,
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(line=line, markdown=markdown, yaml=yaml)
    return environment


def render_template(name: str, /, **values: Any) -> bytes:
    """The template `<name>.j2` with these values."""
    return environment().get_template(f"{name}.j2").render(values).encode()


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words as in "a", "a and b" or "a, b and c"; `last` is the word before the last."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def line(text: str) -> str:
    return " ".join(text.split())


def markdown(text: str) -> str:
    if not _not_plain(text):
        return text
    return _markdown.sub(lambda match: "\\" + match[0], line(_hidden.sub("", text)))


def yaml(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _not_yaml.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
