"""Mutants: single small changes of a program, at least one of which each test is there to notice.

Libraries do not fit what is tested here: mutmut 3 keeps the mutants of a function side by side behind a
switch that no compiled kernel looks at; cosmic-ray writes into the tree that it is run in, and runs the
same tests for each module.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt(), ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(), ast.In: ast.NotIn(), ast.NotIn: ast.In(), ast.Is: ast.IsNot(), ast.IsNot: ast.Is(),
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.FloorDiv(), ast.FloorDiv: ast.Mult(),
    ast.Div: ast.Mult(), ast.Mod: ast.FloorDiv(), ast.Pow: ast.Mult(), ast.LShift: ast.RShift(),
    ast.RShift: ast.LShift(), ast.BitAnd: ast.BitOr(), ast.BitOr: ast.BitAnd(), ast.BitXor: ast.BitOr(),
}  # fmt: skip
_SKIPPED = (ast.JoinedStr, ast.Import, ast.ImportFrom)
"""What is not looked into: messages (whose parts have no places in Python 3.11) and imports."""


@dataclass(frozen=True)
class Change:
    """One change of a text: some bytes and what stands there instead."""

    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The changed text."""
        data = text.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def changes(text: str) -> list[Change]:
    """All changes of a module's text that are made here, in the order of the text."""
    starts, data = [0], text.encode()
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: dict[Change, None] = {}
    for node, new in _changes_in(ast.parse(text)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        found[Change(start, end, _text_of(node, new))] = None
    return sorted(found, key=lambda change: (change.start, change.end, change.new))


def _text_of(node: ast.expr | ast.stmt, new: ast.AST) -> str:
    """The text that stands for a node, in parentheses where they are allowed."""
    if isinstance(node, ast.Tuple) and any(isinstance(one, ast.Slice) for one in node.elts):
        return ast.unparse(ast.Subscript(ast.Name("a"), new, ast.Load()))[len("a[") : -len("]")]  # type: ignore[arg-type]  # a tuple, too
    return f"({ast.unparse(new)})" if isinstance(node, ast.expr) else ast.unparse(new)


def _changes_in(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """What is inside a node and what may stand for it, but for annotations, decorators and messages."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if not isinstance(child, ast.AST) or isinstance(child, _SKIPPED) or _for_types_alone(child):
                continue
            if isinstance(child, ast.expr):
                yield from ((child, new) for new in _expressions(child))
                if name in ("test", "ifs") and not isinstance(child, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
                    yield child, ast.UnaryOp(ast.Not(), child)
            elif isinstance(child, ast.stmt):
                yield from ((child, new) for new in _statements(child))
            yield from _changes_in(child)


def _for_types_alone(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for i, operator in enumerate(node.ops):
                other = copy.deepcopy(node)
                other.ops[i] = _COMPARISONS[type(operator)]
                yield other
        case ast.BoolOp(values=values):
            yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), values)
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
            yield ast.BinOp(left, _ARITHMETIC[type(operator)], right)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case _:
            yield from _values(node)


def _values(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1) if value else ast.UnaryOp(ast.USub(), ast.Constant(1))
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Call(func, [first, second, *rest], keywords) if _differ(first, second) and not _commutes(
            node
        ):
            yield ast.Call(func, [second, first, *rest], keywords)
        case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()) if _differ(first, second):
            yield ast.Tuple([second, first, *rest], ast.Load())


def _differ(first: ast.expr, second: ast.expr) -> bool:
    """Whether to change places means anything."""
    starred = any(isinstance(node, ast.Starred) for node in (first, second))
    return not starred and ast.dump(first) != ast.dump(second)


def _commutes(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("max", "min") and not call.keywords


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Expr(value=ast.Constant()):
            return  # a docstring
        case ast.Expr() | ast.Raise():
            yield ast.Pass()
        case ast.AugAssign(target, operator, value):
            yield ast.Pass()
            if type(operator) in _ARITHMETIC:
                yield ast.AugAssign(target, _ARITHMETIC[type(operator)], value)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
