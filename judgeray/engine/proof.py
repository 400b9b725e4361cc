"""The proof, before any call is sent, that every node can write to the replies folder and the driver read it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import ray
from ray.exceptions import GetTimeoutError, RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from judgeray.core.errors import BadInputError
from judgeray.engine.layout import RepliesFolder
from judgeray.storage.errors import storage_errors
from judgeray.storage.files import discard, read_whole, write_whole
from judgeray.storage.place import Place, place_of

PROOF_SECONDS = 90.0
"""Deadline for all nodes together; a node that has never run Python of this kind needs some seconds to start it."""

REMOVE_SECONDS = 10.0


def prove_storage(folder: RepliesFolder) -> None:
    """Let every node that is alive write a small file, read it here, and remove it.

    Left out where it says nothing: a local folder and a Ray of this machine alone. Raises BadInputError that names
    the nodes which cannot, and says what to do.
    """
    if isinstance(folder.path, Path) and not os.environ.get("RAY_ADDRESS"):
        return
    nodes = {node["NodeID"]: _name(node) for node in ray.nodes() if node["Alive"]}  # type: ignore[no-untyped-call]
    problems = [f"node {nodes[node]}: {words}" for node, words in _ask(folder, list(nodes)).items() if words]
    if problems:
        raise BadInputError(
            f"{folder.path}: not every node of the cluster can write there so that this one reads it; nothing was "
            f"sent. {'; '.join(sorted(problems))} Give --output (or replies:) a folder that all nodes share, or an "
            "s3:// or gs:// URL with credentials and endpoint in the environment of every node."
        )


def write_probe(address: str, name: str) -> str | None:
    """Write a small file that holds its own name into a folder; returns the error's words where that fails."""
    try:
        write_whole(place_of(address) / name, name.encode("ascii"))
    except BadInputError as error:
        return str(error)
    except storage_errors() as error:
        return " ".join(str(error).split())
    return None


def remove_probe(address: str, name: str) -> None:
    """Remove what `write_probe` wrote, where only its own node can see it."""
    discard([place_of(address) / name])


def _ask(folder: RepliesFolder, nodes: list[str]) -> dict[str, str | None]:
    """Send a probe from each node; returns by node why it is not there, None where it is."""
    names = {node: f"probe-{uuid4().hex}" for node in nodes}
    end = time.monotonic() + PROOF_SECONDS
    tasks = {node: _on(node, write_probe).remote(folder.address, names[node]) for node in nodes}
    told = {node: _outcome(task, end) or _read(folder.path / names[node]) for node, task in tasks.items()}
    discard(folder.path / name for name in names.values())
    astray = [_on(node, remove_probe).remote(folder.address, names[node]) for node in nodes if told[node]]
    ray.wait(astray, num_returns=len(astray), timeout=REMOVE_SECONDS) if astray else None
    return told


def _on(node: str, function: Callable[..., object]) -> Any:  # noqa: ANN401 -- Ray types no remote functions
    """Bind a function to one node."""
    here = NodeAffinitySchedulingStrategy(node, soft=False)
    remote: Any = ray.remote(num_cpus=0, max_retries=0)(function)
    return remote.options(scheduling_strategy=here)


def _outcome(task: Any, end: float) -> str | None:  # noqa: ANN401 -- as above
    """Wait for a node's own word."""
    try:
        told: str | None = ray.get(task, timeout=max(0.0, end - time.monotonic()))
    except GetTimeoutError:
        return f"gave no answer within {PROOF_SECONDS:g} s"
    except RayError as error:
        return str(error).strip().splitlines()[-1]
    return told


def _read(probe: Place) -> str | None:
    try:
        found = read_whole(probe).decode("ascii", "replace")
    except FileNotFoundError:
        return "what it wrote is not in the folder that this node sees under that name"
    return None if found == probe.name else f"what it wrote reads differently here: '{found}'"


def _name(node: dict[str, Any]) -> str:
    return f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']}, {node['NodeID'][:8]})"
