"""What the checks share. The environment has the service's address, its key and a project with a graph."""

import json
import os
import urllib.request

URL = os.environ["KCS_URL"]
API = URL + "/api/v1"
HEADERS = {"Authorization": "Bearer " + os.environ["KCS_KEY"]}
PROJECT = API + "/projects/" + os.environ["KCS_PROJECT"]


def call(url, body=None, method=None):
    """The body of a response as text."""
    data = None if body is None else json.dumps(body).encode()
    headers = {**HEADERS, "Content-Type": "application/json"} if data is not None else HEADERS
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read().decode()


def total(kind):
    """Number of entities or relationships, as the lists count them."""
    return json.loads(call(f"{PROJECT}/{kind}?limit=1"))["total"]
