"""Data sets as files: Parquet parts with a manifest, NPZ, or the storage of Minari."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.envs.registration import EnvSpec

from gridproof.agents.demonstrations import OPTIONS, Episode
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text import files
from gridproof.envs.conversion import environment_of, find_spec, joint_options
from gridproof.envs.game_batch import Array
from gridproof.envs.scalar import GridEnv
from gridproof.store.dataset import DatasetWriter, write_part

_KINDS: Mapping[str, type] = {"i": int, "u": str, "f": float, "b": bool}
"""Types of columns; numbers without sign are seeds, too large for some readers."""
DATA = "data"
"""Folder of Minari's storage, below the one with the card."""


def write_parquet(
    folder: Path, tables: Iterable[tuple[str, Mapping[str, Array]]], content: Mapping[str, Any]
) -> None:
    """Write tables with the same columns as parts of a dataset folder, each with its name (`gridproof.dataset` reads it).

    Boards and masks are lists of numbers from 0 to 255. GridproofError as of `DatasetWriter`.
    """
    writer = None
    try:
        for name, table in tables:
            columns = {key: _KINDS[one.dtype.kind] if one.ndim == 1 else list for key, one in table.items()}
            if writer is None:
                shape = table["observation"].shape[1:]
                writer = DatasetWriter(folder, columns, {**content, "observation_shape": [*shape]})
            rows: dict[str, Any] = {
                key: one.reshape(len(one), -1)
                if one.ndim > 1
                else one.astype(str)
                if columns[key] is str
                else one
                for key, one in table.items()
            }
            writer.append(write_part(folder, name, columns, rows))
    finally:
        if writer:
            writer.close()


def write_npz(path: Path, tables: Iterable[tuple[str, Mapping[str, Array]]]) -> None:
    """Write tables, at least one, with the same columns as a file of arrays; GridproofError when it cannot be written."""
    found = [table for _, table in tables]
    arrays = {name: np.concatenate([table[name] for table in found]) for name in found[0]}
    with files.open_atomic_bytes(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def write_minari(
    folder: Path,
    episodes: Sequence[Episode],
    levels: Sequence[Level],
    reference: str,
    facts: Mapping[str, Any],
) -> str:
    """Write episodes as a data set of Minari, and return its id.

    Parameters
    ----------
    folder : Path
        The storage is its folder `data`: `minari.MinariDataset(folder / "data")`. Beside the other data sets of Minari,
        as a folder with the name of the id, `minari.load_dataset` finds it.
    episodes : sequence of Episode
    levels : sequence of Level
    reference : str
        Name of the levels, for the id. If it names no file, the data set can recover its environment.
    facts : mapping of str
        More metadata, such as "description".

    Raises
    ------
    GridproofError
        When Minari is missing, or the folder cannot be written.
    """
    try:
        import minari
        from minari.data_collector.episode_buffer import EpisodeBuffer
        from minari.dataset.minari_storage import MinariStorage
    except ImportError:
        raise GridproofError("Minari is not installed: pip install 'gridproof[minari]'") from None
    observation = str(facts["observation"])
    env = environment_of(levels[0], observation, tuple(levels[1:]), joint=True)
    data = (folder / DATA).absolute()  # Minari cannot measure a relative folder
    with files.report_errors(data), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an environment that cannot be recovered
        data.mkdir(parents=True)
        storage = MinariStorage.new(
            data,
            observation_space=env.observation_space,
            action_space=env.action_space,
            env_spec=None if files.is_file(reference) else _spec(levels[0], reference, observation),
            data_format="parquet",
            jpeg_encoding=False,
        )
        name = re.sub(r"[^\w/]+", "-", Path(reference).stem if files.is_file(reference) else reference)
        known: dict[str, str] = {"dataset_id": f"gridproof/{name}-v0", "minari_version": minari.__version__}
        storage.update_metadata({**facts, **known})
        storage.update_episodes(map(EpisodeBuffer, *_buffers(episodes)))
    return known["dataset_id"]


def _buffers(episodes: Sequence[Episode]) -> Iterable[Iterable[Any]]:
    """Return the fields of Minari's buffers, each for all episodes."""
    yield range(len(episodes))
    yield (episode.seed for episode in episodes)
    yield ({"level": episode.level} for episode in episodes)
    yield (episode.observation for episode in episodes)
    yield (episode.action for episode in episodes)
    yield (episode.reward for episode in episodes)
    yield (episode.terminated for episode in episodes)
    yield (episode.truncated for episode in episodes)
    yield map(_infos, episodes)


def _infos(episode: Episode) -> dict[str, Any]:
    """Return masks and targets; Minari cannot read arrays of one dimension."""
    return {"action_mask": episode.action_mask} | {
        name: target.tolist() for name, target in episode.targets.items()
    }


def _spec(level: Level, reference: str, observation: str) -> EnvSpec:
    """Return how to make the environment again, in JSON's values alone."""
    env, known = environment_of(level, observation, joint=True), find_spec(level.game)
    options = {"levels": reference, "observation": observation, **OPTIONS, **joint_options(level.game)}
    if type(env) is GridEnv:
        options["game"] = level.game.name
    return EnvSpec(
        id=known.id if known else f"gridproof/{level.game.title}-v0",
        entry_point=f"{type(env).__module__}:{type(env).__qualname__}",
        max_episode_steps=known.max_episode_steps if known else None,
        kwargs=options,
    )
