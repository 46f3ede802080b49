/** What the chunks of a job contribute to the graph: the built-in reading, joined with that of a language model where there is one. */
import type { Chunk } from "../../domain/document.ts";
import type { ChunkFacts } from "../../domain/graph.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type { ReadingNames } from "../../domain/ontology/read-names.ts";
import type { ChunkGraph } from "../../ports/graph-store.ts";
import { ModelError } from "../../ports/language-model.ts";
import type { PassageReader, PassageReading } from "../../ports/passage-reader.ts";
import { encodePassage } from "../graph/passage-record.ts";
import { withEntityNames } from "./entity-names.ts";
import { ExtractionSkippedError, InvalidExtractionError } from "./extract/model/create-model-extractor.ts";
import { LeaseLostError } from "./lease-lost.ts";
import type { ModelCalls } from "./model-calls.ts";
import type { ChunkOutline } from "./outline.ts";

/** Errors that end one job at a chunk. Any other error ends the whole claim. */
const CHUNK_ERRORS = [ModelError, InvalidExtractionError, ExtractionSkippedError, LeaseLostError] as const;
export type ChunkError = InstanceType<(typeof CHUNK_ERRORS)[number]>;

export interface ReadablePart {
  readonly job: ClaimedJob;
  readonly chunks: readonly Chunk[];
  /** Reads the document when it is first called. */
  readonly outlineOf: (chunk: Chunk) => ChunkOutline;
}

/** A chunk, outlined, and what the built-in engine reads of it. */
interface StartedChunk {
  readonly outline: ChunkOutline;
  readonly reading: Promise<PassageReading>;
}

export type StartedReadings = ReadonlyMap<Chunk, StartedChunk>;

/** Starts the built-in reading of all chunks; null where the project keeps no graph. */
export function startReadings(
  { job, chunks, outlineOf }: ReadablePart,
  passages: PassageReader,
): StartedReadings | null {
  const { ontology, config, accountId } = job;
  if (config.extraction === "none") return null;
  const { confidenceLimits } = config;
  return new Map(
    chunks.map((chunk) => {
      const outline = outlineOf(chunk);
      const { sentences, mentions, antecedent, title: documentSubject, date: documentDate } = outline;
      const { text, start, header, table } = chunk;
      const place = { header, table, text, start, documentSubject, documentDate, antecedent };
      const request = { ...place, sentences, mentions, ontology };
      return [chunk, { outline, reading: passages.read({ ...request, confidenceLimits }, accountId) }];
    }),
  );
}

/** What the chunks of a part contribute to the graph. */
interface PartGraph {
  /** In the order of the part's chunks, up to the first for which the language model failed. */
  readonly chunks: readonly ChunkGraph[];
  readonly error: ChunkError | null;
  readonly isPaid: boolean;
}

type ChunkReading =
  | { readonly graph: ChunkGraph; readonly isPaid: boolean; readonly error: null }
  | { readonly graph: null; readonly error: ChunkError };

/** Asks the language model, where the project has one, while the readings go on; in each chunk the facts of both are joined. */
export async function readGraph(
  job: ClaimedJob,
  {
    started,
    modelCalls,
    names,
  }: {
    readonly started: StartedReadings;
    readonly modelCalls: ModelCalls;
    readonly names: Pick<ReadingNames, "present"> | null;
  },
): Promise<PartGraph> {
  const present = names?.present ?? ((facts: ChunkFacts) => facts);
  const readings = await Promise.all(
    [...started].map((each) => readChunk(job, each, { modelCalls, present })),
  );
  const failed = readings.findIndex(({ error }) => error !== null);
  return {
    chunks: readings.slice(0, failed === -1 ? undefined : failed).flatMap(({ graph }) => graph ?? []),
    error: readings[failed]?.error ?? null,
    isPaid: readings.some((reading) => reading.graph !== null && reading.isPaid),
  };
}

async function readChunk(
  job: ClaimedJob,
  [chunk, { outline, reading }]: readonly [Chunk, StartedChunk],
  { modelCalls, present }: { modelCalls: ModelCalls; present: ReadingNames["present"] },
): Promise<ChunkReading> {
  const { sentences, mentions, title: documentSubject, date: documentDate } = outline;
  const { text, start, header } = chunk;
  const extracted = { text, start, header, sentences, documentSubject, documentDate };
  const call = modelCalls.start(job, chunk, extracted);
  const builtIn = await reading;
  try {
    const statements = await call;
    const { own, joined: facts } = statements?.joinWith(builtIn.facts) ?? {
      own: null,
      joined: builtIn.facts,
    };
    const names = own === null ? mentions : withEntityNames(outline, own);
    const graph = toGraph(chunk, { ...outline, mentions: names }, { ...builtIn, facts: present(facts) });
    return { graph, isPaid: statements?.isPaid === true, error: null };
  } catch (error) {
    if (isChunkError(error)) return { graph: null, error };
    throw error;
  }
}

function isChunkError(error: unknown): error is ChunkError {
  return CHUNK_ERRORS.some((kind) => error instanceof kind);
}

function toGraph(chunk: Chunk, outline: ChunkOutline, reading: PassageReading): ChunkGraph {
  const { subjects, sentences, mentions } = outline;
  const { sentenceVectors, statements, facts } = reading;
  const passage = encodePassage({ subjects, sentences, sentenceVectors, mentions, statements });
  return { position: chunk.position, passage, subjects, facts };
}
