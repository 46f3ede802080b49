"""Its defaults: JSON files, NanoVectorDB, NetworkX, Leiden. Asked for contexts, because no model writes answers."""

import asyncio
import logging

import adapter

adapter.use_vocabulary()
import numpy  # noqa: E402
from nano_graphrag import GraphRAG, QueryParam  # noqa: E402
from nano_graphrag._utils import EmbeddingFunc  # noqa: E402

logging.disable(logging.WARNING)
BEGIN = 100


def ids_in(context):
    """Of the passages that the context quotes, in its order."""
    sources = context.rsplit("-----Sources-----", 1)[-1].replace('""', '"')
    places = ((sources.find(each["text"][:BEGIN]), each["id"]) for each in adapter.PASSAGES)
    return [found for place, found in sorted(places) if place >= 0]


async def main():
    rag = GraphRAG(
        working_dir=adapter.STORE,
        best_model_func=adapter.chat,
        cheap_model_func=adapter.chat,
        embedding_func=EmbeddingFunc(embedding_dim=adapter.DIMENSIONS, max_token_size=256, func=adapter.embed),
        enable_naive_rag=True,
    )
    with adapter.ingesting():
        await rag.ainsert([each["text"] for each in adapter.PASSAGES])
    for mode in ("naive", "local"):
        param = QueryParam(mode=mode, only_need_context=True)
        await adapter.ask_async(mode, lambda text: rag.aquery(text, param), ids_in)


asyncio.run(main())
adapter.finish()
