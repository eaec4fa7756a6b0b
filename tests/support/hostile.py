"""A registry whose texts would all be active markup if a page did not escape them."""

from __future__ import annotations

from typing import Any

BASE = "https://registry.example/data"
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "</title><img src=x onerror=alert(3)>",
    "\" onmouseover=\"alert(4)\" x=\"",
    "' autofocus onfocus='alert(5)",
    "--><svg onload=alert(6)>",
    "{{ 7 * 7 }} {% raw %} ${7}",
    "javascript:alert(7)",
    "[x](javascript:alert(8)) <http://x>",
    "&lt;script&gt; &amp;quot; &#60;",
    "\u200fעברית\u200e mixed \u061c",
    "🚀👩‍👩‍👧‍👦🇳🇴",
    "W" * 180,
    "]]> ]]&gt; <![CDATA[ <?php ?>",
    "</style><style>*{display:none}</style>",
    "<a href='https://x.example'>a</a><b",
]  # fmt: skip
#: Hostile http addresses.
ADDRESSES = [
    "https://x.example/'onmouseover='alert(1)",
    "https://x.example/?a=1&b=%22%3E%3Cscript%3E#x",
    "https://xn--nxasmq6b.example/%E2%80%AE",
]


class Words:
    """Hostile texts in turn, or plain texts of the same number and length, which are cut to a
    budget at the same places.
    """

    def __init__(self, plain: bool):
        self.plain, self.said = plain, 0

    def __call__(self, most: int = 190) -> str:
        self.said += 1
        text = f"{self.said:03} {HOSTILE[self.said % len(HOSTILE)][:most]}"
        return self._shown(text)

    def address(self) -> str:
        self.said += 1
        address = ADDRESSES[self.said % len(ADDRESSES)] + str(self.said)
        return self._shown(address, address.index("/", len("https://")) + 1)

    def _shown(self, text: str, kept: int = 4) -> str:
        """A text, or its start followed by a word as long as the rest."""
        length = len(text.encode()) - len(text[:kept].encode())
        return text[:kept] + "x" * length if self.plain else text


def content(word: Words) -> dict[str, dict[str, Any]]:
    def common() -> dict[str, Any]:
        return {
            "name": word(), "summary": word(), "description": f"{word()}\n\n{word()}",
            "website": word.address(), "sources": [word.address(), word.address()],
            "links": {"more": word.address()}, "aliases": [],
            "tags": {"topic": ["one", "two"], "free": ["three"]},
            "locations": [{"country": "NO", "region": "Vestland", "city": word(40)}],
        }  # fmt: skip

    projects = {
        f"project-{n:02}": {
            **common(), "year": 2000 + n, "programs": ["launch"], "organizations": ["fund"],
            "founders": [word(), word()], "former_names": [word()],
            "fields": {"note": word(), "stage": ["seed"], "pitch": word.address(), "size": 3},
            "aliases": [f"was-{n}"],
        }
        for n in range(len(HOSTILE))
    }  # fmt: skip
    return {
        "registry": {
            "name": word(100), "description": word(), "base_url": BASE, "page_size": 10,
            "contact": word.address(), "license": "CC0-1.0",
            "tag_families": {
                "topic": {"label": word(), "tags": {"one": word(), "two": word()}},
                "free": {"label": word()},
            },
            "organization_categories": {"investor": word()},
            "program_types": {"accelerator": word()},
            "fields": {"projects": {
                "note": {"label": word(), "type": "text", "summary": True},
                "stage": {"label": word(), "type": "choice", "many": True, "filter": True,
                          "values": {"seed": word()}},
                "pitch": {"label": word(), "type": "url"},
                "size": {"label": word(), "type": "number", "unit": word(30)},
            }},
        },
        "organizations": {"fund": {**common(), "category": "investor"}},
        "programs": {
            "whole": {**common(), "kind": "program", "type": "accelerator", "organization": "fund"},
            "launch": {**common(), "kind": "cohort", "type": "accelerator", "organization": "fund",
                       "parent": "whole", "year": 2025, "starts": "2025-01-01"},
        },
        "projects": projects,
        "events": {
            "call": {**common(), "kind": "deadline", "due": "2027-01-05", "program": "launch",
                     "organization": "fund"},
            "day": {**common(), "kind": "event", "starts": "2027-02-05 10:00",
                    "timezone": "Europe/Oslo", "program": "whole"},
        },
    }  # fmt: skip
