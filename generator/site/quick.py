"""Jinja for ten thousand pages of a few templates: what is the same on all pages is worked out when
a template is compiled, texts without a character to escape are written as they are, and an imported
template is made once.

It uses what jinja2.Environment documents as hooks (`_generate`, `_compile`, `template_class`).
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from types import CodeType
from typing import Any

import markupsafe
from jinja2 import Environment, Template, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

#: Globals that are the same on every page, and those of them that are functions of their arguments.
_SAME = frozenset({"grammar", "paths", "settings", "t"})
_PURE = frozenset({"asset", "t", "url"})
_special = re.compile("[&<>'\"]").search


def escape(value: Any) -> str:
    """A value as HTML has it; of a text that needs no escape that very one."""
    if value.__class__ is str and _special(value) is None:
        return value
    return markupsafe.escape(value)


class _Settled(NodeTransformer):
    """Puts values in place of expressions that have them on every page."""

    def __init__(self, environment: Environment):
        self.environment = environment

    def visit_Call(self, node: nodes.Call) -> nodes.Expr:
        self.generic_visit(node)
        known = self._known(node.node, _PURE)
        values = [arg.value for arg in node.args if isinstance(arg, nodes.Const)]
        plain = not (node.kwargs or node.dyn_args or node.dyn_kwargs)
        if known is None or not plain or len(values) < len(node.args):
            return node
        try:
            return nodes.Const(known(*values), lineno=node.lineno)
        except Exception:  # told when the page is made that needs it
            return node

    def visit_Getattr(self, node: nodes.Getattr) -> nodes.Expr:
        names, inner = [node.attr], node.node
        while isinstance(inner, nodes.Getattr):
            names.append(inner.attr)
            inner = inner.node
        value = self._known(inner, _SAME)
        if value is None:
            self.generic_visit(node)
            return node
        for name in reversed(names):
            value = self.environment.getattr(value, name)
        if isinstance(value, str | int | None):
            return nodes.Const(value, lineno=node.lineno)
        return node

    def _known(self, node: nodes.Node, names: frozenset[str]) -> Any:
        """The global that a node names, if it is one of these; else None."""
        if isinstance(node, nodes.Name) and node.ctx == "load" and node.name in names:
            return self.environment.globals.get(node.name)
        return None


class _Template(Template):
    def _get_default_module(self, ctx: Context | None = None) -> Any:
        """What the template gives to those that import it, made once: all have the same globals."""
        return super()._get_default_module()


class _Quick(Environment):
    template_class = _Template

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals themselves, not a chain of mappings: each page copies them."""
        return super().make_globals(d) if d else self.globals

    def _generate(
        self,
        source: nodes.Template,
        name: str | None,
        filename: str | None,
        defer_init: bool = False,
    ) -> str:
        return super()._generate(_Settled(self).visit(source), name, filename, defer_init)

    def _compile(self, source: str, filename: str) -> CodeType:
        # In the same line, by which faults are told.
        imports, rest = source.split("\n", 1)
        own = f"; from {__name__} import escape"
        return super()._compile(f"{imports}{own}\n{rest}", filename)


class Plain(_Quick):
    """The environment of the generator's own templates."""


class Sandboxed(_Quick, ImmutableSandboxedEnvironment):
    """That of templates which come with the content."""
