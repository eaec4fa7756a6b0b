"""What the JavaScript of matching finds in its table of settings (search/js/__init__.py).

The sources, candidates.mjs, extension.mjs, names.mjs and reconcile.mjs, are with those of the core,
because the bundles are made of all.
"""

from __future__ import annotations

from typing import Any

from generator.features.matching import names as scores
from generator.features.matching.name_files import MANY_FILES
from generator.features.matching.questions import (
    FAR,
    FORMER,
    LEAST,
    MAX_BATCH,
    MAX_KEYS,
    NEAR,
    PLACES,
    SAME_HOST,
    SURE,
    USUAL,
)
from generator.features.matching.reconcile import (
    MANIFEST_SOURCES,
    MAX_CANDIDATES,
    MAX_CHARACTERS,
    MAX_PROPOSED,
    MAX_SUGGESTED,
    MAX_VALUES_OF_PROPERTY,
    PLACE_PROPERTIES,
    SITE_PROPERTIES,
    proposals,
    service_manifest,
)
from generator.grammar.grammar import Grammar
from generator.grammar.limits import MAX_FORM
from generator.text import legal_forms


def reconcile(grammar: Grammar) -> dict[str, Any]:
    """What `/api/reconcile/…` needs: its manifests, properties and limits."""
    return {
        "manifests": {c.name: service_manifest(c, grammar) for c in grammar.collections.values()},
        "sources": MANIFEST_SOURCES,
        "properties": {c.name: proposals(c) for c in grammar.collections.values()},
        "pids": {"place": PLACE_PROPERTIES, "site": SITE_PROPERTIES},
        "most": {
            "batch": MAX_BATCH,
            "form": MAX_FORM,
            "candidates": MAX_CANDIDATES,
            "suggested": MAX_SUGGESTED,
            "proposed": MAX_PROPOSED,
            "values": MAX_VALUES_OF_PROPERTY,
            "characters": MAX_CHARACTERS,
        },
    }


def names() -> dict[str, Any]:
    """What `names.mjs` and `candidates.mjs` need."""
    return {
        "longest": legal_forms.MAX_NAME,
        "forms": {
            "last": sorted(legal_forms.LEGAL_FORMS),
            "first": sorted(legal_forms.FIRST_FORMS),
            "before": sorted(legal_forms.BEFORE_FORMS),
            "words": legal_forms.MAX_FORM,
            "joined": legal_forms.JOINED,
            "ordinary": legal_forms.ORDINARY_WORD,
        },
        "common": " ".join(sorted(scores.COMMON_WORDS)),
        "short": scores.SHORT_FORMS,
        "site": scores.SITE,
        "id": scores.IDENTIFIER,
        "edits": scores.EDITS,
        "least": {"begun": scores.MIN_BEGUN, "initials": scores.MIN_INITIALS},
        "scores": {
            "same": scores.SAME,
            "core": scores.SAME_CORE,
            "joined": scores.JOINED,
            "shortened": scores.SHORTENED,
            "initials": scores.INITIALS,
            "edited": scores.EDITED,
            "some": scores.SOME_WORDS,
        },
        "places": PLACES,
        "most": {
            "files": MANY_FILES,
            "keys": MAX_KEYS,
            "least": LEAST,
            "sure": SURE,
            "usual": USUAL,
            "same_host": SAME_HOST,
            "former": FORMER,
            "near": NEAR,
            "far": FAR,
        },
    }
