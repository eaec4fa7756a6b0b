"""The addresses of documents by identifier."""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.addresses import Added, Address, PathPattern
from generator.grammar.grammar import Grammar

FORMS = (PathPattern("other", "api/by-id/[a-z][a-z0-9_-]{0,49}", r"[0-9a-f]{16}\.json"),)
SURFACE = "by-id"


def identified(scheme: str, digest: str) -> str:
    """The records with an identifier, of which the file has a digest in its name."""
    return f"/api/by-id/{scheme}/{digest}.json"


def documents(grammar: Grammar) -> Iterator[Added]:
    if asked := grammar.asked.get("by_id"):
        schemes = {"type": "string", "enum": [*dict.fromkeys(asked)]}
        template = identified("{scheme}", "{digest}")
        about = Address(
            template,
            "identified",
            "The records with an identifier",
            parameters={
                "scheme": ("The scheme of the identifier.", schemes),
                "digest": (
                    "The first 16 digits of the SHA-256 of the identifier in lower case.",
                    {"type": "string", "pattern": "^[0-9a-f]{16}$"},
                ),
            },
        )
        words = "The records with one identifier; the name is a part of its SHA-256."
        yield Added(about, "by_id", words, SURFACE)
