/** Reads the benchmark's sentences as ingestion does, and marks which candidates are true. */

import { type EncodedText, openMiniLm, silenceRuntime } from "@kcs/minilm";
import type { OntologySchema } from "../../packages/server/src/domain/ontology-schema.ts";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import { withOpeningTitle } from "../../packages/server/src/engine/ingest/extract/relations/opening-title.ts";
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
  const model = await openMiniLm({ cacheDir });
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
  sentences: number;
}

export const newTiming = (): Timing => ({ mentions: 0, types: 0, relations: 0, sentences: 0 });

export async function createRowReader(schema: OntologySchema, models: EvaluationModels, timing: Timing) {
  const typer = await createTyper(schema.nodeTypes, { embed: models.embed });
  const reader = await createRelationReader(schema, models);
  return async (row: TekgenRow): Promise<ReadRow> => {
    const gold = new Set(row.triples.map(goldKey));
    const read: RelationSentence[] = [];
    const readings: MarkedReading[] = [];
    for (const [index, span] of [...sentences(row.text)].entries()) {
      const states = await models.encode(row.text.slice(span.start, span.end));
      const start = performance.now();
      const tokens = models.tag(row.text, span);
      const mentions = withOpeningTitle(tokens, findEntityMentions(tokens));
      const tagged = performance.now();
      const scores = typer.score({ tokens, mentions, states, offset: span.start });
      const typed = performance.now();
      const sentence: RelationSentence = {
        index,
        tokens,
        encoded: states,
        offset: span.start,
        mentions: mentions.map((mention, at) => ({
          ...mention,
          typeScores: scores[at]?.types ?? new Float32Array(0),
        })),
      };
      const before = models.spent.ms;
      const reading = await reader.read(sentence, []);
      timing.relations += performance.now() - typed - (models.spent.ms - before);
      timing.mentions += tagged - start;
      timing.types += typed - tagged;
      timing.sentences++;
      read.push(sentence);
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
