"""What the JavaScript of matching finds in its table of settings (engine/table.py).

The sources, candidates.mjs, extension.mjs, names.mjs and reconcile.mjs, are with those of the core,
because the bundles are made of all.
"""

from __future__ import annotations

from typing import Any

from generator.features.matching import names as words
from generator.features.matching import questions as scores
from generator.features.matching.name_files import MANY_FILES
from generator.features.matching.questions import PLACES
from generator.features.matching.reconcile import MANIFEST_SOURCES, proposals, service_manifest
from generator.grammar.grammar import Grammar
from generator.grammar.limits import MAX_FORM
from generator.text import legal_forms


def reconcile(grammar: Grammar) -> dict[str, Any]:
    """What `/api/reconcile/…` needs: its manifests, properties and limits."""
    return {
        "manifests": {c.name: service_manifest(c, grammar) for c in grammar.collections.values()},
        "sources": MANIFEST_SOURCES,
        "properties": {c.name: proposals(c) for c in grammar.collections.values()},
        "pids": {"place": scores.PLACE_PROPERTIES, "site": scores.SITE_PROPERTIES},
        "most": {
            "batch": scores.MAX_BATCH,
            "form": MAX_FORM,
            "candidates": scores.MAX_CANDIDATES,
            "suggested": scores.MAX_SUGGESTED,
            "proposed": scores.MAX_PROPOSED,
            "values": scores.MAX_VALUES_OF_PROPERTY,
            "characters": scores.MAX_CHARACTERS,
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
        "common": " ".join(sorted(words.COMMON_WORDS)),
        "short": words.SHORT_FORMS,
        "site": words.SITE,
        "id": words.IDENTIFIER,
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
            "keys": scores.MAX_KEYS,
            "least": scores.LEAST,
            "sure": scores.SURE,
            "usual": scores.USUAL,
            "same_host": scores.SAME_HOST,
            "former": scores.FORMER,
            "near": scores.NEAR,
            "far": scores.FAR,
        },
    }
