"""Its index of vectors in memory and its BM25, fused by its RRF without generated questions; both are written as files."""

import adapter
from llama_index.core import Settings, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever


class GivenVectors(BaseEmbedding):
    def _get_text_embedding(self, text):
        return adapter.vector(text).tolist()

    def _get_query_embedding(self, query):
        return adapter.vector(query).tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)


Settings.embed_model, Settings.llm = GivenVectors(), MockLLM()
with adapter.ingesting():
    nodes = [TextNode(id_=each["id"], text=each["text"]) for each in adapter.PASSAGES]
    index = VectorStoreIndex(nodes)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=adapter.TOP)
    index.storage_context.persist(adapter.STORE)
    words.persist(adapter.STORE + "/words")

fusion = QueryFusionRetriever(
    [index.as_retriever(similarity_top_k=adapter.TOP), words],
    similarity_top_k=adapter.TOP,
    num_queries=1,
    mode="reciprocal_rerank",
    use_async=False,
)


def answer(text, _vector):
    return [found.node.node_id for found in fusion.retrieve(text)]


adapter.ask("hybrid", answer)
adapter.finish()
