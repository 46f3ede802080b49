/** What a local reader's spans and relations contribute to the graph. */
import {
  type ChunkFacts,
  type ConfidenceLimits,
  DEFAULT_CONFIDENCE_LIMITS,
  type EntityMention,
  type ProposedRelationship,
  type Span,
} from "../../../../domain/graph.ts";
import { checkFact } from "../../../../domain/ontology-schema.ts";
import type { ReaderReading, ReadRelation } from "../../../../ports/entity-reader.ts";
import { ENGLISH_STOP_WORDS } from "../../../text/stop-words.ts";
import { findAliasCandidates } from "../facts/alias-candidates.ts";
import { nameAt } from "../facts/found-entity.ts";
import { isAmountOrContraction } from "../facts/non-names.ts";
import { type ExtractedChunk, sentenceAt } from "../model/find-names.ts";
import { createFitCounter, type FitCounter } from "../model/fit-counter.ts";
import { isToldInPresent } from "../told-in-present.ts";
import type { AskedTypes } from "./label-texts.ts";

export const READER_EXTRACTOR = "reader";

/** `entities` and `relations` are of the chunk's text; the result has offsets into the document. */
export function readerFacts(
  { entities, relations }: ReaderReading,
  {
    chunk,
    asked,
    limits,
  }: {
    readonly chunk: ExtractedChunk;
    readonly asked: AskedTypes;
    /** null = the default. */
    readonly limits: ConfidenceLimits | null;
  },
): ChunkFacts {
  const counter = createFitCounter();
  const named = entities.map(({ label, score, ...span }) =>
    toMention(span, { type: asked.types[label] ?? "", score, chunk, asked }),
  );
  const mentions = named.filter((mention) => mention !== null);
  const related = relations.flatMap(
    (relation) => toRelationship(relation, { named, chunk, asked, counter }) ?? [],
  );
  const { asserted, proposed } = limits ?? DEFAULT_CONFIDENCE_LIMITS;
  const keys = new Map(mentions.map(({ type, key }) => [`${type}\n${key}`, { type, key }]));
  return {
    entities: mentions,
    relationships: related
      .filter(({ confidence }) => confidence >= asserted)
      .map(({ sourceName: _source, targetName: _target, ...relationship }) => relationship),
    proposals: related.filter(({ confidence }) => confidence < asserted && confidence >= proposed),
    properties: [],
    aliases: [],
    candidates: [...keys.values()].flatMap(findAliasCandidates),
    unfit: counter.all(),
  };
}

/** null for what is no name, as "she"; without an ontology also for amounts. */
function toMention(
  { start, end }: Span,
  {
    type,
    score,
    chunk,
    asked,
  }: {
    readonly type: string;
    readonly score: number;
    readonly chunk: ExtractedChunk;
    readonly asked: AskedTypes;
  },
): EntityMention | null {
  const found = nameAt({ textOf: (span) => chunk.text.slice(span.start, span.end) }, { start, end });
  if (found === null || ENGLISH_STOP_WORDS.has(found.key)) return null;
  const isThing = /\p{L}{2}/u.test(found.key) && !isAmountOrContraction(found.name);
  if (asked.schema === null && !isThing) return null;
  return { type, ...found, confidence: score, start: chunk.start + start, end: chunk.start + end };
}

/** null for one that the ontology has no place for. */
function toRelationship(
  { source: from, target: to, label, confidence }: ReadRelation,
  {
    named,
    chunk,
    asked,
    counter,
  }: {
    readonly named: readonly (EntityMention | null)[];
    readonly chunk: ExtractedChunk;
    readonly asked: AskedTypes;
    readonly counter: FitCounter;
  },
): ProposedRelationship | null {
  const [source, target, edge] = [named[from] ?? null, named[to] ?? null, asked.edges[label]];
  if (source === null || target === null || edge === undefined || asked.schema === null) return null;
  const quote = `${source.name} ${edge.name} ${target.name}`;
  if (source.key === target.key) {
    counter.drop("of one thing", quote);
    return null;
  }
  const ends = { sourceType: source.type, targetType: target.type };
  if (checkFact(asked.schema, { type: edge.name, ...ends }) !== "fits") {
    counter.unfit({ kind: "relationship", name: edge.name, ...ends }, quote);
    return null;
  }
  const { temporal, functional: isFunctional } = edge;
  const evidence = evidenceOf(source, target, chunk);
  const { text, start, documentDate = null } = chunk;
  const isNow = isToldInPresent(text.slice(evidence.start - start, evidence.end - start));
  return {
    type: edge.name,
    source: { type: source.type, key: source.key },
    target: { type: target.type, key: target.key },
    ...{ sourceName: source.name, targetName: target.name },
    ...{ confidence, extractor: READER_EXTRACTOR, validFrom: null, validTo: null },
    timing: temporal ? { knownAt: isNow ? documentDate : null, isFunctional } : null,
    ...evidence,
  };
}

/** The sentence with both ends, or all from the first to the last. */
function evidenceOf(source: Span, target: Span, { sentences }: ExtractedChunk): Span {
  const places = [source, target].map((place) => sentences[sentenceAt(sentences, place)] ?? place);
  const all = [...places, source, target];
  return {
    start: Math.min(...all.map(({ start }) => start)),
    end: Math.max(...all.map(({ end }) => end)),
  };
}
