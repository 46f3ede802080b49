import json
import threading

import httpx
from httpx_sse import connect_sse

from kcs import HEADERS, PROJECT, call

AFTER_A_HEARTBEAT_SECONDS = 16


def ingest():
    for number in range(3):
        call(PROJECT + "/ingest", {"source_doc_id": f"event-{number}", "text": "The lamp is lit at dusk."})


names = []
with httpx.Client(timeout=60, headers=HEADERS) as client:
    with connect_sse(client, "GET", PROJECT + "/events") as source:
        for event in source.iter_sse():
            data = json.loads(event.data)
            if not names:
                assert event.event == "begin" and event.id != "" and event.retry == 2000, event
                threading.Timer(AFTER_A_HEARTBEAT_SECONDS, ingest).start()
            else:
                assert event.event in ("progress", "completed") and data["source_doc_id"], event
            names.append(event.event)
            if names.count("completed") == 3:
                break
    with connect_sse(client, "GET", f"{PROJECT}/jobs/{data['job_id']}/events") as source:
        assert [event.event for event in source.iter_sse()] == ["completed"]
    headers = {"Last-Event-ID": event.id}
    with connect_sse(client, "GET", PROJECT + "/events", headers=headers) as source:
        assert next(source.iter_sse()).id == event.id
print(f"{len(names) + 2} events, each with data in JSON; none for heartbeats and `retry`")
