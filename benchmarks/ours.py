"""`registry build`, limited to the pages that the peers make: records, the list of projects and the
list of every tag.

Takes the same arguments.  Reading, checking and putting in place are the product's own.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.cli import main
from generator.published.content import entries
from generator.published.families import documents, lists
from generator.published.families.index import IndexFiles
from generator.published.families.records import RecordFiles
from generator.published.published import Published

every_slice = lists.slices


def peer_slices(table, symbols, as_of):
    if table.collection.name == "projects":
        for part, positions in every_slice(table, symbols, as_of):
            if part.filter.startswith("tag_") if part.filter else not part.sort:
                yield part, positions


lists.slices = peer_slices
every_document = documents.documents
documents.documents = lambda *words, site=False: [
    output for output in every_document(*words, site=site)
    if output.name in ("outputs.about", documents.INDEX)
]  # fmt: skip
# No peer makes a context, nor an index of words.
Published.api = property(lambda self: self.__dict__.setdefault(
    "peer_pages", (RecordFiles(self), lists.Lists(self))
))  # fmt: skip
every_late = Published.late
Published.late = property(lambda self: every_late.__get__(self, Published)[-2:])
IndexFiles.note = lambda self, addresses: None
entries.terms_from_model = lambda collection, model, symbols: ""
main()
