"""Exact vectors and its index of words, fused by its RRF."""

import re

import adapter
import lancedb
from lancedb.index import FTS
from lancedb.rerankers import RRFReranker

database = lancedb.connect(adapter.STORE)
with adapter.ingesting():
    table = None
    for batch in adapter.batches(100):
        rows = [{"id": each["id"], "text": each["text"], "vector": adapter.vector(each["text"])} for each in batch]
        if table is None:
            table = database.create_table("passages", rows)
        else:
            table.add(rows)
    table.create_index("text", config=FTS())
    table.optimize()

fusion = RRFReranker()


def answer(text, vector):
    # Its query language gives meaning to punctuation.
    words = " ".join(re.findall(r"\w+", text))
    search = table.search(query_type="hybrid").vector(vector).metric("cosine").text(words)
    found = search.rerank(fusion).limit(adapter.TOP).select(["id", "text"]).to_arrow()
    return found.column("id").to_pylist()


adapter.ask("hybrid", answer)
adapter.finish()
