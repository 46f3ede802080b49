"""Its defaults: JSON files, NanoVectorDB, NetworkX. Asked for data, because no model writes answers.

`documents`: as documents, until the limit of time. `graph`: with the graph that the model server would have given, in one call.
"""

import asyncio
import logging
import time

import adapter

adapter.use_vocabulary()
from lightrag import LightRAG, QueryParam  # noqa: E402
from lightrag.utils import EmbeddingFunc  # noqa: E402

logging.disable(logging.WARNING)
ENDING = ".txt"


async def ingest_documents(rag):
    with adapter.ingesting() as done:
        began, ingested = time.perf_counter(), 0
        for batch in adapter.batches(20):
            await rag.ainsert(
                [each["text"] for each in batch],
                ids=[each["id"] for each in batch],
                file_paths=[each["id"] + ENDING for each in batch],
            )
            ingested += len(batch)
            if time.perf_counter() - began > adapter.LIMIT_SECONDS:
                break
        done["passages"] = ingested


async def ingest_graph(rag):
    with adapter.ingesting():
        await rag.ainsert_custom_kg(graph_of(adapter.PASSAGES))


def graph_of(passages):
    chunks, entities, relationships = [], [], []
    for each in passages:
        title, names, begin = each["named"]["title"], each["named"]["names"], each["named"]["begin"]
        source = {"source_id": each["id"], "file_path": each["id"] + ENDING}
        chunks.append({"content": each["text"], **source})
        entities.append({"entity_name": title, "entity_type": "Concept", "description": begin or title, **source})
        for name in names:
            about = f"{name} is named with {title}."
            entities.append({"entity_name": name, "entity_type": "Other", "description": about, **source})
            # It takes no relationship of an entity with itself.
            if name.casefold() != title.casefold():
                relation = {"src_id": title, "tgt_id": name, "keywords": "names", "description": about, "weight": 1.0}
                relationships.append({**relation, **source})
    return {"chunks": chunks, "entities": entities, "relationships": relationships}


def ids_in(found):
    chunks = (found.get("data") or {}).get("chunks", [])
    return [chunk["file_path"].removesuffix(ENDING) for chunk in chunks]


async def main():
    rag = LightRAG(
        working_dir=adapter.STORE,
        llm_model_func=adapter.chat,
        llm_model_name="rule",
        embedding_func=EmbeddingFunc(embedding_dim=adapter.DIMENSIONS, max_token_size=256, func=adapter.embed),
    )
    await rag.initialize_storages()
    await (ingest_graph if adapter.WAY == "graph" else ingest_documents)(rag)
    for mode in ("naive", "mix"):
        param = QueryParam(mode=mode, chunk_top_k=adapter.TOP, enable_rerank=False)
        await adapter.ask_async(mode, lambda text: rag.aquery_data(text, param), ids_in)
    await rag.finalize_storages()


asyncio.run(main())
adapter.finish()
