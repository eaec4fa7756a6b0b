"""Additions of the development server to HTML pages: the reload script and the problems of the
content.

They come from separate files and nothing is inline, so pages with a Content-Security-Policy look as
they will when published. Only the reload needs a script.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from generator.problems.diagnostic import Diagnostic

#: livereload's own address: the script finds itself by this name.
SCRIPT = "/livereload.js"
STYLE = "/livereload.css"

_HEAD = f'<link rel="stylesheet" href="{STYLE}"><script src="{SCRIPT}" defer></script>'.encode()

CSS = b"""\
#registry-problems {
  all: initial; position: fixed; inset: auto 0 0; z-index: 2147483647; box-sizing: border-box;
  max-height: 70vh; overflow: auto; color-scheme: dark; color: #e8eaed; background: #1d1f24;
  border-top: 4px solid #ff5c5c; box-shadow: 0 -2px 16px #0004;
  font: 15px/1.5 system-ui, sans-serif; text-align: left;
}
#registry-problems * { box-sizing: border-box; }
#registry-problems summary {
  position: sticky; top: 0; padding: 12px 24px; background: #1d1f24; cursor: pointer;
}
#registry-problems summary:focus-visible { outline: 2px solid #8ab4f8; outline-offset: -2px; }
#registry-problems strong { color: #ff8a8a; }
#registry-problems ol { list-style: none; margin: 0; padding: 0 24px 16px; }
#registry-problems li { padding: 10px 0; border-top: 1px solid #3a3d45; overflow-wrap: anywhere; }
#registry-problems p { margin: 2px 0; }
#registry-problems .place {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: 0 24px;
}
#registry-problems code, #registry-problems pre {
  padding: 0; border: 0; background: none; font: 13px/1.5 ui-monospace, monospace;
}
#registry-problems .where { color: #8ab4f8; }
#registry-problems .code { color: #a8adb8; }
#registry-problems .hint { color: #a5d6a7; }
#registry-problems pre {
  margin: 0; padding: 0 24px 16px; white-space: pre-wrap; overflow-wrap: anywhere;
}
"""


class Trouble(NamedTuple):
    """Errors in the content, or, if there are none, another reason why it is not shown."""

    problems: Sequence[Diagnostic] = ()
    failure: str = ""


def add_overlay(page: bytes, trouble: Trouble | None, *, stale: bool = True) -> bytes:
    """The page with the reload script and the trouble.  `stale`: the page is of earlier content."""
    page = _insert(page, _HEAD, b"</head>")
    if trouble is None:
        return page
    title, details = "The content could not be read.", _text(trouble.failure)
    if count := len(trouble.problems):
        title = f"{count} error{'s' * (count != 1)} in the content."
        details = f"<ol>{''.join(map(_item, trouble.problems))}</ol>"
    status = "You see the content as it was before." if stale else "There is nothing to show yet."
    return _insert(page, _overlay(title, status, details), b"</body>")


def add_failure(page: bytes, failure: str) -> bytes:
    """The page that is shown in place of one that could not be made."""
    overlay = _overlay("This page could not be made.", "Other pages may work.", _text(failure))
    return _insert(page, overlay, b"</body>")


def _insert(page: bytes, part: bytes, before: bytes) -> bytes:
    at = page.rfind(before)
    return page[:at] + part + page[at:] if at >= 0 else page + part


def _overlay(title: str, status: str, details: str) -> bytes:
    return (
        f'<details id="registry-problems" open><summary><strong>{title}</strong> '
        f"{status}</summary>{details}</details>\n"
    ).encode()


def _text(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _item(problem: Diagnostic) -> str:
    where = escape(f"{problem.path}:{problem.line}:{problem.column}")
    place = (
        f'<p class="place"><code class="where">{where}</code><code '
        f'class="code">{escape(problem.code)}</code></p>'
    )
    hint = f'<p class="hint">{escape(problem.hint)}</p>' if problem.hint else ""
    return f"<li>{place}<p>{escape(problem.message)}</p>{hint}</li>"
