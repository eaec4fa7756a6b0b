"""The configuration that `wrangler deploy` reads, for hosts on Cloudflare."""

from __future__ import annotations

import json
from typing import Any

from generator.contract.artifact import Artifact
from generator.model.settings.registry import Settings
from generator.text.words import slugify


def worker_name(settings: Settings) -> str:
    """The name of the worker and of the bucket."""
    return slugify(settings.name)[:50].strip("-") or "registry"


def configuration(install: str, settings: Settings, main: str, **more: Any) -> Artifact:
    """The configuration of a worker whose script is `main`; `install` is the comment before it."""
    data = {
        "$schema": "node_modules/wrangler/config-schema.json",
        "name": worker_name(settings),
        "main": main,
        "compatibility_date": "2025-10-01",
        **more,
    }
    return Artifact("/wrangler.jsonc", f"{install}{json.dumps(data, indent=2)}\n".encode())
