"""Laws of the proof that every node of a cluster can write to the replies folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from judgeray.engine.layout import RepliesFolder
from judgeray.storage.files import listed
from tests.object_store import ObjectStore

SCRIPT = """
import json, logging, os, sys
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
from judgeray.core.errors import BadInputError
from judgeray.engine.layout import RepliesFolder
from judgeray.engine.proof import prove_storage
from judgeray.storage.place import place_of

def outcome(folder):
    try:
        prove_storage(RepliesFolder(folder))
    except BadInputError as error:
        return str(error)
    return "proven"

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
away = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_MAX_ATTEMPTS": "1"}
cluster.add_node(num_cpus=1, env_vars=away)
ray.init(address=cluster.address, logging_level=logging.ERROR)
os.environ["RAY_ADDRESS"] = cluster.address
names = {node["Resources"].get("CPU", 0.0): node["NodeID"][:8] for node in ray.nodes()}
os.chdir(sys.argv[2])
places = {"far": place_of(sys.argv[1]), "near": Path(sys.argv[2]), "own": Path("/proc/self/cwd")}
told = {name: outcome(place) for name, place in places.items()}
print(json.dumps({"head": names[0.0], "other": names[1.0], **told}))
ray.shutdown()
cluster.shutdown()
"""


def test_node_that_cannot_write_is_named_before_anything_is_sent(store: ObjectStore, tmp_path: Path) -> None:
    """The node whose environment leads elsewhere is named with the storage's words, and no other; no probe is left.

    What a node writes to a folder of its own under the same name is found because it cannot be read, and removed; a
    folder that all see is proven, by nodes that offer no CPU too.
    """
    far = RepliesFolder(store.place("replies"))
    near, nodes = tmp_path / "near", tmp_path / "nodes"
    near.mkdir()
    nodes.mkdir()
    command, environment = [sys.executable, "-c", SCRIPT, far.address, str(near)], dict(store.environment)
    done = subprocess.run(
        command, cwd=nodes, capture_output=True, text=True, timeout=200, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["near"] == "proven"
    assert f"{told['other']}): s3://" in told["far"]
    assert told["head"] not in told["far"]
    for words in (far.address, "127.0.0.1:9", "nothing was sent", "all nodes share", "every node"):
        assert words in told["far"]
    assert told["head"] in told["own"]
    assert told["other"] in told["own"]
    assert "is not in the folder that this node sees" in told["own"]
    assert listed(far.path, "") == []
    assert [*near.iterdir(), *nodes.iterdir()] == []
