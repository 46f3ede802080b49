"""What the adapters share: passages and questions with their vectors, the model server, the clock and the result."""

import asyncio
import base64
import contextlib
import http.client
import importlib.util
import json
import os
import pathlib
import resource
import threading
import time
import urllib.parse

import numpy

FOLDER = pathlib.Path(os.environ["PEER_INPUT"])
STORE = os.environ["PEER_STORE"]
WAY = os.environ["PEER_WAY"]
MODEL_URL = os.environ["PEER_MODEL_URL"]
LIMIT_SECONDS = float(os.environ["PEER_LIMIT_SECONDS"])
TOP = 10

_texts = json.loads((FOLDER / "texts.json").read_text())
DIMENSIONS = _texts["dimensions"]
PASSAGES = _texts["passages"]
QUESTIONS = _texts["questions"]
WARM = _texts["warm"]
_rows = numpy.memmap(FOLDER / "vectors.f32", dtype=numpy.float32, mode="r").reshape(-1, DIMENSIONS)
_row_of = {each["text"]: row for row, each in enumerate(PASSAGES + QUESTIONS + WARM)}
_result = {"ingest": None, "ways": []}
_local = threading.local()


def vector(text):
    """Of a passage or question, as an array."""
    return numpy.array(_rows[_row_of[text]])


def batches(size):
    return (PASSAGES[at : at + size] for at in range(0, len(PASSAGES), size))


@contextlib.contextmanager
def ingesting():
    """Times what is done inside; yields a dictionary whose `passages` can be lowered."""
    done = {"passages": len(PASSAGES)}
    cpu, began = _cpu_seconds(), time.perf_counter()
    yield done
    seconds = time.perf_counter() - began
    _result["ingest"] = {**done, "seconds": seconds, "cpuSeconds": _cpu_seconds() - cpu, **_model_work()}


def ask(way, answer):
    """`answer` takes a question's text and its vector and returns document ids, the best first."""
    for question in WARM:
        answer(question["text"], vector(question["text"]))
    times, ranked, cpu = [], {}, _cpu_seconds()
    for question in QUESTIONS:
        given = vector(question["text"])
        began = time.perf_counter()
        ids = answer(question["text"], given)
        times.append((time.perf_counter() - began) * 1000)
        ranked[question["id"]] = list(dict.fromkeys(ids))
    _keep(way, times, ranked, _cpu_seconds() - cpu)


async def ask_async(way, retrieve, ids_of):
    """`retrieve` takes a question's text; `ids_of` reads the ids from what it returns, outside the time."""
    for question in WARM:
        await retrieve(question["text"])
    times, ranked, cpu = [], {}, _cpu_seconds()
    for question in QUESTIONS:
        began = time.perf_counter()
        found = await retrieve(question["text"])
        times.append((time.perf_counter() - began) * 1000)
        ranked[question["id"]] = list(dict.fromkeys(ids_of(found)))
    _keep(way, times, ranked, _cpu_seconds() - cpu)


def _keep(way, times, ranked, cpu_seconds):
    asked = {"way": way, "timesMs": times, "cpuSeconds": cpu_seconds, "ranked": ranked}
    _result["ways"].append({**asked, **_model_work()})


def finish():
    pathlib.Path(os.environ["PEER_RESULT"]).write_text(json.dumps(_result))


async def chat(prompt, system_prompt=None, history_messages=(), **_options):
    """The reply of the model server; LightRAG and nano-graphrag call it with these names."""
    system = [{"role": "system", "content": system_prompt}] if system_prompt else []
    messages = [*system, *(history_messages or ()), {"role": "user", "content": prompt}]
    reply = await asyncio.to_thread(_post, "/v1/chat/completions", {"model": "rule", "messages": messages})
    return reply["choices"][0]["message"]["content"]


async def embed(texts, **_options):
    body = {"model": "bundled", "input": list(texts), "encoding_format": "base64"}
    reply = await asyncio.to_thread(_post, "/v1/embeddings", body)
    rows = [numpy.frombuffer(base64.b64decode(each["embedding"]), numpy.float32) for each in reply["data"]]
    return numpy.stack(rows)


def use_vocabulary():
    """Lets tiktoken find its vocabularies, which it would download, in a package that has them. Does not load the package."""
    [package] = importlib.util.find_spec("litellm").submodule_search_locations
    os.environ["TIKTOKEN_CACHE_DIR"] = package + "/litellm_core_utils/tokenizers"


def _post(path, body):
    """A thread keeps its connection."""
    if not hasattr(_local, "connection"):
        _local.connection = http.client.HTTPConnection(urllib.parse.urlsplit(MODEL_URL).netloc, timeout=120)
    _local.connection.request("POST", path, json.dumps(body))
    return json.loads(_local.connection.getresponse().read())


def _model_work():
    return {"model": _post("/work", {})} if MODEL_URL else {}


def _cpu_seconds():
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
