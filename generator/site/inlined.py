"""What a template is on all pages of one registry: values in place of what has them everywhere, and
of our own templates, which are trusted, what they include and extend in its place.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, nodes
from jinja2.visitor import NodeTransformer

#: Globals that are the same on every page: those of which it is asked what they have, texts, and
#: functions of their arguments.
_SAME = frozenset({"grammar", "paths", "settings", "t"})
_VALUES = frozenset({"policy", "preview"})
_PURE = frozenset({"asset", "t", "url"})


def inlined(environment: Environment, source: nodes.Template, trusted: bool) -> nodes.Template:
    """A template with all that is known of it when it is compiled."""
    whole = _as_one(environment, source) if trusted else source
    known: nodes.Template = _Inlined(environment, whole, trusted).visit(whole)
    return known


class _Inlined(NodeTransformer):
    """Puts values in place of expressions that have them on every page."""

    def __init__(self, environment: Environment, source: nodes.Template, trusted: bool):
        self.environment, self.own, self.trusted = environment, _own(source), trusted

    def visit_Name(self, node: nodes.Name) -> nodes.Expr:
        value = self._known(node, _VALUES)
        return nodes.Const(value, lineno=node.lineno) if isinstance(value, str) else node

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

    def visit_Output(self, node: nodes.Output) -> nodes.Output:
        self.generic_visit(node)
        for shown in node.nodes:
            if isinstance(shown, nodes.CondExpr) and shown.expr2 is None:
                shown.expr2 = nodes.Const("", lineno=shown.lineno)  # as jinja2 shows what is not
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
        shown = isinstance(value, str | int | None)
        return nodes.Const(value, lineno=node.lineno) if shown else node

    def visit_Include(self, node: nodes.Include) -> nodes.Node:
        named, environment = node.template, self.environment
        if not isinstance(named, nodes.Const) or not self.trusted:
            return node
        included = _parsed(environment, named.value)
        if next(included.find_all((nodes.Block, nodes.Extends)), None) is not None:
            return node
        self.own |= _own(included)
        self.generic_visit(included)
        return nodes.Scope(included.body, lineno=node.lineno)

    def visit_If(self, node: nodes.If) -> Any:
        later, node.elif_ = node.elif_, []
        self.generic_visit(node)
        for branch in later:
            self.generic_visit(branch)
        node.elif_ = later
        if later or not isinstance(node.test, nodes.Const):
            return node
        return node.body if node.test.value else node.else_

    def _known(self, node: nodes.Node, names: frozenset[str]) -> Any:
        """The global that a node names, if it is one of these; else None."""
        if isinstance(node, nodes.Name) and node.name in names and node.name not in self.own:
            return self.environment.globals.get(node.name)
        return None


def _own(source: nodes.Template) -> set[str]:
    """The names that a template gives values itself."""
    return {node.name for node in source.find_all(nodes.Name) if node.ctx != "load"}


#: What a template that extends another may have besides blocks, to be one with that.
_BESIDE = (nodes.Assign, nodes.AssignBlock, nodes.Import, nodes.FromImport, nodes.Macro)


def _as_one(environment: Environment, source: nodes.Template) -> nodes.Template:
    """A template with those that it extends, where its blocks need just be put in their places."""
    body = _inherited(environment, source)
    if body is None or next(source.find_all(nodes.Extends), None) is None:
        return source
    whole: nodes.Template = _InPlace().visit(nodes.Template(body, lineno=1))
    whole.set_environment(environment)
    return whole


def _inherited(environment: Environment, source: nodes.Template) -> list[nodes.Node] | None:
    """What a template and those that it extends have, and blocks as it says; None of what takes
    more.
    """
    if any(node.name in ("self", "super") for node in source.find_all(nodes.Name)):
        return None
    extends = next(source.find_all(nodes.Extends), None)
    if extends is None:
        return source.body
    told = [node for node in source.body if not isinstance(node, nodes.Output | nodes.Extends)]
    blocks = {node.name: node for node in told if isinstance(node, nodes.Block)}
    beside = [node for node in told if not isinstance(node, nodes.Block)]
    parent = extends.template
    if not isinstance(parent, nodes.Const) or not all(isinstance(n, _BESIDE) for n in beside):
        return None
    body = _inherited(environment, _parsed(environment, parent.value))
    if body is None:
        return None
    for block in nodes.Template(body).find_all(nodes.Block):
        if block.name in blocks:
            block.body = blocks[block.name].body
    return [*beside, *body]


def _parsed(environment: Environment, name: str) -> nodes.Template:
    assert environment.loader is not None
    source, *_ = environment.loader.get_source(environment, name)
    return environment.parse(source, name)


class _InPlace(NodeTransformer):
    """Puts what a block has in its place."""

    def visit_Block(self, node: nodes.Block) -> nodes.Scope:
        self.generic_visit(node)
        return nodes.Scope(node.body, lineno=node.lineno)
