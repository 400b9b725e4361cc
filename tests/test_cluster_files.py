"""Laws of the files that start clusters: Ray takes them, they hold no key, and what they name is there."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version
from ray.autoscaler._private.util import prepare_config, validate_config
from ruamel.yaml import YAML

from judgeray.cli.main import COMMANDS
from judgeray.providers.keys import DEFAULT_KEY_ENV, KEY_SHAPE

ROOT = Path(__file__).parents[1]
LAUNCHER, KUBERNETES = ROOT / "cluster.yaml", ROOT / "manifests" / "kubernetes"
JOB, IMAGE = KUBERNETES / "rayjob.yaml", KUBERNETES / "Dockerfile"
FILES = (LAUNCHER, JOB, IMAGE)
KEYS = {names[0] for names in DEFAULT_KEY_ENV.values() if names}
SECRET = "sk-test-$(id) 'quoted' \"twice\" \\n"


def load(path: Path) -> Any:
    """A YAML file as plain values."""
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def launcher() -> dict[str, Any]:
    """cluster.yaml as `ray up` completes it, offline."""
    config: dict[str, Any] = prepare_config(load(LAUNCHER))
    return config


def commands(config: dict[str, Any]) -> Iterator[str]:
    """Every shell command of a launcher file."""
    for name, given in config.items():
        if name.endswith("_commands"):
            yield from given


def test_ray_takes_the_launcher_file(launcher: dict[str, Any]) -> None:
    """Ray's own schema and checks accept the file, completed with Ray's defaults for AWS."""
    validate_config(launcher)
    head, worker = (launcher["available_node_types"][name] for name in ("head", "worker"))
    assert launcher["head_node_type"] == "head"
    assert head["resources"] == {"CPU": 0}
    assert worker["min_workers"] >= 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_key_stands_in_a_file(path: Path) -> None:
    """Nothing that looks like a key, a token or a password, and no runtime_env that could carry one."""
    text = path.read_text(encoding="utf-8")
    assert KEY_SHAPE.search(text) is None
    assert re.search(r"\b[0-9A-Fa-f]{24,}\b|[A-Za-z0-9+/]{40,}={1,2}|AKIA[0-9A-Z]{16}", text) is None
    assert re.search(r"^[^#]*runtime_?env", text, re.MULTILINE | re.IGNORECASE) is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_ray_is_the_one_of_the_package(path: Path) -> None:
    """Each file pins one exact Ray, and it is one that pyproject.toml takes."""
    wanted = next(line for line in (ROOT / "pyproject.toml").read_text().splitlines() if '"ray[' in line)
    allowed = Requirement(wanted.strip(' ",')).specifier
    pins = re.findall(r"\bray(?:\[[a-z,]+\]==|Version: |:)(\d+\.\d+\.\d+)", path.read_text(encoding="utf-8"))
    assert pins
    assert all(Version(pin) in allowed for pin in pins)


def test_named_files_are_in_the_repository(launcher: dict[str, Any]) -> None:
    """What is mounted, and what commands and the image take from there, exists."""
    (place, source), *others = launcher["file_mounts"].items()
    assert not others
    named = {word for each in commands(launcher) for word in re.findall(rf"{place}([\w/.]*)", each)}
    assert named
    assert all((ROOT / source / word.lstrip("/")).exists() for word in named)
    copied = re.findall(r"^COPY \S+ (.+) \S+$", IMAGE.read_text(), re.MULTILINE)
    assert copied
    assert all((ROOT / word).exists() for line in copied for word in line.split())


def test_every_node_reads_its_keys_before_ray_starts(launcher: dict[str, Any]) -> None:
    """Head and workers fetch the keys, and one command takes them in and starts Ray."""
    for name in ("head_start_ray_commands", "worker_start_ray_commands"):
        _, fetch, start = launcher[name]
        assert set(re.findall(r"[A-Z_]+_API_KEY", fetch)) == KEYS
        assert f"--region {launcher['provider']['region']} " in fetch
        assert start.startswith(". ~/.judgeray.env; ")
        assert "ray start" in start


def test_fetched_keys_are_for_their_user_alone(launcher: dict[str, Any], tmp_path: Path) -> None:
    """The command writes each secret that there is, whatever its characters, to a file of mode 600."""
    fake = tmp_path / "aws"
    fake.write_text('#!/bin/sh\ncase "$*" in *GEMINI*) exit 254;; esac\nprintf "%s\\n" "$SECRET"\n')
    fake.chmod(0o755)
    env = {"HOME": str(tmp_path), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "SECRET": SECRET}
    kept = tmp_path / ".judgeray.env"
    kept.write_text("old")
    kept.chmod(0o644)
    fetch = launcher["head_start_ray_commands"][1]
    done = subprocess.run(["bash", "-c", fetch], env=env, capture_output=True, text=True, check=True, timeout=30)
    assert SECRET not in done.stdout + done.stderr
    assert kept.stat().st_mode & 0o777 == 0o600
    show = '. ~/.judgeray.env; python3 -c "import json, os; print(json.dumps(dict(os.environ)))"'
    told = subprocess.run(["bash", "-c", show], env=env, capture_output=True, text=True, check=True, timeout=30)
    found = json.loads(told.stdout)
    assert {found[name] for name in ("RAY_AUTH_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")} == {SECRET}
    assert found["RAY_AUTH_MODE"] == "token"
    assert "GEMINI_API_KEY" not in found


def test_kubernetes_job_runs_the_public_command() -> None:
    """A RayJob of this API, token-guarded, whose entrypoint is a command of this package."""
    job = load(JOB)
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    program, command, manifest, option, output = job["spec"]["entrypoint"].split()
    assert (program, option) == ("judgeray", "--output")
    assert command in COMMANDS
    assert output.startswith("s3://")
    cluster = job["spec"]["rayClusterSpec"]
    assert cluster["authOptions"] == {"mode": "token"}
    assert cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    for container in containers(cluster):
        (mount,) = container["volumeMounts"]
        assert manifest == f"{mount['mountPath']}/manifest.yaml"


def test_kubernetes_pods_take_keys_from_the_secret() -> None:
    """Every container reads every key from the Secret, and no variable stands there in words."""
    for container in containers(load(JOB)["spec"]["rayClusterSpec"]):
        assert {variable["name"] for variable in container["env"]} == KEYS
        for variable in container["env"]:
            reference = variable["valueFrom"]["secretKeyRef"]
            assert "value" not in variable
            assert (reference["name"], reference["key"]) == ("judgeray-keys", variable["name"])


def containers(cluster: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The containers of the head and of all workers."""
    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"]):
        yield from group["template"]["spec"]["containers"]
