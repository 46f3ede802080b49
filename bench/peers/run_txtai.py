"""Its hybrid index: vectors in faiss, its own BM25, contents in SQLite."""

import adapter
import numpy
from txtai import Embeddings


def vectors_of(texts):
    return numpy.stack([adapter.vector(text) for text in texts])


with adapter.ingesting():
    index = Embeddings({"method": "external", "transform": vectors_of, "content": True, "hybrid": True})
    index.index([(each["id"], {"text": each["text"]}, None) for each in adapter.PASSAGES])
    index.save(adapter.STORE + "/index")


def answer(text, _vector):
    return [found["id"] for found in index.search(text, adapter.TOP)]


adapter.ask("hybrid", answer)
adapter.finish()
