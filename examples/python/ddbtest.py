"""Runs the command ddbtest for tests, and calls its control endpoint."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import boto3
import botocore.config

REGION = "us-east-1"


class Server:
    """A running ddbtest. The environment variable DDBTEST names the binary."""

    def __init__(self, *options):
        command = [os.environ.get("DDBTEST", "ddbtest"), "-port", "0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("Endpoint: "):
            raise RuntimeError("ddbtest did not start")
        self.url = line.removeprefix("Endpoint: ").strip()

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()


class Database:
    """The database of an access key. A test has one of its own, so tests can run in parallel."""

    def __init__(self, server, access_key):
        self.server, self.access_key = server, access_key
        self.control("POST", "/databases", {"accessKey": access_key, "region": REGION}, choose=False)

    def client(self, attempts=3):
        """Returns a client that makes this many attempts of a call."""
        return boto3.client(
            "dynamodb",
            endpoint_url=self.server.url,
            region_name=REGION,
            aws_access_key_id=self.access_key,
            aws_secret_access_key="any",
            config=botocore.config.Config(retries={"total_max_attempts": attempts, "mode": "standard"}),
        )

    def control(self, method, path, body=None, choose=True, **query):
        """Sends a request to the control endpoint and returns its reply. An error has its text."""
        if choose:
            query.update(accessKey=self.access_key, region=REGION)
        url = f"{self.server.url}/_ddbtest/v1{path}"
        if query:
            url += "?" + urllib.parse.urlencode(query)
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as reply:
                text = reply.read()
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(error.read().decode()) from None
        return json.loads(text) if text else None
