"""Jinja environments that render thousands of pages from a few templates quickly.

Texts without special characters are not copied to be escaped, consecutive parts are joined at once,
imported templates are rendered once, and macros are called with little overhead.  Our own templates
are trusted: they call functions directly and look up keys of dictionaries before attributes.
It uses documented hooks of jinja2.Environment (`_compile`, `template_class`,
`code_generator_class`).

What a registry's own templates may read, call and print: everything else is refused.
These come with the content.  A value of a page often leads to more than the page needs: a
module to all that it imports, the settings to the methods of pydantic, a function to an address of
memory.  Templates read

    texts, numbers, dates and collections        with their methods, as Jinja's sandbox allows
    objects with `VISIBLE`                       the names in it
    other dataclasses, named tuples, settings    fields and properties, unless they are functions
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from datetime import date, time, timedelta
from functools import cached_property
from itertools import groupby
from types import CodeType, MappingProxyType, ModuleType
from typing import Any

import markupsafe
from jinja2 import (
    Environment,
    Template,
    TemplateRuntimeError,
    Undefined,
    environment,
    nodes,
    runtime,
    utils,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing
from markupsafe import Markup
from pydantic import BaseModel

_DATA: tuple[type, ...] = (
    *(str, bytes, int, float, complex, bool, type(None), date, time, timedelta, slice, range),
    *(list, tuple, dict, set, frozenset, MappingProxyType),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
_JINJA = (
    *(Undefined, environment.TemplateModule, utils.Cycler, utils.Joiner, utils.Namespace),
    *(runtime.BlockReference, runtime.LoopContext, runtime.Macro, runtime.TemplateReference),
)
#: Classes that templates may call.
_CALLED = (range, dict, utils.Cycler, utils.Joiner, utils.Namespace)
#: How the text of a function ends, and that of other objects without a text of their own.
_ADDRESS = re.compile(r" at 0x[0-9a-f]{6,16}(>|&gt;)", re.IGNORECASE)


class Functions:
    """The functions and constants that a module defines, for templates."""

    def __init__(self, module: ModuleType):
        own = {name: value for name, value in vars(module).items() if _is_own(module, name, value)}
        self.VISIBLE = frozenset(own)
        self.__dict__.update(own)


def _is_own(module: ModuleType, name: str, value: Any) -> bool:
    if name.startswith("_") or isinstance(value, type):
        return False
    is_function = callable(value) and getattr(value, "__module__", "") == module.__name__
    return is_function or (name.isupper() and isinstance(value, _DATA))


def is_readable(owner: Any, name: str, value: Any) -> bool:
    """Whether templates may read the attribute of `owner`, which has this value."""
    owner_class = type(owner)
    if issubclass(owner_class, _JINJA):
        return True
    visible = getattr(owner, "VISIBLE", None)
    if isinstance(visible, frozenset):
        return name in visible
    fields = _fields(owner_class)
    if fields is None:
        return issubclass(owner_class, _DATA)
    computed = getattr(owner_class, name, None)
    is_computed = isinstance(computed, property | cached_property) and not hasattr(BaseModel, name)
    return not callable(value) and (name in fields or is_computed)


def _fields(owner_class: type) -> Iterable[str] | None:
    """The fields of a named tuple, a dataclass or a model; None for other classes."""
    for name in ("_fields", "__dataclass_fields__", "model_fields"):
        fields: Iterable[str] | None = getattr(owner_class, name, None)
        if fields is not None:
            return fields
    return None


def is_callable(called: Any) -> bool:
    """Whether templates may call this; which functions they can read says `is_readable`."""
    return not isinstance(called, type) or called in _CALLED


def printed(value: Any) -> Any:
    """The value itself.  Raises TemplateRuntimeError if its text has an address of memory, as that
    of a function has.
    """
    text = value if isinstance(value, str) else str(value)
    if found := _ADDRESS.search(text):
        what = Markup(text[: found.start()]).unescape().rpartition("<")[2]
        raise TemplateRuntimeError(f"{what} is no text: call it, or print a part of it")
    return value


_YIELD = re.compile(r"( *)yield (?!from )")
_new = str.__new__
#: Methods of a dictionary, which templates look up as attributes.
_METHODS = frozenset(dir(dict))
#: Escapes a str; it returns the same object if there is nothing to escape.
escaped: Callable[[str], str] = getattr(markupsafe, "_escape_inner", markupsafe.escape)


def escape(value: Any) -> str:
    """A value as HTML."""
    value_class = value.__class__
    if value_class is str:
        return escaped(value)
    if value_class is int:
        return str(value)
    return value if value_class is markupsafe.Markup else markupsafe.escape(value)


class Called(Macro):
    """A macro with a fast path for calls without extra arguments."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._is_special = self.catch_kwargs or self.catch_varargs or self.explicit_caller
        self._is_simple = not (self._is_special or self.caller)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        missing_count = self._argument_count - len(args)
        if not missing_count and self._is_simple and not kwargs:
            return _new(markupsafe.Markup, self._func(*args))
        if missing_count < 0 or self._is_special:
            return super().__call__(*args, **kwargs)
        if missing_count:
            args += tuple([kwargs.pop(name, missing) for name in self.arguments[-missing_count:]])
        if self.caller and "caller" in kwargs:
            caller = kwargs.pop("caller")
        elif self.caller:
            caller = self._environment.undefined("No caller defined", name="caller")
        if kwargs:
            return super().__call__(*args, **kwargs)  # raises the error
        text = self._func(*args, caller) if self.caller else self._func(*args)
        return _new(markupsafe.Markup, text)


