"""Players that users bring: a function, a class, `module:name`, `file.py:name`, or the file of a saved policy."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Action, Position
from gridproof.core.representation import Representable
from gridproof.core.text.files import is_file
from gridproof.core.text.phrases import short_repr

POLICIES = (".zip", ".pt", ".pth", ".pt2")
"""Extensions of files of saved policies: of Stable-Baselines3, and of torch."""


class OwnPlayer(Representable):
    """Player over a function of a position, which returns an action or its text.

    Every choice is checked: one that is no action of the position, and an exception of the function, are a
    GridproofError. If the function has a method `values`, that gives the values; else the choice has 1, and the others 0.
    If it has `counts`, a mapping of whole numbers by name, evaluation reports them.
    """

    def __init__(self, choose: Callable[[Any], Any], name: str) -> None:
        self._choose, self._name = choose, name
        self._values: Callable[[Any], Mapping[Any, float]] | None = getattr(choose, "values", None)

    def __str__(self) -> str:
        return f"the player {self._name}"

    def _summary(self) -> str:
        return f"<Player {self._name}>"

    def __call__(self, position: Position[Any]) -> Action:
        chosen = self._call(self._choose, position)
        actions: dict[str, Action] = {str(action): action for action in position.actions()}
        if (found := actions.get(str(chosen))) is None:
            raise GridproofError(
                f"{self._name} chose {short_repr(chosen)}, which is no action here; there are {', '.join(actions)}"
            )
        return found

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        if self._values is None:
            chosen = self(position)
            return {action: float(action == chosen) for action in position.actions()}
        found = {str(action): float(value) for action, value in self._call(self._values, position).items()}
        return {action: found.get(str(action), float("-inf")) for action in position.actions()}

    @property
    def counts(self) -> Mapping[str, int]:
        """Numbers that the player counts while it plays, such as the wrong replies of a language model."""
        found = getattr(self._choose, "counts", None)
        return dict(found) if isinstance(found, Mapping) else {}

    def _call(self, function: Callable[[Any], Any], position: Position[Any]) -> Any:
        try:
            return function(position)
        except GridproofError:
            raise
        except Exception as error:
            raise GridproofError(f"{self._name} failed: {_describe(error)}") from error


def _describe(error: Exception) -> str:
    """Return the type and the text of an exception, and the last line of a file that it left."""
    frame = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith("<")][-1]
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"


def is_reference(name: object) -> bool:
    """Return whether a name is a reference to a player: `module:name`, `file.py:name`, or the file of a policy."""
    return isinstance(name, str) and (":" in name or name.endswith((*POLICIES, ".py")))


def options_of_reference(reference: str | Callable[..., Any]) -> list[str]:
    """Return the option names of a player; a function has none. GridproofError when there is no such player."""
    if isinstance(reference, str) and reference.endswith(POLICIES):
        return ["observation"]
    made = _find(reference) if isinstance(reference, str) else reference
    return list(inspect.signature(made).parameters)[1:] if inspect.isclass(made) else []


def create_own_player(
    game: Game, reference: str | Callable[..., Any], options: Mapping[str, Any]
) -> OwnPlayer:
    """Create the player of a reference.

    A class is called with the game and the options; a function, or another callable, is the player itself.

    Raises
    ------
    GridproofError
        When there is no such file, module or name, it cannot be imported, or it is no player.
    """
    name = (
        reference
        if isinstance(reference, str)
        else getattr(reference, "__qualname__", type(reference).__name__)
    )
    own = options_of_reference(reference)
    if unknown := sorted(options.keys() - set(own)):
        raise GridproofError(
            f"the player {name} has no option {unknown[0]!r}" + (f": it has {', '.join(own)}" if own else "")
        )
    if isinstance(reference, str) and reference.endswith(POLICIES):
        from gridproof.agents.policy import Policy

        return OwnPlayer(Policy(game, Path(reference), **options), name)
    found: Any = _find(reference) if isinstance(reference, str) else reference
    if inspect.isclass(found):
        maker: Callable[..., Any] = found
        try:
            found = maker(game, **options)
        except GridproofError:
            raise
        except Exception as error:
            raise GridproofError(f"{name} failed: {_describe(error)}") from error
    if not callable(found):
        raise GridproofError(f"{name} is no player: it cannot be called with a position")
    return OwnPlayer(found, name)


def _find(reference: str) -> Any:
    """Import the object of `module:name` or `file.py:name`; the name is `play` by default."""
    module, _, name = reference.rpartition(":") if ":" in reference else (reference, "", "")
    name = name or "play"
    if not module.endswith(".py") and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # the command line does not search it by itself
    try:
        found: Any = (
            _import_file(Path(module).resolve())
            if module.endswith(".py")
            else importlib.import_module(module)
        )
    except GridproofError:
        raise
    except ModuleNotFoundError as error:
        raise GridproofError(f"{reference}: {error}") from error
    except Exception as error:
        raise GridproofError(f"{reference}: {module} cannot be imported: {_describe(error)}") from error
    for part in name.split("."):
        if not hasattr(found, part):
            raise GridproofError(f"{reference}: {module} has no {name!r}")
        found = getattr(found, part)
    return found


@functools.cache
def _import_file(path: Path) -> Any:
    """Import a file as a module once in a process; its own folder is searched for what it imports."""
    if not is_file(str(path)):
        raise GridproofError(f"{path}: no such file")
    name = f"gridproof_player_{path.stem}_{abs(hash(path)):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GridproofError(f"{path}: this is no file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look for it there
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
