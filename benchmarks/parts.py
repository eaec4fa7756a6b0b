"""What one project costs on its way from YAML to its files: `python benchmarks/parts.py CONTENT`.

Every step is done for all projects before the next, in one process, so that steps can be told
apart; times are CPU.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.build.output import Tree
from generator.contract.artifact import Artifact
from generator.dialect import simple
from generator.dialect.folder import scan
from generator.dialect.libyaml import _Composer, parse
from generator.kinds.models import model_of
from generator.model.kinds import kind_for
from generator.model.link import check_record
from generator.model.tables.table import tabulate
from generator.model.tables.texts import TextRows
from generator.published.content.entries import make_record
from generator.published.content.load import read_and_link
from generator.published.content.read import blob_id, read_header
from generator.search.terms import terms_from_model
from generator.search.vocabulary import RecordWords


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("content")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    gc.disable()
    content = scan(options.content)
    header, _ = read_header(content)
    linked = read_and_link(content, header, header.settings.grammar(), today="2026-01-01")
    symbols = linked.symbols
    kind, sources = kind_for(content.kinds["projects"]), content.sources["projects"]
    validate = model_of(kind.model).model_validate
    shown: list[tuple[str, float]] = []

    def step(name, work, items):
        began = time.process_time()
        found = [work(item) for item in items]
        shown.append((name, (time.process_time() - began) / len(sources) * 1e6))
        return found

    taken = step("read the file", lambda source: content.read_content(source.path), sources)
    step("its digest", lambda one: blob_id(one), taken)
    step("libyaml's nodes", lambda one: _Composer(one).get_single_node(), taken)
    parsed = step("nodes and plain data of them", lambda one: parse(one), taken)
    step("the same data by the simple lane", lambda one: simple.parse(one), taken)
    models = step("the model", validate, parsed)
    step("checks of references and words", lambda model: check_record(kind, model, symbols), models)
    pairs = list(zip((source.slug for source in sources), models, strict=True))
    terms = step("its words", lambda model: terms_from_model("projects", model, symbols), models)
    rendered: list = []
    made = step("all of it", lambda pair: make_record(kind, *pair, symbols, rendered), pairs)
    texts = TextRows()
    texts.add(rendered)
    collection = symbols.grammar["projects"]
    step("the row taken into the table", lambda rows: tabulate(collection, rows, texts), [
        [record.row for record in made]
    ])  # fmt: skip
    numbered = list(enumerate(terms))
    step("its postings", RecordWords, [numbered])
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        tree = Tree(Path(work), None, frozenset())
        step(
            "the file written",
            lambda one: tree.write(Artifact(f"/{one[0].row.slug}", one[1][1])),
            [*zip(made, rendered, strict=True)],
        )
    for name, cost in shown:
        print(f"{cost:8.1f} µs  {name}")


main()
