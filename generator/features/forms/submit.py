"""Turns a submitted issue form into a record or a report, with an answer for the issue.

The answer shows all text of the form as code, so mentions, links and control characters in it have
no effect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from generator.dialect import values
from generator.dialect.examine import examine
from generator.edit.changes import Plan, Refused, apply
from generator.edit.new import Resembles, plan_record
from generator.edit.workspace import OpenRegistry, check_planned
from generator.features.forms.answers import (
    FormProblem,
    OutOfDate,
    Unclear,
    fields_from_answers,
    is_of_old_form,
    parse_answers,
    unticked_promises,
)
from generator.features.forms.github import (
    ANOTHER,
    CONFIRMED,
    PROMISES,
    SLUG,
    form_questions,
    report_questions,
)
from generator.features.forms.questions import Question
from generator.features.forms.translation import Phrase, translated
from generator.grammar.query import capitalized
from generator.kinds.declare import Declared
from generator.model.kinds import kind_for
from generator.model.link import check_record
from generator.model.validate import diagnose, read_model
from generator.problems.diagnostic import Diagnostic, is_error, nearest_word, printable
from generator.problems.faults import Loc
from generator.problems.markdown import backquotes, code_span
from generator.text.words import is_slug

#: The first line of an answer; workflows find the answer by it.
MARK = "<!-- registry-submission -->"
_MISFIT = (
    "**This form does not fit the registry**: {}. No record was made of it; your answers stay in "
    "this issue."
)
_RENEWAL = (
    "Editors: if the form was translated or changed by hand, its questions must stay as the "
    "registry asks them: `registry forms --force` writes them in the `language` of registry.yaml. "
    "If the registry was changed, run `registry forms`. Commit the forms; then please fill in the "
    "new one, with the answers of this issue."
)
_MAX_TEXT = 300  # characters of a text in a problem
_MAX_LISTED = 50  # problems
_MAX_SHOWN = 25_000  # characters of a record
_address = re.compile(r"(projects|programs|organizations|events)/([a-z0-9-]{1,100})(?![a-z0-9-])")


class Submission(NamedTuple):
    """The result of a submission.

    `outcome` is `record` (a record was written), `report` (an error in `file` was reported),
    `refused` (for `problems`), or `none` (the issue is not from a form of the registry).  `answer`
    and `request`, the text of the pull request, are Markdown.  `file` is below the content folder.
    """

    outcome: str
    answer: str = ""
    kind: str = ""
    slug: str = ""
    file: str = ""
    problems: Sequence[FormProblem] = ()
    request: str = ""

    @property
    def title(self) -> str:
        return f"Add the {self.kind} {self.slug}" if self.outcome == "record" else ""


class _Proposal(NamedTuple):
    """A proposed record: its answers as fields, without the slug."""

    known: OpenRegistry
    collection: str
    form: Sequence[Question]
    fields: dict[str, Any]
    slug: str
    duplicate: bool

    def plan(self, *, duplicate: bool = False) -> Plan:
        folder = self.known.content.folder
        return plan_record(folder, self.collection, self.fields, self.slug, duplicate=duplicate)


def submit(known: OpenRegistry, body: str, *, duplicate: bool = False) -> Submission:
    """Read the text of an issue, and write the record that it proposes.

    A record that looks like an existing one is refused, unless the form or `duplicate` says that it
    is a different one.  Raises Stopped if the file cannot be written.
    """
    language = known.symbols.language
    confirmed, report = translated(CONFIRMED, language), report_questions(language)
    try:
        for kind, collection in known.content.kinds.collection_of.items():
            form = form_questions(kind, known.symbols)
            labels = [question.label for question in form]
            free = [question.label for question in form if question.shape == "text"]
            answers = parse_answers(body, [*labels, confirmed], [*free, confirmed])
            if answers is not None:
                return _record(known, collection, form, answers, duplicate)
        labels = [question.label for question in report]
        answers = parse_answers(body, labels, labels)
    except Unclear as error:
        return _refused([FormProblem("", error.args[0])], language)
    except OutOfDate as error:
        asks = Phrase("it asks “{}”, which the registry does not ask any more", str(error))
        return _out_of_date(asks, language)
    if answers is not None:
        return _report(known, answers, report)
    if is_of_old_form(body):
        return _out_of_date("the registry asks other questions now", language)
    return Submission("none")


def _record(
    known: OpenRegistry,
    collection: str,
    form: Sequence[Question],
    answers: dict[str, str],
    duplicate: bool,
) -> Submission:
    language = known.symbols.language
    fields, problems = fields_from_answers(answers, form, known)
    slug = fields.pop(SLUG.path[0], "")
    confirmed = translated(CONFIRMED, language)
    boxes = answers.get(confirmed, "")
    problems += [
        FormProblem(confirmed, Phrase("“{}” is not ticked", promise))
        for promise in unticked_promises(boxes, [translated(p, language) for p in PROMISES])
    ]
    duplicate = duplicate or not unticked_promises(boxes, [translated(ANOTHER, language)])
    proposal = _Proposal(known, collection, form, fields, slug, duplicate)
    labels = {problem.label for problem in problems}
    unclear = {question.path[0] for question in form if question.label in labels}
    planned, remarks = None, list[FormProblem]()
    if fields.get("name") and SLUG.path[0] not in unclear:
        planned, remarks = _plan(proposal)
    if problems or planned is None:
        problems += remarks if planned is None else []
        return _refused([*problems, *_problems_of_fields(proposal, unclear)], language)
    changes, _, checked = planned
    report = check_planned(known.content.folder, changes, checked)
    text = (changes[0].after or b"").decode()
    found = [p for p in report.problems if not (remarks and p.code == "same-record")]
    if report.failed:
        errors = [_in_form(problem, text, form) for problem in found if is_error(problem)]
        return _refused(errors, language)
    apply(known.content.folder, changes)
    remarks += [_in_form(p, text, form) for p in found]
    return _accepted(known.content.kinds[collection], changes[0].path, text, remarks, language)


def _accepted(
    kind: Declared, path: str, text: str, warnings: Sequence[FormProblem], language: str
) -> Submission:
    warnings = _translated(warnings, language)
    check = translated("Please check:", language)
    remarks = f"\n{check}\n\n{_listed(warnings, language)}\n" if warnings else ""
    shown = f"{_fenced(text)}\n{remarks}"
    thanks = translated("This record is now proposed to the editors in a pull request:", language)
    slug = path.rpartition("/")[2].removesuffix(".yaml")
    return Submission(
        "record",
        f"{MARK}\n{_thanks(language)} {thanks}\n\n{shown}\n"
        f"{translated('Edit the issue to change it.', language)}\n",
        kind.kind,
        slug,
        path,
        warnings,
        f"{capitalized(kind.with_article)} proposed in an issue, checked by "
        f"`registry submit`.\n\n{shown}",
    )


def _plan(proposal: _Proposal) -> tuple[Plan | None, list[FormProblem]]:
    """The new file of a record and remarks about it; or None and the problems that prevent it."""
    language = proposal.known.symbols.language
    try:
        return proposal.plan(), []
    except Resembles as error:
        label = next(question.label for question in proposal.form if question.path == ("name",))
        looks = "; ".join(
            translated("this looks like {}, which has the same {}", language,
                       f"{proposal.collection}/{alike.slug}", alike.fields)
            for alike in error.records
        )  # fmt: skip
        if proposal.duplicate:
            remark = FormProblem(label, looks, "the sender says that these are different")
            return proposal.plan(duplicate=True), [remark]
        hint = Phrase(
            "If it is the same, report what is wrong with that record instead. If not, tick this "
            "box below “{}”, or add this line there: - [x] {}",
            translated(CONFIRMED, language),
            translated(ANOTHER, language),
        )
        return None, [FormProblem(label, looks, hint)]
    except Refused as error:
        label = translated(SLUG.label, language)
        return None, [FormProblem(label, str(error), "choose another slug")]


def _problems_of_fields(proposal: _Proposal, unclear: Collection[str]) -> Iterator[FormProblem]:
    """The errors of a proposal's fields, except the `unclear` fields, which it lacks."""
    raw = values.record(proposal.fields).encode()
    known, collection = proposal.known, proposal.collection
    model, faults, document = read_model(raw, known.symbols.model(collection))
    if model is not None:
        faults = [
            *faults,
            *check_record(kind_for(known.content.kinds[collection]), model, known.symbols),
        ]
    others = [fault for fault in faults if fault.loc and str(fault.loc[0]) not in unclear]
    for problem in filter(is_error, diagnose("", raw, others, document)):
        yield _in_form(problem, raw.decode(), proposal.form)


