"""What one record of a collection is called, in documents, schemas and filters: the one place where
a plural meets its singular.
"""

from __future__ import annotations

KIND_OF = {
    "projects": "project",
    "programs": "program",
    "organizations": "organization",
    "events": "event",
}
#: language -> collection -> one record of it, and several, where a registry of that language has no
#: words of its own; in English they are the names above.
NOUNS = {
    "de": {
        "projects": ("Projekt", "Projekte"),
        "programs": ("Programm", "Programme"),
        "organizations": ("Organisation", "Organisationen"),
        "events": ("Termin", "Termine"),
    },
}
COLLECTION_OF = {kind: name for name, kind in KIND_OF.items()}
