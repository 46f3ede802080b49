"""The client's local mode, in a folder: dense vectors and BM25 as sparse ones, fused by its RRF."""

import collections
import re

import adapter
from qdrant_client import QdrantClient, models

K1, B = 1.2, 0.75
CANDIDATES = 50


def words_of(text):
    return re.findall(r"\w+", text.lower())


mean_words = sum(len(words_of(each["text"])) for each in adapter.PASSAGES) / len(adapter.PASSAGES)
numbers = {}


def weigh(text):
    """The part of BM25 that does not depend on other passages; the collection multiplies by IDF."""
    counts = collections.Counter(words_of(text))
    norm = K1 * (1 - B + B * counts.total() / mean_words)
    weights = {numbers.setdefault(word, len(numbers)): n * (K1 + 1) / (n + norm) for word, n in counts.items()}
    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def weigh_question(text):
    known = sorted({numbers[word] for word in words_of(text) if word in numbers})
    return models.SparseVector(indices=known, values=[1.0] * len(known))


client = QdrantClient(path=adapter.STORE)
with adapter.ingesting():
    client.create_collection(
        "passages",
        vectors_config={"dense": models.VectorParams(size=adapter.DIMENSIONS, distance=models.Distance.COSINE)},
        sparse_vectors_config={"words": models.SparseVectorParams(modifier=models.Modifier.IDF)},
    )
    at = 0
    for batch in adapter.batches(100):
        points = []
        for each in batch:
            vectors = {"dense": adapter.vector(each["text"]).tolist(), "words": weigh(each["text"])}
            points.append(models.PointStruct(id=at, vector=vectors, payload={"id": each["id"], "text": each["text"]}))
            at += 1
        client.upsert("passages", points)


def answer(text, vector):
    found = client.query_points(
        "passages",
        prefetch=[
            models.Prefetch(query=vector.tolist(), using="dense", limit=CANDIDATES),
            models.Prefetch(query=weigh_question(text), using="words", limit=CANDIDATES),
        ],
        query=models.FusionQuery(fusion=models.Fusion.RRF),
        limit=adapter.TOP,
        with_payload=["id"],
    )
    return [point.payload["id"] for point in found.points]


adapter.ask("hybrid", answer)
adapter.finish()
client.close()
