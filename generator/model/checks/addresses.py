"""A web address has the name of a website.  Warns about addresses of a private network, addresses
of a page that only leads on, tracking parameters, `&amp;`, and signs that belong to the text around
an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from itertools import chain
from typing import Any
from urllib.parse import parse_qs

from generator.kinds.types import find_urls, is_url
from generator.model.kind import Kind
from generator.model.symbols import Symbols
from generator.problems.diagnostic import Fix
from generator.problems.faults import Fault, Loc, describe_field, shorten

# --- addresses of networks ------------------------------------------------------------------------
#
# Which IP addresses are on the public internet: the blocks are those of the IANA registries of
# special-purpose addresses (https://www.iana.org/assignments/iana-ipv4-special-registry,
# .../iana-ipv6-special-registry) in which no website is.  Versions of Python differ in what they
# call global.


#: Among them are those of protocols of the IETF, documentation, 6to4, benchmarks and multicast.
_PRIVATE_4 = [IPv4Network(block) for block in (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
)]  # fmt: skip
#: IPv6 addresses outside of this block are not assigned to hosts on the internet (RFC 4291 2.4).
_UNICAST_6 = IPv6Network("2000::/3")
_BLOCKS_6 = "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"
_PRIVATE_6 = [IPv6Network(block) for block in _BLOCKS_6]
#: The addresses of IPv4 hosts in networks that only have IPv6 (RFC 6052).
_TRANSLATED = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet.  Raises ValueError if it is none."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and ip in _TRANSLATED:
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    if isinstance(ip, IPv4Address):
        return not any(ip in block for block in _PRIVATE_4)
    return ip in _UNICAST_6 and not any(ip in block for block in _PRIVATE_6)


# --- the check ------------------------------------------------------------------------------------


#: Host and path of pages that only lead on, with the parameter that has the address meant.
_REDIRECTS = (
    (r"(?:www\.)?google\.[a-z.]+/url", ("url", "q")),
    (r"(?:[a-z0-9-]+\.)*safelinks\.protection\.outlook\.com/.*", ("url",)),
    (r"(?:lm?|www)\.(?:facebook|instagram)\.com/(?:l\.php)?", ("u",)),
    (r"(?:www\.)?youtube\.com/redirect", ("q",)),
    (r"(?:www\.)?linkedin\.com/(?:redir/redirect|safety/go)/?", ("url",)),
    (r"duckduckgo\.com/l/", ("uddg",)),
    (r"slack-redir\.net/link", ("url",)),
    (r"(?:www\.)?vk\.com/away\.php", ("to",)),
)
#: Parameters that only say where a visitor came from.
_TRACKING = r"(?:utm_\w+|\w*clid|[gw]braid|mc_[ce]id|igshid|_hs\w+|_gl|srsltid)"
_is_tracking = re.compile(f"{_TRACKING}=.*", re.I).fullmatch
_is_private = re.compile(
    r".*\.(?:local|localhost|internal|intranet|lan|home|corp|home\.arpa)"
).fullmatch
#: Signs that no host has, and those that an address does not end with: brackets only without their
#: counterpart, a quote only without another.
_bad_host = re.compile(r"[!-,;=~\u2018-\u201f\u2026\u00ab\u00bb]").search
_ENDS = ",;')]}\u2018\u2019\u201c\u201d\u201e\u2026\u00bb"
_PAIRS = {")": "(", "]": "[", "}": "{", "'": "'"}
_may_be_odd = re.compile(rf"&amp;|[?&]{_TRACKING}=|=https?(?::|%3A)", re.I).search
_is_sample = re.compile(r"https?://(?:www\.)?example\.com/?", re.I).fullmatch
_HINT = "write the address of a public page, like https://example.org/, or leave it out"


def check_record(kind: Kind, record: Any, symbols: Symbols) -> Iterator[Fault]:
    values: dict[Loc, Any] = {
        ("website",): record.website, ("links",): record.links, ("sources",): record.sources
    }  # fmt: skip
    values |= {f.place: getattr(record, f.name) for f in kind.declared.own}
    for loc, url in chain(*(find_urls(*place) for place in values.items())):
        if (
            not is_public_place(url.split("/", 3)[2])
            or ("?" in url and _may_be_odd(url))
            or url[-1] in _ENDS
            or url[-2] in _ENDS
            or "example.com" in url.lower()
        ):
            yield from _check_url(url, loc)


def _check_url(url: str, loc: Loc) -> Iterator[Fault]:
    field, host = describe_field(loc), _host(url)
    if "." not in host or host[0] == "-":
        message = f'{field}: "{shorten(url)}" is not the address of a website'
        yield Fault("invalid-url", message, loc, _HINT)
    elif _is_sample(url):  # RFC 2606
        message = f"{field}: {shorten(host)} is only an example of an address"
        yield Fault("odd-url", message, loc, _HINT, severity="warning")
    elif not is_public_place(url.split("/", 3)[2]) and not _bad_host(host):
        message = f"{field}: {shorten(host)} is an address of a private network"
        yield Fault("odd-url", message, loc, _HINT, severity="warning")
    elif (meant := _meant(url))[0] != url:
        fix = Fix("value", meant[0], loc)
        message = f"{field}: {meant[1]}"
        yield Fault("odd-url", message, loc, f"write {meant[0]}", severity="warning", fix=fix)
    elif _bad_host(host):
        message = f'{field}: no website can have the name "{shorten(host)}"'
        yield Fault("odd-url", message, loc, _HINT, severity="warning")


def _host(url: str) -> str:
    return re.split("[/?#:]", url.partition("//")[2])[0]


@lru_cache(maxsize=65536)
def is_public_place(place: str) -> bool:
    """Whether a URL with this host, and what follows up to a slash, may be on the internet."""
    host = _host(f"//{place}")
    if host[-1:].isdigit():  # it may be an IP address
        with suppress(ValueError):
            return is_public(host)
    return "." in host and host[0] != "-" and not (_is_private(host.lower()) or _bad_host(host))


def _without_ends(url: str) -> str:
    """An address without the signs at its end that belong to the text around it."""
    text = url.rstrip("/")
    while (sign := text[-1]) in _ENDS:
        other = _PAIRS.get(sign, "")
        if other and text.count(other) >= text.count(sign) + (other == sign) * (
            text.count(sign) < 2
        ):
            break
        text = text[:-1]
    return text if text != url.rstrip("/") else url


def _meant(url: str) -> tuple[str, str]:
    """The address that is meant, and the first reason why it is not this one."""
    reasons = []
    for _ in range(5):  # redirects may be nested
        for reason, change in _CHANGES.items():
            better = change(url)
            if better != url and is_url(better) and "." in _host(better):
                reasons.append(reason)
                url = better
                break
        else:
            break
    return url, reasons[0] if reasons else ""


def _led_to(url: str) -> str:
    """The address that a page leads on to."""
    page, _, query = url.partition("://")[2].partition("?")
    for pattern, names in _REDIRECTS:
        if re.fullmatch(pattern, page, re.I):
            parameters = parse_qs(query.partition("#")[0])
            found = (parameters[name][0].strip() for name in names if name in parameters)
            return next(filter(is_url, found), url)
    return url


def _without_tracking(url: str) -> str:
    address, _, fragment = url.partition("#")
    page, _, query = address.partition("?")
    kept = [p for p in query.split("&") if not _is_tracking(p)]
    if len(kept) == query.count("&") + 1:
        return url
    return page + "?" * bool(kept) + "&".join(kept) + "#" * bool(fragment) + fragment


#: Reason -> the address without its cause.
_CHANGES = {
    "the sign at its end belongs to the text around it": _without_ends,
    "this has &amp; instead of &, as in the source of a page": lambda u: u.replace("&amp;", "&"),
    "this leads to another page": _led_to,
    "this has parameters that only say where a visitor came from": _without_tracking,
}
