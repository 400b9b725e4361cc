"""An S3 server on loopback, and places in it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

import pytest
import s3fs
from moto.server import ThreadedMotoServer

from judgeray.storage.place import Place, place_of

BUCKET = "judgeray"


@dataclass(frozen=True)
class ObjectStore:
    """A server with one bucket; `environment` is what a process needs to reach it."""

    environment: Mapping[str, str]

    def place(self, name: str = "") -> Place:
        """A folder that no other test uses."""
        return place_of(f"s3://{BUCKET}/{uuid4().hex}/{name}")


@contextmanager
def object_store() -> Iterator[ObjectStore]:
    """Serve S3 in this process, and point this process and its children at it."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {
        "AWS_ACCESS_KEY_ID": "loopback",
        "AWS_SECRET_ACCESS_KEY": "loopback",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir(BUCKET)
        try:
            yield ObjectStore({**os.environ, **environment})
        finally:
            s3fs.S3FileSystem.clear_instance_cache()
            server.stop()