class _Direct(CodeGenerator):
    """Generates calls without checking whether the callee wants the context: none of ours does."""

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
            self.write("(escaped(_v) if (_c := (_v := ")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile:
            self.write(").__class__) is str else _v if _c is Markup else escape(_v))")
        else:
            super()._output_child_post(node, frame, finalize)


def _join_yields(source: str) -> str:
    """The code with consecutive `yield` lines joined to one; the number of lines stays."""
    lines: list[str] = []
    for indent, consecutive in groupby(source.split("\n"), _yield_indent):
        group = list(consecutive)
        if indent is not None and len(group) > 1:
            values = [f"{line.partition('yield ')[2]}," for line in group]
            group = [f"{indent}yield concat(({values[0]}", *values[1:-1], f"{values[-1]}))"]
        lines += group
    return "\n".join(lines)


def _yield_indent(line: str) -> str | None:
    """The indentation of a line that yields a value, None for other lines."""
    return match[1] if (match := _YIELD.match(line)) else None


def _joined(block: Callable[[Context], Iterator[str]]) -> Callable[[Context], tuple[str]]:
    """A block that gives its text in one part, because each enclosing block passes parts on."""
    return lambda context: (context.environment.concat(block(context)),)


class PageTemplate(Template):
    @classmethod
    def _from_namespace(
        cls,
        environment: Environment,
        namespace: MutableMapping[str, Any],
        globals: MutableMapping[str, Any],
    ) -> Template:
        for name, block in namespace["blocks"].items():
            # A template finds the blocks nested in its own blocks by the second name.
            namespace["blocks"][name] = namespace[f"block_{name}"] = _joined(block)
        return super()._from_namespace(environment, namespace, globals)

    def parts(self, values: Mapping[str, Any]) -> Iterator[str]:
        """The parts of the rendered text."""
        return self.root_render_func(self.new_context(values))

    def new_context(
        self,
        vars: Mapping[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> Context:
        """The context of a page, or with all values of another (`shared`) of an included template:
        the values are copied once.
        """
        values = _Values(() if shared else self.globals)
        values.update(vars or ())
        for name, value in (locals or {}).items():
            if value is not missing:
                values[name] = value
        return _Context(self.environment, values, self.name, self.blocks)

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        """The module for importing templates, rendered once: all have the same globals."""
        return super()._get_default_module()


class _Context(Context):
    """The values of a template in one mutable mapping."""

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

    def get_all(self) -> dict[str, Any]:
        """All values, which `new_context` copies."""
        return self.vars


class _Values(dict[str, Any]):
    """The values of a template by name; other names give Jinja's `missing`."""

    def __missing__(self, key: str) -> Any:
        return missing


class _Fast(Environment):
    template_class = PageTemplate
    context_class = _Context

    def __init__(self, **options: Any):
        super().__init__(**options)
        self._templates: dict[str, Template] = {}

    def get_template(self, name: Any, parent: Any = None, globals: Any = None) -> Template:
        """A template; it is loaded once, because files do not change during a build."""
        template = self._templates.get(name)
        if template is None or globals:
            template = self._templates[name] = super().get_template(name, parent, globals)
        return template

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals as a dict: each page copies them, and a chain of mappings is slow to copy."""
        return super().make_globals(d) if d else self.globals

    def _compile(self, source: str, filename: str) -> CodeType:
        # The import goes into the first line: line numbers of errors stay.
        imports, rest = source.split("\n", 1)
        extra = f"; from {__name__} import Called as Macro, escape, escaped"
        return super()._compile(f"{imports}{extra}\n{_join_yields(rest)}", filename)


class Plain(_Fast):
    """The environment of the generator's own templates."""

    code_generator_class = _Direct


class Sandboxed(_Fast, ImmutableSandboxedEnvironment):
    """The environment of templates that come with the content (see `readable`)."""

    def __init__(self, **options: Any):
        super().__init__(**options, finalize=printed)
        del self.globals["lipsum"]  # random text

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return super().is_safe_attribute(obj, attr, value) and is_readable(obj, attr, value)

    def is_safe_callable(self, obj: Any) -> bool:
        return super().is_safe_callable(obj) and is_callable(obj)
