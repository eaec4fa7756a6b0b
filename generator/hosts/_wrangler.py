"""What `wrangler deploy` reads, for all that runs on Cloudflare."""

from __future__ import annotations

import json
from typing import Any

from generator.contract.artifact import Artifact
from generator.grammar.text import slugify
from generator.model.settings.registry import Settings


def named(settings: Settings) -> str:
    """What a worker is called, and a bucket."""
    return slugify(settings.name)[:50].strip("-") or "registry"


def configuration(install: str, settings: Settings, main: str, **more: Any) -> Artifact:
    """The configuration of a worker whose script is `main`, after how to install it."""
    said = {
        "$schema": "node_modules/wrangler/config-schema.json",
        "name": named(settings),
        "main": main,
        "compatibility_date": "2025-10-01",
        **more,
    }
    return Artifact("/wrangler.jsonc", f"{install}{json.dumps(said, indent=2)}\n".encode())