def _report(known: OpenRegistry, answers: dict[str, str], asked: Sequence[Question]) -> Submission:
    about, wrong = answers[asked[0].label], answers.get(asked[1].label, "")
    problems = [FormProblem(q.label, "has no answer", "please answer this question")
                for q in asked if q.required and not answers.get(q.label)]  # fmt: skip
    address = _address.search(about)
    collections = [address[1]] if address else list(known.content.sources)
    slug = address[2] if address else about.strip()
    sources = [(name, source) for name in collections for source in known.content.sources[name]]
    files = [(name, source.path) for name, source in sources if source.slug == slug]
    if about and not files:
        slugs = [source.slug for _, source in sources]
        near = nearest_word(slug, slugs) if is_slug(slug) else None
        hint = Phrase("did you mean {}?", f"“{near}”") if near else "copy the address of its page"
        problems.append(FormProblem(asked[0].label, Phrase("there is no record “{}”", about), hint))
    language = known.symbols.language
    if problems or not wrong:
        return _refused(problems, language)
    collection, file = files[0]
    paths = "".join(f"- {_code(path)}\n" for _, path in files)
    looks = translated("The editors will look at it. Your report is about:", language)
    answer = f"{MARK}\n{_thanks(language)} {looks}\n\n{paths}"
    return Submission("report", answer, known.content.kinds[collection].kind, slug, file)


