"""Recordings of episodes, as NPZ or Parquet; each episode is a trace that replays.

recorder = Recorder(gymnasium.make_vec("gridproof/Sokoban-v0", 64))
observations, infos = recorder.reset(seed=1)
... recorder.step(actions) ...
recorder.save("games.parquet")
traces = recorder.traces()
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from gridproof.core.errors import GridproofError
from gridproof.core.text import files
from gridproof.core.text.phrases import short_repr
from gridproof.core.trace import Trace
from gridproof.envs.game_batch import Array, Games
from gridproof.envs.vector import GridVectorEnv

COLUMNS = (
    "episode", "game", "level", "seed", "step",
    "action", "reward", "terminated", "truncated", "illegal",
)  # fmt: skip
"""Columns of a step: its episode, from 0; the game of the batch; level and seed of the episode; its number, from 0; its
action and results. There are also the observation before it, and the mask."""


class Recorder:
    """Steps a vector environment, and records the steps.

    Parameters
    ----------
    envs : vector environment
        A `GridVectorEnv`, with observations of symbols or planes.

    Raises
    ------
    GridproofError
        For any other environment.
    """

    def __init__(self, envs: Any) -> None:
        found = envs.unwrapped
        if not isinstance(found, GridVectorEnv) or found.single_observation_space.shape is None:
            raise GridproofError("what is recorded is a vector environment of gridproof that observes arrays")
        self.envs = found
        self._rows: list[dict[str, Array]] = []
        count = found.num_envs
        self._episode, self._begun = np.arange(count), count
        self._step, self._over = np.zeros(count, np.int64), np.zeros(count, np.bool_)
        self._observe: Array = np.zeros(0)
        self._mask: Array = np.zeros(0)
        self._episode_of_game: tuple[Array, Array] = np.zeros(0), np.zeros(0)

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Reset all games, as `GridVectorEnv.reset` does."""
        if "reset_mask" in (arguments.get("options") or {}):
            raise GridproofError("a recorder must start all games at once")
        if "position" in (arguments.get("options") or {}):
            raise GridproofError("a recorder keeps games from the starts of their levels")
        observations, infos = self.envs.reset(**arguments)
        self._begin_episodes(np.ones(self.envs.num_envs, np.bool_))
        self._store_observation(observations, infos)
        return observations, infos

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Step, as `GridVectorEnv.step` does, and record the step, except for games that it only resets."""
        level, seed = self._episode_of_game
        done = self.envs.step(actions)
        observations, rewards, terminated, truncated, infos = done
        same = self.envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        illegal = infos["illegal"].copy()
        if same and "final_info" in infos:
            illegal |= infos["final_info"]["illegal"]
        played = np.flatnonzero(~self._over)
        count = self.envs.num_envs
        columns = {
            "episode": self._episode, "game": np.arange(count), "level": level, "seed": seed, "step": self._step,
            "action": np.asarray(actions, np.int64), "reward": rewards, "terminated": terminated,
            "truncated": truncated, "illegal": illegal, "observation": self._observe, "action_mask": self._mask,
        }  # fmt: skip
        self._rows.append({name: column[played] for name, column in columns.items()})
        self._step = self._step + 1
        ended = (terminated | truncated) & ~self._over
        if same:
            self._begin_episodes(ended)
        elif self.envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP:
            self._begin_episodes(self._over)
            self._over = ended
        else:
            self._over |= ended
        self._store_observation(observations, infos)
        return done

    def _begin_episodes(self, begun: Array) -> None:
        count = int(begun.sum())
        self._episode = self._episode.copy()
        self._episode[begun] = np.arange(self._begun, self._begun + count)
        self._begun += count
        self._step = np.where(begun, 0, self._step)
        self._over = self._over & ~begun

    def _store_observation(self, observations: Any, infos: dict[str, Any]) -> None:
        self._observe, self._mask = np.array(observations), infos["action_mask"].copy()
        self._episode_of_game = infos["level"], self.envs.games.seeds

    def arrays(self) -> dict[str, Array]:
        """Return all steps so far by column, sorted by episode and number."""
        if not self._rows:
            raise GridproofError("nothing was recorded")
        found = {name: np.concatenate([row[name] for row in self._rows]) for name in self._rows[0]}
        order = np.lexsort((found["step"], found["episode"]))
        found = {name: column[order] for name, column in found.items()}
        found["episode"] = np.unique(found["episode"], return_inverse=True)[1]
        return found

    def traces(self) -> list[Trace]:
        """Return each episode as a trace, replayed by the rules."""
        return list(traces_of(self.envs.games, self.arrays()))

    def save(self, path: str | Path) -> None:
        """Write all steps to a file: `.npz`, or `.parquet` with observations and masks as lists of numbers.

        Raises
        ------
        GridproofError
            When the file has another extension or is not writable, or there are no steps.
        """
        path, found = Path(path), self.arrays()
        with files.report_errors(path):
            if path.suffix == ".npz":
                np.savez_compressed(path, allow_pickle=False, **found)
            elif path.suffix == ".parquet":
                _write_parquet(path, found)
            else:
                raise GridproofError(f"{path}: recordings end in .npz or .parquet")


def load(path: str | Path) -> dict[str, Array]:
    """Load the columns of a recording.

    Parameters
    ----------
    path : str or Path
        File in .npz or .parquet.

    Returns
    -------
    dict of str to array
        One row for each step: the columns of `COLUMNS`, `observation` and `action_mask`.

    Raises
    ------
    GridproofError
        When the file is no recording.
    """
    path = Path(path)
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                found = dict(file)
        else:
            found = _read_parquet(path)
    except Exception as error:  # noqa: BLE001  # readers of broken files raise anything
        raise GridproofError(f"{path}: no recording: {error}") from None
    if missing := {*COLUMNS, "observation", "action_mask"} - found.keys():
        raise GridproofError(f"{path}: no recording: {sorted(missing)[0]} is missing")
    return found


def traces_of(games: Games, recording: Mapping[str, Array]) -> Iterator[Trace]:
    """Yield the episodes of a recording as traces, replayed by the rules on its levels.

    Parameters
    ----------
    games : Games
        Games of an environment with the recorded levels.
    recording : mapping of str to array
        Columns, as `load` returns them.

    Yields
    ------
    Trace
        One for each episode, in order.

    Raises
    ------
    GridproofError
        For an unknown level or action.
    """
    starts = np.flatnonzero(np.diff(recording["episode"], prepend=-1))
    for first, last in zip(starts, [*starts[1:], len(recording["episode"])], strict=True):
        level = int(recording["level"][first])
        if not 0 <= level < len(games.levels):
            raise GridproofError(f"level {short_repr(level)}: use 0 to {len(games.levels) - 1}")
        yield games.trace(level, int(recording["seed"][first]), recording["action"][first:last].tolist())


def _write_parquet(path: Path, found: Mapping[str, Array]) -> None:
    import pyarrow
    import pyarrow.parquet

    shape = found["observation"].shape[1:]
    table = pyarrow.table(
        {
            name: list(column.reshape(len(column), -1)) if column.ndim > 1 else column
            for name, column in found.items()
        }
    )
    table = table.replace_schema_metadata({"observation": ",".join(map(str, shape))})
    pyarrow.parquet.write_table(table, path)


def _read_parquet(path: Path) -> dict[str, Array]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    shape = tuple(map(int, table.schema.metadata[b"observation"].decode().split(",")))
    found = {
        name: np.stack(list(map(np.asarray, table[name].to_numpy())))
        if name in ("observation", "action_mask")
        else table[name].to_numpy()
        for name in table.column_names
    }
    found["observation"] = found["observation"].reshape(-1, *shape)
    return found
