"""`registry build`, limited to the pages that the peers make: records, the list of projects and the
list of every tag.

Takes the same arguments.  Reading, checking, the cache and putting in place are the product's own.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.build import lists, pipeline
from generator.cli import main
from generator.published import documents
from generator.published.reading import read

every_slice = lists.slices


def peer_slices(table, symbols, as_of):
    if table.collection.name == "projects":
        for part, positions in every_slice(table, symbols, as_of):
            if part.filter.startswith("tag_") if part.filter else not part.sort:
                yield part, positions


lists.slices = peer_slices
documents.documents = lambda hosts, *, site: []
# No peer makes a context, nor an index of words and of the checks of pages.
lists.crc32 = lambda data: 0
documents.write_contexts = lambda *given: None
read.find_terms = lambda slug, model, symbols: ("", "")
every_part = pipeline.Parts
pipeline.make_indexes = lambda *given: []
pipeline.Parts = lambda indexes, *given: every_part([], *given)
main()
