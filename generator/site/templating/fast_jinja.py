"""Jinja for ten thousand pages of a few templates: a text that needs no escape is written as it is,
what follows one on another is written at once, a block is joined before its page is, an imported
template is made once, and a macro is called with no more ado than it needs.  Our own templates,
which are trusted, call what they call directly and look up keys of dictionaries first.

It uses what jinja2.Environment documents as hooks (`_compile`, `template_class`,
`code_generator_class`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from itertools import groupby
from types import CodeType
from typing import Any

import markupsafe
from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from generator.site.templating import sandbox

_YIELD = re.compile(r"( *)yield (?!from )")
_new = str.__new__
#: What is not looked up among the keys of a dictionary: its methods.
_METHODS = frozenset(dir(dict))
#: A text as HTML has it: of one that needs no escape that very one, which `escape` wraps.
escaped: Callable[[str], str] = getattr(markupsafe, "_escape_inner", markupsafe.escape)


def escape(value: Any) -> str:
    """A value as HTML has it."""
    kind = value.__class__
    if kind is str:
        return escaped(value)
    if kind is int:
        return str(value)
    return value if kind is markupsafe.Markup else markupsafe.escape(value)


class Called(Macro):
    """A macro, most often called by a template with as many values as it takes, or fewer."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._odd = self.catch_kwargs or self.catch_varargs or self.explicit_caller
        self._even = not (self._odd or self.caller)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        lacking = self._argument_count - len(args)
        if not lacking and self._even and not kwargs:
            return _new(markupsafe.Markup, self._func(*args))
        if lacking < 0 or self._odd:
            return super().__call__(*args, **kwargs)
        if lacking:
            args += tuple([kwargs.pop(name, missing) for name in self.arguments[-lacking:]])
        if self.caller and "caller" in kwargs:
            caller = kwargs.pop("caller")
        elif self.caller:
            caller = self._environment.undefined("No caller defined", name="caller")
        if kwargs:
            return super().__call__(*args, **kwargs)  # which says what is wrong
        text = self._func(*args, caller) if self.caller else self._func(*args)
        return _new(markupsafe.Markup, text)


class _Direct(CodeGenerator):
    """Code that calls without asking whether what it calls wants the context, as none does but
    macros, which know better what they escape.
    """

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        if node.dyn_args or node.dyn_kwargs:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for value in (*node.args, *node.kwargs):
            self.visit(value, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        if node.attr in _METHODS:
            super().visit_Getattr(node, frame)
            return
        name = repr(node.attr)
        self.write(f"(_v[{name}] if (_v := ")
        self.visit(node.node, frame)
        self.write(f").__class__ is dict and {name} in _v else _w if (_w := getattr(_v, {name}, ")
        self.write(f"missing)) is not missing else environment.getattr(_v, {name}))")

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        if not isinstance(node.arg, nodes.Const) or not isinstance(node.arg.value, int):
            super().visit_Getitem(node, frame)
            return
        self.visit(node.node, frame)
        self.write(f"[{node.arg.value}]")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write("(escaped(_v) if (_of := (_v := ")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(").__class__) is str else _v if _of is Markup else escape(_v))")
        else:
            super()._output_child_post(node, frame, finalize)


def _at_once(source: str) -> str:
    """Code in as many lines that gives at once what lines that follow one on another give."""
    lines: list[str] = []
    for indent, some in groupby(source.split("\n"), _yields):
        group = list(some)
        if indent is not None and len(group) > 1:
            values = [f"{line.partition('yield ')[2]}," for line in group]
            group = [f"{indent}yield concat(({values[0]}", *values[1:-1], f"{values[-1]}))"]
        lines += group
    return "\n".join(lines)


def _yields(line: str) -> str | None:
    """How far a line is indented that gives a value, None for any other."""
    return known[1] if (known := _YIELD.match(line)) else None


def _joined(block: Callable[[Context], Iterator[str]]) -> Callable[[Context], Iterator[str]]:
    """A block that gives all that it has at once, since blocks lie in blocks."""

    def whole(context: Context) -> Iterator[str]:
        yield context.environment.concat(block(context))

    return whole


class PageTemplate(Template):
    @classmethod
    def _from_namespace(
        cls,
        environment: Environment,
        namespace: MutableMapping[str, Any],
        globals: MutableMapping[str, Any],
    ) -> Template:
        for name, block in namespace["blocks"].items():
            # By the second name a template finds what is below its own block.
            namespace["blocks"][name] = namespace[f"block_{name}"] = _joined(block)
        return super()._from_namespace(environment, namespace, globals)

    def parts(self, values: Mapping[str, Any]) -> Iterator[str]:
        """What it gives with its globals and these values, part by part."""
        known = _Values(self.globals)
        known.update(values)
        context = _Context(self.environment, known, self.name, self.blocks)
        return self.root_render_func(context)

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        """What the template gives to those that import it, made once: all have the same globals."""
        return super()._get_default_module()


class _Context(Context):
    """The values of a template, in one mapping that it may add to."""

    def __init__(
        self,
        environment: Environment,
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Callable[[Context], Iterator[str]]],
        globals: MutableMapping[str, Any] | None = None,
    ):
        super().__init__(environment, parent, name, blocks)
        self.vars = self.parent = parent if isinstance(parent, _Values) else _Values(parent)
        self.resolve_or_missing = self.vars.__getitem__  # type: ignore[method-assign, assignment]


class _Values(dict[str, Any]):
    """What a template has, by its names; what it has not is missing."""

    def __missing__(self, key: str) -> Any:
        return missing


class _Quick(Environment):
    template_class = PageTemplate
    context_class = _Context

    def __init__(self, **options: Any):
        super().__init__(**options)
        self._ready: dict[str, Template] = {}

    def get_template(self, name: Any, parent: Any = None, globals: Any = None) -> Template:
        """A template, which is what it is as long as the environment is."""
        known = self._ready.get(name)
        if known is None or globals:
            known = self._ready[name] = super().get_template(name, parent, globals)
        return known

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals themselves, not a chain of mappings: each page copies them."""
        return super().make_globals(d) if d else self.globals

    def _compile(self, source: str, filename: str) -> CodeType:
        # In the same line, by which faults are told.
        imports, rest = source.split("\n", 1)
        own = f"; from {__name__} import Called as Macro, escape, escaped"
        return super()._compile(f"{imports}{own}\n{_at_once(rest)}", filename)


class Plain(_Quick):
    """The environment of the generator's own templates."""

    code_generator_class = _Direct


class BoundedTemplate(PageTemplate):
    def parts(self, values: Mapping[str, Any]) -> Iterator[str]:
        yield sandbox.concat(super().parts(values))


class Sandboxed(_Quick, ImmutableSandboxedEnvironment):
    """For templates that come with the content: bounded by generator.site.templating.sandbox."""

    template_class = BoundedTemplate
    concat = staticmethod(sandbox.concat)
    intercepted_binops = sandbox.OPERATORS

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.filters.update(sandbox.filters(self.filters))
        del self.globals["lipsum"]

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        sandbox.check_operator(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        sandbox.check_call(called, args, kwargs)
        return super().call(context, called, *args, **kwargs)

    def wrap_str_format(self, value: Any) -> Any:
        known = super().wrap_str_format(value)
        if known is not None:
            sandbox.check_format(value)
        return known

    def _compile(self, source: str, filename: str) -> CodeType:
        imports, rest = source.split("\n", 1)
        own = "; from generator.site.templating.sandbox import markup_join, str_join"
        return super()._compile(f"{imports}{own}\n{rest}", filename)
