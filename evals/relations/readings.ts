/** Reads the benchmark's sentences as ingestion does, and marks which candidates are true. */

import {
  type EncodedText,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import type { OntologySchema } from "../../packages/server/src/domain/ontology-schema.ts";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import {
  createRelationReader,
  type RelationReading,
} from "../../packages/server/src/engine/ingest/extract/relations/relation-reader.ts";
import type { RelationSentence } from "../../packages/server/src/engine/ingest/extract/relations/relation-types.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { createTyper } from "../../packages/server/src/engine/ingest/extract/types/typer.ts";
import { sentences } from "../../packages/server/src/engine/text/sentences.ts";
import { dateForm, edgeNameOf, normalForm, type TekgenRow, type Triple, yearForm } from "./tekgen.ts";

export interface ReadRow {
  readonly row: TekgenRow;
  readonly gold: ReadonlySet<string>;
  readonly sentences: readonly RelationSentence[];
  readonly readings: readonly MarkedReading[];
}

export interface MarkedReading {
  /** Rows as single precision, to hold many. */
  readonly rows: readonly Float32Array[];
  readonly isTrue: Uint8Array;
  readonly questions: readonly (readonly number[])[];
  readonly groups: readonly (readonly number[])[];
  readonly candidates: RelationReading["candidates"];
  readonly keys: readonly string[];
}

export interface EvaluationModels {
  readonly embed: (text: string) => Promise<Float32Array>;
  readonly encode: (text: string) => Promise<EncodedText>;
  readonly tag: ReturnType<typeof createTagger>;
  close(): Promise<void>;
  /** Milliseconds in the model so far, and texts. */
  readonly spent: { ms: number; texts: number };
}

/** Vectors and states are kept, since each sentence is read with and without examples. */
export async function openModels(cacheDir: string): Promise<EvaluationModels> {
  silenceRuntime();
  const model = await openMiniLmEmbedder(cacheDir);
  const vectors = new Map<string, Float32Array>();
  const encoded = new Map<string, EncodedText>();
  const spent = { ms: 0, texts: 0 };
  const kept = async <T>(
    known: Map<string, T>,
    text: string,
    make: (text: string) => Promise<T>,
  ): Promise<T> => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const start = performance.now();
    const made = await make(text);
    spent.ms += performance.now() - start;
    spent.texts++;
    known.set(text, made);
    return made;
  };
  return {
    embed: (text) => kept(vectors, text, model.embed),
    encode: (text) => kept(encoded, text, model.encode),
    tag: createTagger(),
    close: () => model.close(),
    spent,
  };
}

export interface Timing {
  /** Milliseconds of tagging and mentions, of typing, and of relations. */
  mentions: number;
  types: number;
  relations: number;
  /** Sentences that were typed, and that were read for relations, some with several draws of examples. */
  typed: number;
  sentences: number;
}

export const newTiming = (): Timing => ({ mentions: 0, types: 0, relations: 0, typed: 0, sentences: 0 });

/** Sentences with typed mentions by text: the same whatever the examples. */
export type TypedTexts = Map<string, readonly RelationSentence[]>;

export interface RowReading {
  readonly models: EvaluationModels;
  readonly timing: Timing;
  /** Of one ontology. */
  readonly typed: TypedTexts;
}

export async function createRowReader(schema: OntologySchema, { models, timing, typed }: RowReading) {
  const typer = await createTyper(schema.nodeTypes, { embed: models.embed });
  const reader = await createRelationReader(schema, models);
  const typedSentences = async (text: string) => {
    const known = typed.get(text);
    if (known !== undefined) return known;
    const made: RelationSentence[] = [];
    for (const [index, span] of [...sentences(text)].entries()) {
      const encoded = await models.encode(text.slice(span.start, span.end));
      const start = performance.now();
      const tokens = models.tag(text, span);
      const mentions = findEntityMentions(tokens);
      const tagged = performance.now();
      const scores = typer.score({ tokens, mentions, states: encoded, offset: span.start });
      timing.mentions += tagged - start;
      timing.types += performance.now() - tagged;
      timing.typed++;
      const withScores = mentions.map((mention, at) => {
        return { ...mention, typeScores: scores[at]?.types ?? new Float32Array(0) };
      });
      made.push({ index, tokens, encoded, offset: span.start, mentions: withScores });
    }
    typed.set(text, made);
    return made;
  };
  return async (row: TekgenRow): Promise<ReadRow> => {
    const gold = new Set(row.triples.map(goldKey));
    const read = await typedSentences(row.text);
    const readings: MarkedReading[] = [];
    for (const sentence of read) {
      const start = performance.now();
      const before = models.spent.ms;
      const reading = await reader.read(sentence, []);
      timing.relations += performance.now() - start - (models.spent.ms - before);
      timing.sentences++;
      readings.push(mark(row.text, { reading, gold, names: reader.edges.map(({ edge }) => edge.name) }));
    }
    return { row, gold, sentences: read, readings };
  };
}

export const goldKey = ({ sub, rel, obj }: Triple): string =>
  `${normalForm(sub)}|${edgeNameOf(rel)}|${normalForm(yearForm(obj))}`;

interface Marking {
  readonly reading: RelationReading;
  readonly gold: ReadonlySet<string>;
  readonly names: readonly string[];
}

function mark(text: string, { reading, gold, names }: Marking): MarkedReading {
  const { view, candidates, rows, questions, groups } = reading;
  const keys = candidates.map(({ source, edge, target }) => {
    const of = source.distant ?? view.mentions[source.mention];
    const object = view.mentions[target];
    const written = text.slice(object?.start, object?.end);
    const name = object?.kind === "date" ? yearForm(dateForm(written) ?? written) : written;
    return `${normalForm(text.slice(of?.start, of?.end))}|${names[edge]}|${normalForm(name)}`;
  });
  return {
    rows: rows.map((row) => Float32Array.from(row)),
    isTrue: Uint8Array.from(keys, (key) => (gold.has(key) ? 1 : 0)),
    questions,
    groups,
    candidates,
    keys,
  };
}
