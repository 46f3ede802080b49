import { z } from "zod";
import { count } from "./answer-fields.ts";

const chunkIdentity = { chunk_id: z.string(), source_doc_id: z.string() };
const milliseconds = z.number().min(0);

/** The intermediate result of each step of a query, returned with `include: ["explain"]`. Each list has at most 100 items. */
export const explanation = z.strictObject({
  plan: z.strictObject({
    strategy: z.string(),
    /** The terms that the lexical retriever searched for. */
    terms: z.array(z.string()),
    /** Entity names of the graph that occur in the question. Offsets count UTF-16 code units of the question. */
    entities: z.array(z.strictObject({ name: z.string(), start: count, end: count, documents: count })),
    /** Of when relationships and passages are: of the request's `as_of`, of a time that the question names, or of today. `until` is the last day, month or year of a time that lasts. */
    as_of: z
      .strictObject({
        date: z.string(),
        until: z.string().optional(),
        by: z.enum(["request", "question", "today"]),
      })
      .nullable(),
    /** The event by which the question names its time ("before the merger"). Absent where it names none, or a time is given. */
    event: z
      .strictObject({
        text: z.string(),
        /** Where what is asked lies. */
        relation: z.enum(["before", "after", "during"]),
        /** The question whose answer was looked for. */
        searched: z.string(),
        /** When it was, as a year, month or day. Both null: not found, so the question is taken to be of no time. */
        from: z.string().nullable(),
        to: z.string().nullable(),
        /** The sentence that tells the time. null: none was found, or the question gives it. */
        evidence: z.strictObject({ ...chunkIdentity, start: count, end: count, text: z.string() }).nullable(),
      })
      .optional(),
    /** bound: the graph's types are those of an ontology. grown: they come from the data. */
    graph: z.enum(["none", "bound", "grown"]),
    index_version: count,
    segments: count,
    /** How often the query read the state of the index; more than once when the index changed in between. */
    looks: count,
  }),
  /** The results of each retriever before fusion, best first. */
  candidates: z.strictObject({
    /** BM25 score as a share of the highest score that the terms can reach, 0…1. */
    lexical: z.array(z.strictObject({ ...chunkIdentity, score: z.number() })),
    /** Cosine similarity, −1…1. */
    dense: z.array(z.strictObject({ ...chunkIdentity, score: z.number() })),
  }),
  /** Both retrievers fused, best first. Without a graph this is the final order. */
  fused: z.array(
    z.strictObject({ ...chunkIdentity, score: z.number(), lexical: z.number(), dense: z.number() }),
  ),
  /**
   * Paths from a passage near the question, through a name in it, to a passage about that name, best first. null when
   * the graph did not take part in the ranking.
   */
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
  /**
   * The chunks that a reranker read within its time, best first. One at a provider takes part in dynamic questions only; where it
   * gave no scores, `error` says why, and the order is that of the retrieval. Absent when no reranker took part.
   */
  rerank: z
    .strictObject({
      model: z.string(),
      limit_ms: milliseconds,
      took_ms: milliseconds,
      scores: z.array(z.strictObject({ ...chunkIdentity, score: z.number() })),
      error: z.string().optional(),
    })
    .optional(),
  /**
   * The chunks that were ordered by the dates of their documents, best first, each with the `share` of its similarity that it keeps, 0…1;
   * `date` is null where the document has none. Absent unless `plan.as_of` is of the request or of the question.
   */
  dated: z
    .array(z.strictObject({ ...chunkIdentity, date: z.string().nullable(), share: z.number().min(0).max(1) }))
    .optional(),
  /**
   * The passages that a model which answers questions read within its time, best first, each with the part of it that answers
   * best; offsets count UTF-16 code units of the document. A part that scores less than `no_answer_score` is no answer. The
   * summary begins with the `chosen` one, unless it is an overview or says that no passage mentions a code of the question.
   * Absent when no such model is configured.
   */
  answer: z
    .strictObject({
      model: z.string(),
      limit_ms: milliseconds,
      took_ms: milliseconds,
      passages: z.array(
        z.strictObject({
          ...chunkIdentity,
          span: z.strictObject({ text: z.string(), start: count, end: count, score: z.number() }).nullable(),
          no_answer_score: z.number(),
          chosen: z.boolean(),
        }),
      ),
    })
    .optional(),
  /**
   * How many sentences the language model wrote for the summary, and how many of them no passage supports, so that they were left out.
   * `left_out`: the first of these, cut at 300 characters, and what no passage has: a number, a name, or most of the words. Absent when
   * no language model wrote a summary.
   */
  check: z
    .strictObject({
      sentences: count,
      unsupported: count,
      left_out: z.array(z.strictObject({ text: z.string(), missing: z.enum(["figure", "name", "words"]) })),
    })
    .optional(),
  /** The final order. `summarized` is true when the chunk was an input of the summary. */
  ranked: z.array(
    z.strictObject({
      ...chunkIdentity,
      similarity: z.number(),
      returned: z.boolean(),
      summarized: z.boolean(),
    }),
  ),
  /** Ranked but not returned: outside `top_k`, beyond `max_per_document`, or deleted while the query ran ("gone"). */
  dropped: z.array(
    z.strictObject({
      ...chunkIdentity,
      score: z.number(),
      reason: z.enum(["top_k", "max_per_document", "gone"]),
    }),
  ),
  timings_ms: z.strictObject({
    embed: milliseconds,
    /** Reading the state of the index and opening its segments. */
    index: milliseconds,
    /** Both retrievers and the fusion. */
    search: milliseconds,
    graph: milliseconds,
    /** Reading the texts of the chunks. */
    chunks: milliseconds,
    /** Reading the best passage, to tell whether it answers. */
    reading: milliseconds,
    /** Selecting the entities and relationships of the answer. */
    answer_graph: milliseconds,
    summary: milliseconds,
    total: milliseconds,
  }),
});