def _thanks(language: str) -> str:
    return f"**{translated('Thank you.', language)}**"


def _refused(problems: Sequence[FormProblem], language: str) -> Submission:
    problems = _translated(problems, language)
    cannot = translated("This cannot be added yet.", language)
    again = translated("Edit the issue, and it is checked again:", language)
    answer = f"{MARK}\n**{cannot}** {again}\n\n{_listed(problems, language)}"
    return Submission("refused", answer, problems=problems)


def _out_of_date(reason: str, language: str) -> Submission:
    reason = translated(reason, language)
    misfit = translated(_MISFIT, language, _code(reason))
    answer = f"{MARK}\n{misfit}\n\n{translated(_RENEWAL, language)}\n"
    problem = FormProblem("", translated("the form does not fit: {}", language, reason))
    return Submission("refused", answer, problems=[problem])


def _translated(problems: Iterable[FormProblem], language: str) -> list[FormProblem]:
    return [FormProblem(p.label, *(translated(t, language) for t in p[1:])) for p in problems]


def _in_form(problem: Diagnostic, text: str, form: Iterable[Question]) -> FormProblem:
    """A problem of the record's file as a problem of the question for that line."""
    keys = examine(text.encode()).keys
    above = [loc for loc, (line, _) in keys.items() if line <= problem.line]
    path = max(above, key=keys.__getitem__, default=())
    labels: dict[Loc, str] = {question.path: question.label for question in form}
    label = labels.get(path[:2]) or labels.get(path[:1], "")
    message = problem.message.removeprefix(f"{path[0]}: ") if path else problem.message
    return FormProblem(label, message, problem.hint or "")


def _listed(problems: Iterable[FormProblem], language: str) -> str:
    lines = []
    problems = list(problems)
    for label, message, hint in problems[:_MAX_LISTED]:
        words = " — ".join(_code(text) for text in (message, hint) if text)
        lines.append(f"- **{label}**: {words}\n" if label else f"- {words}\n")
    if len(problems) > _MAX_LISTED:
        more = translated("and {} more", language, f"{len(problems) - _MAX_LISTED:,}")
        lines.append(f"- {more}\n")
    return "".join(lines)


def _code(text: str) -> str:
    return code_span(text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…")


def _fenced(text: str) -> str:
    """A text as a block of code, shortened: GitHub allows 65,536 characters in an answer."""
    text = "\n".join(map(printable, text.split("\n")))
    if len(text) > _MAX_SHOWN:
        text = f"{text[:_MAX_SHOWN]}…\n"
    fence = backquotes(text, 3)
    return f"{fence}yaml\n{text}{fence}"
