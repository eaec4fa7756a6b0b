"""A filled-in issue form becomes a record, or a report, and an answer in plain words.

Whatever was written into the form is shown as code in the answer: there it calls nobody, links
nowhere and turns no text around.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from generator.dialect import values
from generator.dialect.examine import examine
from generator.edit.changes import Moved, Refused, settle
from generator.edit.forms.answers import Problem, Unclear, answered, fields, unticked
from generator.edit.forms.github import ANOTHER, CONFIRMED, PROMISES, REPORT, SLUG, asked, headings
from generator.edit.forms.questions import Question
from generator.edit.forms.workspace import Known, add
from generator.edit.new import Resembles, plan
from generator.grammar.names import COLLECTION_OF, KIND_OF
from generator.grammar.text import is_slug
from generator.model.kinds import KINDS
from generator.model.link import check_record
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, did_you_mean, is_error, printable
from generator.problems.faults import Loc
from generator.problems.markdown import backquotes, code

#: The first line of an answer, by which it is known again.
MARK = "<!-- registry-submission -->"
_MOST = 300  # characters shown of an answer
_MOST_LISTED = 50  # problems
_MOST_SHOWN = 25_000  # characters of a record
_address = re.compile(r"(projects|programs|organizations|events)/([a-z0-9-]{1,100})(?![a-z0-9-])")


class Submission(NamedTuple):
    """What came of a submission.

    `outcome` is `record` (it was written), `report` (it tells of an error in `file`), `refused`
    (`problems` say why) or `none`, where an issue is no form of the registry.  `answer` and
    `request`, the text of the pull request, are Markdown; `file` is below the content folder.
    """

    outcome: str
    answer: str = ""
    kind: str = ""
    slug: str = ""
    file: str = ""
    problems: Sequence[Problem] = ()
    request: str = ""

    @property
    def title(self) -> str:
        return f"Add the {self.kind} {self.slug}" if self.outcome == "record" else ""


def submit(folder: str, known: Known, body: str, *, duplicate: bool = False) -> Submission:
    """Read what an issue says, and write the record that it proposes.

    A record that looks like another one is refused, unless the form or `duplicate` says that it is
    a different one.
    """
    try:
        for kind, collection in COLLECTION_OF.items():
            form = asked(kind, known.symbols)
            answers = answered(body, [*headings(form), CONFIRMED])
            if answers is not None:
                return _record(folder, known, collection, form, answers, duplicate)
        answers = answered(body, headings(REPORT))
    except Unclear as error:
        return _refused([Problem("", str(error))])
    return Submission("none") if answers is None else _report(known, answers)


def _record(
    folder: str,
    known: Known,
    collection: str,
    form: Sequence[Question],
    answers: dict[str, str],
    duplicate: bool,
) -> Submission:
    record, problems = fields(answers, form)
    slug = record.pop(SLUG.path[0], "")
    boxes = answers.get(CONFIRMED, "")
    problems += [
        Problem(CONFIRMED, f"“{promise}” is not ticked") for promise in unticked(boxes, PROMISES)
    ]
    duplicate = duplicate or not unticked(boxes, [ANOTHER])
    if problems:
        labels = {problem.label for problem in problems}
        unclear = {question.path[0] for question in form if question.label in labels}
        return _refused(
            [*problems, *_beside(unclear, folder, known, collection, form, record, slug, duplicate)]
        )
    try:
        settle(folder)
        wrong, alike = _planned(folder, collection, form, record, slug, duplicate)
        if wrong:
            return _refused(_beside((), folder, known, collection, form, record, slug, duplicate))
        changes, _, checked = plan(folder, collection, record, slug, duplicate=True)
        report = add(folder, changes, checked)
    except (Refused, Moved) as error:
        return _refused([Problem("", str(error), "edit the issue to try again")])
    change = changes[0]
    text = (change.after or b"").decode()
    found = [one for one in report.problems if not (alike and one.code == "same-record")]
    told = alike + [_in_words(problem, text, form) for problem in found]
    if report.failed:
        return _refused([_in_words(one, text, form) for one in found if is_error(one)])
    remarks = f"\nPlease check:\n\n{_listed(told)}\n" if told else ""
    shown = f"{_fenced(text)}\n{remarks}"
    kind, slug = KIND_OF[collection], change.path.rpartition("/")[2].removesuffix(".yaml")
    return Submission(
        "record",
        f"{MARK}\n**Thank you.** This record is now proposed to the editors in a pull request:\n\n"
        f"{shown}\nEdit the issue to change it.\n",
        kind,
        slug,
        change.path,
        told,
        f"A {kind} proposed in an issue, checked by `registry submit`.\n\n{shown}",
    )


def _planned(
    folder: str,
    collection: str,
    form: Sequence[Question],
    record: dict[str, Any],
    slug: str,
    duplicate: bool,
) -> tuple[list[Problem], list[Problem]]:
    """What keeps a record from being made, and what is to be said of it where nothing does."""
    try:
        plan(folder, collection, record, slug)
    except Resembles as error:
        label = next(question.label for question in form if question.path == ("name",))
        looks = "; ".join(
            f"this looks like {collection}/{one.slug}, which has the same {one.fields}"
            for one in error.records
        )
        if duplicate:
            return [], [Problem(label, looks, "the sender says that these are different")]
        hint = (
            "If it is the same, report what is wrong with that record instead. If not, tick this "
            f"box below “{CONFIRMED}”, or add this line there: - [x] {ANOTHER}"
        )
        return [Problem(label, looks, hint)], []
    except Refused as error:
        return [Problem(SLUG.label, str(error), "choose another slug")], []
    return [], []


def _beside(
    unclear: Collection[str],
    folder: str,
    known: Known,
    collection: str,
    form: Sequence[Question],
    record: dict[str, Any],
    slug: str,
    duplicate: bool,
) -> list[Problem]:
    """What is wrong with a record beside its `unclear` fields, which it lacks: all is told at
    once.
    """
    problems: list[Problem] = []
    if record.get("name") and SLUG.path[0] not in unclear:
        problems += _planned(folder, collection, form, record, slug, duplicate)[0]
    raw = values.record(record).encode()
    model, faults, document = read_model(raw, known.settings.models()[collection])
    if model is not None:
        faults = [*faults, *check_record(KINDS[collection], model, known.symbols)]
    others = [fault for fault in faults if fault.loc and str(fault.loc[0]) not in unclear]
    told = filter(is_error, diagnose("", raw, others, document))
    return [*problems, *(_in_words(problem, raw.decode(), form) for problem in told)]


def _report(known: Known, answers: dict[str, str]) -> Submission:
    about, wrong = answers[REPORT[0].label], answers.get(REPORT[1].label, "")
    problems = [Problem(q.label, "has no answer", "please answer this question")
                for q in REPORT if q.required and not answers.get(q.label)]  # fmt: skip
    where = _address.search(about)
    collections = [where[1]] if where else list(known.content.sources)
    slug = where[2] if where else about.strip()
    files = [
        (name, source.path)
        for name in collections
        for source in known.content.sources[name]
        if source.slug == slug
    ]
    if about and not files:
        slugs = [source.slug for name in collections for source in known.content.sources[name]]
        near = did_you_mean(slug, slugs) if is_slug(slug) else None
        hint = f"did you mean “{near}”?" if near else "copy the address of its page"
        problems.append(Problem(REPORT[0].label, f"there is no record “{about}”", hint))
    if problems or not wrong:
        return _refused(problems)
    kinds = [KIND_OF[name] for name, _ in files]
    listed = "".join(f"- {_code(path)}\n" for _, path in files)
    answer = f"{MARK}\n**Thank you.** The editors will look at it. Your report is about:\n"
    return Submission("report", f"{answer}\n{listed}", kinds[0], slug, files[0][1])


def _refused(problems: Sequence[Problem]) -> Submission:
    answer = (
        f"{MARK}\n**This cannot be added yet.** Edit the issue, and it is checked again:\n\n"
        f"{_listed(problems)}"
    )
    return Submission("refused", answer, problems=problems)


def _in_words(problem: Diagnostic, text: str, form: Iterable[Question]) -> Problem:
    """A problem of the file as one of the form: by the question that its line answers."""
    keys = examine(text.encode()).keys
    above = [loc for loc, (line, _) in keys.items() if line <= problem.line]
    path = max(above, key=keys.__getitem__, default=())
    labels: dict[Loc, str] = {question.path: question.label for question in form}
    label = labels.get(path[:2]) or labels.get(path[:1], "")
    message = problem.message.removeprefix(f"{path[0]}: ") if path else problem.message
    return Problem(label, message, problem.hint or "")


def _listed(problems: Iterable[Problem]) -> str:
    lines = []
    problems = list(problems)
    for label, message, hint in problems[:_MOST_LISTED]:
        said = " — ".join(_code(text) for text in (message, hint) if text)
        lines.append(f"- **{label}**: {said}\n" if label else f"- {said}\n")
    if len(problems) > _MOST_LISTED:
        lines.append(f"- and {len(problems) - _MOST_LISTED:,} more\n")
    return "".join(lines)


def _code(text: str) -> str:
    """A text as a code span, on one line and not too long."""
    return code(text if len(text) <= _MOST else f"{text[: _MOST - 1]}…")


def _fenced(text: str) -> str:
    """A text as a block of code; GitHub takes 65,536 characters in all."""
    text = "\n".join(map(printable, text.split("\n")))
    if len(text) > _MOST_SHOWN:
        text = f"{text[:_MOST_SHOWN]}…\n"
    fence = backquotes(text, 3)
    return f"{fence}yaml\n{text}{fence}"
