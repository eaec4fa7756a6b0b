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
COLLECTION_OF = {kind: name for name, kind in KIND_OF.items()}
