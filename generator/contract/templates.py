"""The templates of the text surfaces, and the one environment they are rendered in.

A checkout has them in `templates/`, an installed package in `generator/_templates/`.  Values never
become template source, and one that was not given is an error.  What comes from content passes a
filter that keeps it in its place:

    line       one line: every run of white space becomes one blank
    markdown   one line that cannot open a link, a code span, an element or a cell of a table,
               and hides nothing
    yaml       a double-quoted scalar without `---`: naive readers of frontmatter split there,
               quotes or not
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator import PACKAGE

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment

_markdown = re.compile(r"[\\`*_\[\]<>|#]")
# Characters that a person does not see and a model may read, and those that show a text in another
# order than it has.
_HIDDEN = "\u200b\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
_hidden = re.compile(f"[{_HIDDEN}]")
#: In most texts is nothing of this, and no white space but single blanks between words.
_not_plain = re.compile(rf"[\\`*_\[\]<>|#{_HIDDEN}]|\s\s|[^\S ]|^\s|\s$").search
# What JSON writes plainly and YAML 1.2 §5.1 and §5.4 does not take, or takes for a line break.
_not_yaml = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|(?<=-)-(?=-)")


def folder() -> Path:
    """Where the templates are."""
    packed = PACKAGE / "_templates"
    return packed if packed.is_dir() else PACKAGE.parent / "templates"


#: Keeps compiled templates for the next process, by a key of what their code depends on besides
#: their text; a build has one (see generator.build.documents).
caching: Callable[[str], BytecodeCache] | None = None


@lru_cache(maxsize=1)
def environment() -> Environment:
    import jinja2
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    depends = jinja2.__version__ + Path(__file__).read_text("utf-8")
    environment = Environment(
        loader=FileSystemLoader(folder()),
        undefined=StrictUndefined,
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=caching(depends) if caching is not None else None,
    )
    environment.filters.update(line=line, markdown=markdown, yaml=yaml)
    return environment


def render(name: str, /, **values: Any) -> bytes:
    """The template `<name>.j2` with these values."""
    return environment().get_template(f"{name}.j2").render(values).encode()


def keep() -> None:
    """Have what was compiled kept, if any was."""
    cache: Any = environment().bytecode_cache if environment.cache_info().currsize else None
    if cache is not None:
        cache.write()


def line(text: str) -> str:
    return " ".join(text.split())


def markdown(text: str) -> str:
    if not _not_plain(text):
        return text
    return _markdown.sub(lambda match: "\\" + match[0], line(_hidden.sub("", text)))


def yaml(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _not_yaml.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
