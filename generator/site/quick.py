"""Jinja for ten thousand pages of a few templates: our own templates, which are trusted, call what
they call directly, look up keys of dictionaries first, and write a text that needs no escape as it
is.  Deleted, `Plain` is jinja2.Environment, which gives the same.

It uses what jinja2.Environment documents as hooks (`_compile`, `template_class`,
`code_generator_class`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any

import markupsafe
from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from generator.site import bounded

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


class PageTemplate(Template):
    def parts(self, values: Mapping[str, Any]) -> Iterator[str]:
        """What it gives with its globals and these values, part by part."""
        return self.root_render_func(self.new_context(dict(values)))

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        """What the template gives to those that import it, made once: all have the same globals."""
        return super()._get_default_module()


class Plain(Environment):
    """The environment of the generator's own templates."""

    template_class = PageTemplate
    code_generator_class = _Direct

    def _compile(self, source: str, filename: str) -> CodeType:
        # In the same line, by which faults are told.
        imports, rest = source.split("\n", 1)
        own = f"; from {__name__} import escape, escaped"
        return super()._compile(f"{imports}{own}\n{rest}", filename)


class BoundedTemplate(PageTemplate):
    def parts(self, values: Mapping[str, Any]) -> Iterator[str]:
        yield bounded.concat(super().parts(values))


class Sandboxed(ImmutableSandboxedEnvironment):
    """That of templates which come with the content: bounded by generator.site.bounded."""

    template_class = BoundedTemplate
    concat = staticmethod(bounded.concat)
    intercepted_binops = bounded.OPERATORS

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.filters.update(bounded.filters(self.filters))
        del self.globals["lipsum"]

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        bounded.check_operator(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        bounded.check_call(called, args, kwargs)
        return super().call(context, called, *args, **kwargs)

    def wrap_str_format(self, value: Any) -> Any:
        known = super().wrap_str_format(value)
        if known is not None:
            bounded.check_format(value)
        return known

    def _compile(self, source: str, filename: str) -> CodeType:
        imports, rest = source.split("\n", 1)
        own = "; from generator.site.bounded import markup_join, str_join"
        return super()._compile(f"{imports}{own}\n{rest}", filename)
