"""A server on loopback that speaks S3, with one empty bucket."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import pytest
from moto.server import ThreadedMotoServer

BUCKET = "rackledger"


@contextmanager
def served() -> Iterator[dict[str, str]]:
    """The settings that lead to the bucket; inside, this process has them too."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for each request, else
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    access = {"AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none", "AWS_DEFAULT_REGION": "us-east-1",
              "AWS_ENDPOINT_URL": f"http://{host}:{port}"}  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        for name, value in access.items():
            patch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        try:
            yield access | {"RACKLEDGER_REMOTE": f"s3://{BUCKET}/ledger"}
        finally:
            server.stop()
