"""SVG files: read with expat, compared with a list of what a logo may have, and written again from
what was read.

A document type is refused before expat expands an entity.  The published bytes are made from the
listed elements, attributes and texts alone, so nothing that the reader did not understand can be in
them.  Nothing that is listed can run a script, load another file, or make a browser repeat an
element: of the dashes of a stroke a browser draws each, also millions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from html import escape
from string import ascii_letters
from typing import Any, NoReturn
from xml.parsers import expat

from generator.features.logos.logo import check_size
from generator.problems.faults import RefusedFile, shorten

NAMESPACE = "http://www.w3.org/2000/svg"
#: The largest number in a value.
MAX_NUMBER = 1_000_000

# Regular expressions of tidied values.  All parts are atomic and all repetitions possessive: a
# value can be read in one way only, and one that is not valid takes no longer than a valid one.
NUMBER = r"(?>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)"
_LENGTH, _SIZE, _SHARE = f"{NUMBER}(?:px|%)?", f"{NUMBER}(?:px)?", f"{NUMBER}%?"
_BETWEEN, _PERHAPS_BETWEEN = r"(?> ?, ?| )", r"(?> ?,? ?)"
_NUMBERS = rf"{NUMBER}(?:{_PERHAPS_BETWEEN}{NUMBER})*+"
_BOX = rf"{NUMBER}(?:{_BETWEEN}{NUMBER}){{3}}"
_PATH = r"[Mm][MmZzLlHhVvCcSsQqTtAa0-9eE.+, -]*+"
_FUNCTION = rf"(?:matrix|translate|scale|rotate|skewX|skewY) ?\( ?{_NUMBERS} ?\)"
_TRANSFORM = rf"{_FUNCTION}(?:{_PERHAPS_BETWEEN}{_FUNCTION})*+"
_COLOUR = (
    r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-zA-Z]{3,30}|"
    rf"(?:rgb|rgba|hsl|hsla)\( ?{_LENGTH}(?:{_BETWEEN}{_LENGTH}){{2,3}} ?\)"
)
ID = r"[A-Za-z_][A-Za-z0-9_.-]{0,99}"
_REFERENCE = rf"url\(#({ID})\)"
PAINT, CLIP = f"{_COLOUR}|{_REFERENCE}", f"none|{_REFERENCE}"
NO_DASHES = "none"
_RULE, _UNITS = "nonzero|evenodd", "userSpaceOnUse|objectBoundingBox"

_PAINTED: Mapping[str, str] = {
    "id": ID, "transform": _TRANSFORM, "opacity": _SHARE, "color": _COLOUR,
    "fill": PAINT, "fill-opacity": _SHARE, "fill-rule": _RULE,
    "stroke": PAINT, "stroke-width": _LENGTH, "stroke-opacity": _SHARE,
    "stroke-linecap": "butt|round|square", "stroke-linejoin": "miter|round|bevel",
    "stroke-miterlimit": NUMBER, "stroke-dasharray": NO_DASHES, "stroke-dashoffset": _LENGTH,
    "clip-path": CLIP, "clip-rule": _RULE,
    "shape-rendering": "auto|optimizeSpeed|crispEdges|geometricPrecision",
    "vector-effect": "none|non-scaling-stroke",
}  # fmt: skip
_GRADIENT: Mapping[str, str] = {
    "id": ID, "gradientUnits": _UNITS, "gradientTransform": _TRANSFORM,
    "spreadMethod": "pad|reflect|repeat",
}  # fmt: skip
_SHAPES: Mapping[str, Mapping[str, str]] = {
    "path": {"d": _PATH},
    "rect": dict.fromkeys(("x", "y", "width", "height", "rx", "ry"), _LENGTH),
    "circle": dict.fromkeys(("cx", "cy", "r"), _LENGTH),
    "ellipse": dict.fromkeys(("cx", "cy", "rx", "ry"), _LENGTH),
    "line": dict.fromkeys(("x1", "y1", "x2", "y2"), _LENGTH),
    "polyline": {"points": _NUMBERS},
    "polygon": {"points": _NUMBERS},
}
_ROOT: Mapping[str, str] = {
    "xmlns": re.escape(NAMESPACE), "xmlns:xlink": re.escape("http://www.w3.org/1999/xlink"),
    "version": r"1\.[012]|2", "role": "img", "viewBox": _BOX, "width": _SIZE, "height": _SIZE,
    "preserveAspectRatio": r"none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?",
}  # fmt: skip

#: Element -> attribute -> the regular expression of its value.
ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "svg": {**_PAINTED, **_ROOT},
    "g": _PAINTED,
    "defs": {"id": ID},
    "linearGradient": {**_GRADIENT, **_SHAPES["line"]},
    "radialGradient": {**_GRADIENT, **dict.fromkeys(("cx", "cy", "r", "fx", "fy", "fr"), _LENGTH)},
    "stop": {"id": ID, "offset": _SHARE, "stop-color": _COLOUR, "stop-opacity": _SHARE},
    "clipPath": {"id": ID, "clipPathUnits": _UNITS, "transform": _TRANSFORM},
    "title": {"id": ID},
    "desc": {"id": ID},
    **{name: {**_PAINTED, **own} for name, own in _SHAPES.items()},
}
#: The elements that have text, and those that anything may have.
TEXTS = frozenset(("title", "desc"))
_DRAWN = frozenset((*_SHAPES, "g", "defs", "linearGradient", "radialGradient", "clipPath"))
#: Element -> the elements that it may have, besides `TEXTS`.
CHILDREN: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("svg", "g", "defs"), _DRAWN),
    **dict.fromkeys(("linearGradient", "radialGradient"), frozenset(("stop",))),
    "clipPath": frozenset(_SHAPES),
}


def tidy(value: str) -> str:
    """A value with single spaces between its parts, and none around it."""
    return " ".join(value.split())


def is_valid(pattern: str, value: str) -> bool:
    """Whether a tidied value matches, and its numbers are small enough."""
    if re.fullmatch(pattern, value) is None:
        return False
    if pattern is ID or value.startswith(("#", "url(")):
        return True
    return all(abs(float(number)) <= MAX_NUMBER for number in re.findall(NUMBER, value))


def reference(value: str) -> str | None:
    """The id that a value refers to."""
    match = re.fullmatch(_REFERENCE, value)
    return match[1] if match is not None else None


MAX_ELEMENTS = 4000
MAX_DEPTH = 32
#: Characters of a title or a description.
MAX_TEXT = 1000
#: Faults of a file that are reported at once.
MAX_FAULTS = 20

_PLAIN = "export it as plain SVG, for example with `svgo`, or use a PNG"
_HINTS = {
    "script": "remove it: a logo is a picture without scripts",
    "style": 'write colours as attributes, like fill="#0b6e4f"; `svgo` can do this',
    "text": "convert the text to paths",
    "tspan": "convert the text to paths",
    "image": "draw the picture with shapes, or use a PNG",
    "use": "replace it by a copy of the shape that it names",
    "a": "remove the link and keep the shapes inside it",
    "foreignObject": "remove it: a logo cannot contain a web page",
}
_SIZES = {"viewBox", "width", "height"}
_ANIMATIONS = ("set", "animate", "animateMotion", "animateTransform", "animateColor", "discard")


@dataclass(slots=True)
class _Element:
    """An element that is being read; `parts` are the written parts of what is inside it."""

    name: str
    head: str
    parts: list[str] = field(default_factory=list)


def rewrite_svg(raw: bytes) -> bytes:
    """The SVG, written again.  Raises RefusedFile."""
    _check_encoding(raw)
    reader = _SvgReader()
    reader.attempt(reader.read, raw)
    if reader.faults:
        first, *first.others = list(reader.faults.values())[:MAX_FAULTS]
        raise first
    return f"{reader.written}\n".encode()


def _check_encoding(raw: bytes) -> None:
    hint = "save the file as UTF-8 without a byte order mark"
    if raw.startswith((b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")):
        raise RefusedFile("invalid-logo", "this SVG begins with a byte order mark", hint)
    if (place := raw.find(b"\0")) >= 0:
        line = raw.count(b"\n", 0, place) + 1
        raise RefusedFile("invalid-logo", "this SVG has a byte that is zero", hint, line)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise RefusedFile("invalid-logo", "this SVG is not UTF-8", hint, line) from None


class _SvgReader:
    """Reads one document; `written` is its new text if there are no `faults`, by message."""

    def __init__(self) -> None:
        self.parser = parser = expat.ParserCreate("UTF-8")
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.StartDoctypeDeclHandler = partial(self.attempt, self._refuse_doctype)
        parser.EntityDeclHandler = self._refuse_doctype  # nothing is read behind it
        parser.XmlDeclHandler = self._take_declaration
        parser.ProcessingInstructionHandler = partial(self.attempt, self._refuse_instruction)
        parser.StartCdataSectionHandler = partial(self.attempt, self._refuse_cdata)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = partial(self.attempt, self._end)
        parser.CharacterDataHandler = partial(self.attempt, self._take_text)
        self.written = ""
        self.faults: dict[str, RefusedFile] = {}
        self._skipped = 0  # open elements: a refused one, and those inside it
        self._open: list[_Element] = []
        self._count = 0
        self._ids: dict[str, str] = {}  # id -> element
        #: id, the pattern of the value that refers to it, line and column
        self._references: list[tuple[str, str, int, int]] = []

    def read(self, raw: bytes) -> None:
        """Read the document.  Raises RefusedFile if nothing behind the fault can be read."""
        try:
            self.parser.Parse(raw, True)
        except expat.ExpatError as error:
            message = f"this is not valid SVG: {expat.ErrorString(error.code)}"
            place = error.lineno, error.offset + 1
            raise RefusedFile("invalid-logo", message, _PLAIN, *place) from None
        for reference in self._references:
            self.attempt(self._check_reference, *reference)

    def attempt(self, check: Callable[..., Any], *given: Any) -> Any:
        """The result of a check; None after a fault, which is noted."""
        try:
            return check(*given)
        except RefusedFile as fault:
            self.faults.setdefault(fault.message, fault)

    def _refuse(self, message: str, hint: str = _PLAIN, code: str = "unsafe-svg") -> NoReturn:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        raise RefusedFile(code, message, hint, line, column)

    def _refuse_doctype(self, *_: Any) -> None:
        hint = "remove the line that begins with <!DOCTYPE; SVG does not need it"
        self._refuse("a logo may not have a DOCTYPE", hint)

    def _refuse_instruction(self, target: str, _: str) -> None:
        hint = f"remove the line that begins with <?{target[:40]}"
        self._refuse(f'a logo may not have the instruction "<?{target[:40]}"', hint)

    def _refuse_cdata(self) -> None:
        if not self._skipped:
            self._refuse("a logo may not have a CDATA section", "remove it")

    def _take_declaration(self, version: str, encoding: str | None, _: int) -> None:
        if version != "1.0" or (encoding or "UTF-8").upper() != "UTF-8":
            hint = 'save the file as UTF-8, and write encoding="UTF-8" in its first line'
            self._refuse("a logo must be XML 1.0 in UTF-8", hint, "invalid-logo")

    def _start(self, name: str, given: list[str]) -> None:
        if self._skipped or not (self.attempt(self._check_place, name) or name == "a"):
            self._skipped += 1
            return
        if name == "a":  # its shapes stay when the link is removed
            name, given = "g", []
        attributes = {
            attribute: value
            for attribute, text in sorted(zip(given[::2], given[1::2], strict=True))
            if (value := self.attempt(self._checked, name, attribute, tidy(text)))
        }
        if name == "svg":
            self.attempt(self._check_root, attributes, given[::2])
        # xmlns:xlink declares a name that nothing in a logo may use
        written = [f' {key}="{text}"' for key, text in attributes.items() if key != "xmlns:xlink"]
        self._open.append(_Element(name, f"<{name}{''.join(written)}"))

    def _check_place(self, name: str) -> bool:
        """Refuse an element that is not allowed, or not allowed where it is; else True."""
        self._count += 1
        parent = self._open[-1].name if self._open else None
        if name not in ATTRIBUTES:
            what = "an animation" if name in _ANIMATIONS else f"the element <{name[:40]}>"
            self._refuse(f"a logo may not have {what}", _HINTS.get(name, _PLAIN))
        if parent is None:
            if name != "svg":
                self._refuse(f"this is <{name}> and not SVG", code="invalid-logo")
        elif parent in TEXTS or not (name in TEXTS or name in CHILDREN.get(parent, ())):
            self._refuse(f"<{name}> is not allowed inside <{parent}>")
        if self._count > MAX_ELEMENTS:
            self._refuse(f"a logo may have at most {MAX_ELEMENTS:,} elements", "simplify it")
        if len(self._open) >= MAX_DEPTH:
            self._refuse(f"a logo may have at most {MAX_DEPTH} groups inside each other")
        return True

    def _checked(self, element: str, attribute: str, value: str) -> str:
        """A tidied value that is allowed for the attribute."""
        pattern = ATTRIBUTES[element].get(attribute)
        if pattern is None:
            name, hint = attribute[:40], f"remove {attribute[:40]}, or {_PLAIN}"
            if attribute.lower().startswith("on"):
                hint = f"remove {name}: a logo is a picture without scripts"
            elif attribute in ("style", "class"):
                hint = _HINTS["style"]
            self._refuse(f"<{element}> may not have the attribute {name}", hint)
        if not value or not is_valid(pattern, value):
            if pattern in (PAINT, CLIP) and "url" in value.lower():
                hint = "a logo may only refer to its own gradients and clip paths, as url(#id)"
            elif pattern is NO_DASHES:
                hint = "draw each dash as a shape, or use a PNG"
            elif is_valid(NUMBER, value.rstrip(ascii_letters + "%")):
                hint = f'write it in pixels, without a unit such as mm, like {attribute}="64"'
            else:
                hint = f"correct {attribute}, or {_PLAIN}"
            message = f"<{element}> has a value of {attribute} that is not allowed"
            self._refuse(f'{message}: "{shorten(value)}"', hint)
        if pattern is ID:
            if value in self._ids:
                self._refuse(f'the id "{value}" is used twice', "give each element its own id")
            self._ids[value] = element
        elif (target := reference(value)) is not None:
            if any(part.name == "clipPath" for part in self._open):
                hint = "remove it from the shapes inside <clipPath>"
                message = f"<{element}> inside <clipPath> may not refer to another element"
                self._refuse(message, hint)
            place = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
            self._references.append((target, pattern, *place))
        return value

    def _check_root(self, attributes: dict[str, str], given: list[str]) -> None:
        """Check the size; `given` are also the names of attributes that are refused."""
        if "xmlns" not in given:
            hint = f'write <svg xmlns="{NAMESPACE}" …>'
            self.attempt(self._refuse, "<svg> has no xmlns", hint, "invalid-logo")
        box = [float(n) for n in attributes.get("viewBox", "").replace(",", " ").split()][2:]
        sides = [attributes[key] for key in ("width", "height") if key in attributes]
        size = [float(side.removesuffix("px")) for side in sides] if len(sides) == 2 else box
        if not size and attributes.keys() & _SIZES == _SIZES & {*given}:
            hint = 'write its size, like viewBox="0 0 64 64"'
            self._refuse("<svg> has neither a viewBox nor a width and height", hint, "invalid-logo")
        if size:
            place = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
            check_size(size[0], size[1], *place)

    def _take_text(self, text: str) -> None:
        if self._skipped:
            return
        element = self._open[-1]
        if element.name in TEXTS:
            element.parts.append(text)
        elif text.strip(" \t\r\n"):
            self._refuse(f"<{element.name}> may not have text", "convert the text to paths")

    def _end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        element = self._open.pop()
        inner = "".join(element.parts)
        if name in TEXTS:
            inner = tidy(inner)
            if len(inner) > MAX_TEXT:
                self._refuse(f"<{name}> has more than {MAX_TEXT:,} characters", "shorten it")
            inner = escape(inner, quote=False)
        written = f"{element.head}>{inner}</{name}>" if inner else f"{element.head}/>"
        if self._open:
            self._open[-1].parts.append(written)
        else:
            self.written = written

    def _check_reference(self, target: str, pattern: str, line: int, column: int) -> None:
        """Refuse a reference to an element that does not exist or cannot be used there."""
        wanted = "clipPath" if pattern is CLIP else "Gradient"
        if not self._ids.get(target, "").endswith(wanted):
            what = "clip path" if pattern is CLIP else "gradient"
            hint = "add the element with this id, or remove the reference"
            message = f"url(#{target}) refers to no {what}"
            raise RefusedFile("unsafe-svg", message, hint, line, column)
