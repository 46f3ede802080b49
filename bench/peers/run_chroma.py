"""The embedded client, which ranks by vectors alone."""

import adapter
import chromadb
from chromadb.config import Settings

client = chromadb.PersistentClient(path=adapter.STORE, settings=Settings(anonymized_telemetry=False))
with adapter.ingesting():
    space = {"hnsw:space": "cosine"}
    collection = client.create_collection("passages", metadata=space, embedding_function=None)
    for batch in adapter.batches(100):
        collection.add(
            ids=[each["id"] for each in batch],
            documents=[each["text"] for each in batch],
            embeddings=[adapter.vector(each["text"]) for each in batch],
        )


def answer(_text, vector):
    return collection.query(query_embeddings=[vector], n_results=adapter.TOP)["ids"][0]


adapter.ask("vectors", answer)
adapter.finish()
