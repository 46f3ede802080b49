import { z } from "zod";
import { count } from "./answer-fields.ts";

const named = { chunk_id: z.string(), source_doc_id: z.string() };
const milliseconds = z.number().min(0);

/** The value at every arrow of a query: only with `include: ["explain"]`. Lists are cut at 100. */
export const explanation = z.strictObject({
  plan: z.strictObject({
    strategy: z.string(),
    /** What the lexical retriever looked for. */
    terms: z.array(z.string()),
    /** Names of the question that the graph knows; offsets into the question in UTF-16 code units. */
    entities: z.array(z.strictObject({ name: z.string(), start: count, end: count, documents: count })),
    /** Whether the project keeps a graph, and whether its types are those of an ontology or come from the data. */
    graph: z.enum(["none", "bound", "grown"]),
    index_version: count,
    segments: count,
    /** How often the index had to be looked at, because it changed meanwhile. */
    looks: count,
  }),
  /** Each retriever alone, best first. */
  candidates: z.strictObject({
    /** BM25 as a share of what the terms could give at most, 0…1. */
    lexical: z.array(z.strictObject({ ...named, score: z.number() })),
    /** Cosine, −1…1. */
    dense: z.array(z.strictObject({ ...named, score: z.number() })),
  }),
  /** Both together, best first: the order without a graph. */
  fused: z.array(z.strictObject({ ...named, score: z.number(), lexical: z.number(), dense: z.number() })),
  /** Steps from a passage near the question over a name in it to a passage about that name, best first; null where the graph had no word. */
  graph: z
    .strictObject({
      names: z.array(z.string()),
      paths: z.array(
        z.strictObject({
          from_chunk_id: z.string(),
          name: z.string(),
          to_chunk_id: z.string(),
          score: z.number(),
        }),
      ),
    })
    .nullable(),
  /** The final order; `summarized`: whether the summary could draw on it. */
  ranked: z.array(
    z.strictObject({ ...named, similarity: z.number(), returned: z.boolean(), summarized: z.boolean() }),
  ),
  /** Ranked, but not returned: `top_k` had no room, or the chunk was gone meanwhile. */
  dropped: z.array(z.strictObject({ ...named, score: z.number(), reason: z.enum(["top_k", "gone"]) })),
  timings_ms: z.strictObject({
    embed: milliseconds,
    /** Reading the state of the index and opening its segments. */
    index: milliseconds,
    /** Both retrievers, fusion included. */
    search: milliseconds,
    graph: milliseconds,
    /** Reading the chunks' texts. */
    chunks: milliseconds,
    /** Entities and relationships of the answer. */
    answer_graph: milliseconds,
    summary: milliseconds,
    total: milliseconds,
  }),
});
