/** JSON of the explanation of an answer. */
import { type ChunkKey, formatChunkId } from "../../domain/document.ts";
import type { DatedEvent } from "../../domain/event.ts";
import type { Explanation, ScoredCandidate } from "../../domain/explanation.ts";

const REASONS = { beyondLimit: "top_k", beyondDocumentLimit: "max_per_document", missing: "gone" } as const;

export function presentExplanation(explanation: Explanation) {
  const { plan, candidates, fused, graph, rerank, dated, answer, check, ranked, dropped, timingsMs } =
    explanation;
  const { answerGraph, ...timings } = timingsMs;
  return {
    plan: {
      strategy: plan.strategy,
      terms: plan.terms,
      entities: plan.names,
      as_of: plan.asOf,
      ...(plan.event === undefined ? {} : { event: presentEvent(plan.event) }),
      graph: plan.graph,
      index_version: plan.indexVersion,
      segments: plan.segments,
      looks: plan.attempts,
    },
    candidates: { lexical: candidates.lexical.map(scored), dense: candidates.dense.map(scored) },
    fused: fused.map((chunk) => ({ ...scored(chunk), lexical: chunk.lexical, dense: chunk.dense })),
    graph: graph && {
      names: graph.names,
      paths: graph.paths.map(({ from, name, to, score }) => ({
        from_chunk_id: formatChunkId(from),
        name,
        to_chunk_id: formatChunkId(to),
        score,
      })),
    },
    ...(rerank === undefined
      ? {}
      : {
          rerank: {
            model: rerank.model,
            limit_ms: rerank.limitMs,
            took_ms: rerank.tookMs,
            scores: rerank.scores.map(scored),
            ...(rerank.error === undefined ? {} : { error: rerank.error }),
          },
        }),
    ...(dated === undefined
      ? {}
      : { dated: dated.map(({ date, share, ...chunk }) => ({ ...named(chunk), date, share })) }),
    ...(answer === undefined
      ? {}
      : {
          answer: {
            model: answer.model,
            limit_ms: answer.limitMs,
            took_ms: answer.tookMs,
            passages: answer.passages.map(({ span, noAnswerScore, isChosen, ...chunk }) => ({
              ...named(chunk),
              span,
              no_answer_score: noAnswerScore,
              chosen: isChosen,
            })),
          },
        }),
    ...(check === undefined
      ? {}
      : {
          check: {
            sentences: check.sentences,
            unsupported: check.unsupported,
            left_out: check.leftOut,
          },
        }),
    ranked: ranked.map((chunk) => ({
      ...named(chunk),
      similarity: chunk.score,
      returned: chunk.isReturned,
      summarized: chunk.isSummarized,
    })),
    dropped: dropped.map((chunk) => ({ ...scored(chunk), reason: REASONS[chunk.reason] })),
    timings_ms: { ...timings, answer_graph: answerGraph },
  };
}

function named(chunk: ChunkKey & { readonly sourceDocId: string }) {
  return { chunk_id: formatChunkId(chunk), source_doc_id: chunk.sourceDocId };
}

function scored(chunk: ScoredCandidate) {
  return { ...named(chunk), score: chunk.score };
}

function presentEvent({ event, time }: DatedEvent) {
  const place = time?.place ?? null;
  return {
    text: event.text,
    relation: event.relation,
    searched: event.query,
    from: time?.from ?? null,
    to: time?.to ?? null,
    evidence:
      place === null ? null : { ...named(place), start: place.start, end: place.end, text: place.sentence },
  };
}
