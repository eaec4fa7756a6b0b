"""The names of collections and of kinds, in documents, schemas and filters."""

from __future__ import annotations

KIND_OF = {
    "projects": "project",
    "programs": "program",
    "organizations": "organization",
    "events": "event",
}
#: Language -> collection -> default nouns for one record and for several.  In English they are the
#: names above.
NOUNS = {
    "de": {
        "projects": ("Projekt", "Projekte"),
        "programs": ("Programm", "Programme"),
        "organizations": ("Organisation", "Organisationen"),
        "events": ("Termin", "Termine"),
    },
}
COLLECTION_OF = {kind: name for name, kind in KIND_OF.items()}
