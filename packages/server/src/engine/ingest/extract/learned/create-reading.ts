/** Reads texts with the bundled model for the types of an ontology. */
import type { Span } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { FactModel } from "../../../../ports/fact-model.ts";
import { type FactReading, type FoundSpan, readFacts, type TokenPlaces } from "./fact-reading.ts";
import { type LabelRun, prepareLabels } from "./labels.ts";

/** A text as the lower layers of the model see it. */
export interface LowerText extends TokenPlaces {
  /** A row for each token, [CLS] and [SEP] included. */
  readonly lower: Float32Array;
}

/** The reading for all types of the schema, in its order; offsets into the text are moved by `offset`. */
export type ReadText = (text: LowerText, offset: number) => Promise<FactReading>;

const LEAST_SHARE = 1e-6;
/** Of a relation that the model was not asked for. */
const UNREAD = -10;

/** Embeds the labels of the ontology once. */
export async function createReadText(
  schema: OntologySchema,
  deps: { readonly model: FactModel; readonly embed: (text: string) => Promise<Float32Array> },
): Promise<ReadText> {
  const runs = await prepareLabels(schema, deps.embed);
  const asked = new Set(runs.flatMap(({ types }) => types));
  const unreadTypes = new Set(schema.nodeTypes.keys().filter((type) => !asked.has(type)));
  return async (text, offset) => {
    const states = { rows: text.lower, tokens: text.starts.length + 2 };
    const readings: FactReading[] = [];
    for (const { labels } of runs) readings.push(readFacts(await deps.model.read(states, labels), text));
    return moved({ ...joined(readings, runs, schema), unreadTypes }, offset);
  };
}

function joined(
  readings: readonly FactReading[],
  runs: readonly LabelRun[],
  { nodeTypes, edgeTypes }: OntologySchema,
): Omit<FactReading, "unreadTypes"> {
  return {
    names: apart(readings.flatMap(({ names }, run) => (runs[run]!.types.length > 0 ? names : []))),
    typesOf(span) {
      // The odds of each type against none, so that types of several runs can be compared.
      const odds = new Float32Array(nodeTypes.length);
      for (const [run, reading] of readings.entries()) {
        const shares = reading.typesOf(span);
        if (shares === null) return null;
        const none = Math.max(
          LEAST_SHARE,
          shares.reduce((rest, share) => rest - share, 1),
        );
        for (const [at, type] of runs[run]!.types.entries()) odds[type] = shares[at]! / none;
      }
      const total = odds.reduce((sum, value) => sum + value, 1);
      return odds.map((value) => value / total);
    },
    pairOf(source, target) {
      const logits = new Float32Array(edgeTypes.length).fill(UNREAD);
      let vector: Float32Array | null = null;
      for (const [run, reading] of readings.entries()) {
        const { edges } = runs[run]!;
        if (edges.length === 0) continue;
        const read = reading.pairOf(source, target);
        if (read === null) return null;
        vector ??= read.vector;
        for (const [at, edge] of edges.entries()) logits[edge] = read.logits[at]!;
      }
      return vector === null ? null : { logits, vector };
    },
  };
}

/** The surest of those that overlap. */
function apart(names: readonly FoundSpan[]): readonly FoundSpan[] {
  const chosen: FoundSpan[] = [];
  for (const name of names.toSorted((a, b) => b.score - a.score || a.start - b.start))
    if (!chosen.some(({ start, end }) => start < name.end && name.start < end)) chosen.push(name);
  return chosen.sort((a, b) => a.start - b.start);
}

function moved(reading: FactReading, by: number): FactReading {
  const back = ({ start, end }: Span): Span => ({ start: start - by, end: end - by });
  return {
    unreadTypes: reading.unreadTypes,
    names: reading.names.map(({ start, end, score }) => ({ start: start + by, end: end + by, score })),
    typesOf: (span) => reading.typesOf(back(span)),
    pairOf: (source, target) => reading.pairOf(back(source), back(target)),
  };
}
