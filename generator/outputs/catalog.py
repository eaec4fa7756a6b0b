"""The API catalog (RFC 9727): a linkset (RFC 9264) from the well-known address to the descriptions
of the API.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.contract.artifact import Artifact, encode_json
from generator.grammar import paths
from generator.model.settings.registry import Settings
from generator.model.symbols import Symbols

ADDRESSES = (paths.API_CATALOG,)


def render(settings: Settings, symbols: Symbols) -> Iterator[Artifact]:
    def target(path: str, media_type: str, title: str) -> dict[str, str]:
        return {
            "href": settings.origin + symbols.grammar.url(path),
            "type": media_type,
            "title": title,
        }

    index = target(paths.INDEX, "application/json", "Index of everything published")
    # Relations of RFC 8631.  The anchor of the API is its index, because a host without rules has
    # no file at a shorter address.
    api = {
        "anchor": index["href"],
        "service-desc": [
            target(paths.OPENAPI, "application/json", "OpenAPI 3.1"),
            target(
                paths.AGENT_CATALOG,
                "application/json",
                "What an agent can read, and how large it is",
            ),
            target(paths.AGENT_TOOLS, "application/json", "The queries as tools"),
        ],
        "service-doc": [
            target(paths.SKILL, "text/markdown", "How to read this API, for agents"),
            target(paths.LLMS, "text/plain", "Overview for language models"),
        ],
        "service-meta": [
            index,
            target(paths.AGENT_SKILLS, "application/json", "Agent Skills discovery"),
        ],
        "status": [target(paths.BUILD, "application/json", "When and from what this was built")],
    }
    catalog = {"anchor": settings.origin + symbols.grammar.url(paths.API_CATALOG), "item": [index]}
    yield Artifact(paths.API_CATALOG, encode_json({"linkset": [catalog, api]}))
