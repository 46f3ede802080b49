/** The peers in the order in which they run. */
import type { Peer } from "./peer.ts";

const VECTORS = "vectors from outside";
/** What tiktoken would download is a file of this package. */
const VOCABULARY = "litellm==1.110.2";
const MODEL = "a language model and an embedding server; tiktoken's vocabulary, by download";

const lightRag = {
  from: "pypi",
  package: "lightrag-hku",
  version: "1.5.7",
  without: [VOCABULARY],
  adapter: "run_lightrag.py",
  asksModel: true,
} as const;

export const peers: readonly Peer[] = [
  {
    name: "lancedb",
    from: "pypi",
    package: "lancedb",
    version: "0.40.0",
    adapter: "run_lancedb.py",
    asksModel: false,
    needed: VECTORS,
  },
  {
    name: "qdrant",
    from: "pypi",
    package: "qdrant-client",
    version: "1.20.0",
    adapter: "run_qdrant.py",
    asksModel: false,
    needed: `${VECTORS}; term weights of BM25 by our adapter (its own need a download)`,
  },
  {
    name: "chroma",
    from: "pypi",
    package: "chromadb",
    version: "1.5.9",
    adapter: "run_chroma.py",
    asksModel: false,
    needed: `${VECTORS}; its local form does not rank by keywords`,
  },
  {
    name: "llamaindex",
    from: "pypi",
    package: "llama-index-core",
    version: "0.14.25",
    also: ["llama-index-retrievers-bm25"],
    adapter: "run_llamaindex.py",
    asksModel: false,
    needed: `${VECTORS}; an object for a language model, which is not called`,
  },
  {
    name: "txtai",
    from: "pypi",
    package: "txtai",
    version: "9.14.0",
    adapter: "run_txtai.py",
    asksModel: false,
    needed: `${VECTORS}; gigabytes of torch`,
  },
  {
    name: "orama",
    from: "npm",
    package: "@orama/orama",
    version: "3.1.18",
    adapter: "run-orama.ts",
    asksModel: false,
    needed: VECTORS,
  },
  {
    name: "minisearch",
    from: "npm",
    package: "minisearch",
    version: "7.2.0",
    adapter: "run-minisearch.ts",
    asksModel: false,
    needed: "nothing: keywords only",
  },
  {
    name: "nano-graphrag",
    from: "pypi",
    package: "nano-graphrag",
    version: "0.0.8.2",
    also: ["setuptools<80"],
    without: [VOCABULARY],
    adapter: "run_nano_graphrag.py",
    asksModel: true,
    needed: MODEL,
  },
  { ...lightRag, name: "lightrag", way: "documents", needed: MODEL },
  { ...lightRag, name: "lightrag-graph", way: "graph", needed: `${MODEL}; its graph, made outside` },
  {
    name: "hipporag",
    from: "nowhere",
    package: "hipporag",
    version: "2",
    adapter: "",
    asksModel: true,
    needed: "a language model, also at each question, an embedding server, torch and vllm",
  },
];

/** Why a peer that is had from nowhere is not installed. */
export const NOWHERE = "PyPI has no version of it for the Python of this machine";
