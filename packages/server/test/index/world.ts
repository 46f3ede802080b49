/** A project whose index lives through ingests, merges, crashes and reopenings, over a real database, without a model. */

import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { indexedText } from "../../src/domain/document.ts";
import { spaceOf } from "../../src/domain/embedding-space.ts";
import type { Metadata, SearchFilter } from "../../src/domain/metadata.ts";
import { createReadingNames } from "../../src/domain/ontology/read-names.ts";
import type { Project } from "../../src/domain/project.ts";
import type { IndexableChunk } from "../../src/engine/index/build.ts";
import { compactProject } from "../../src/engine/index/compact.ts";
import { type Candidate, searchIndex } from "../../src/engine/index/search.ts";
import { createSegmentWork, doSegmentWork } from "../../src/engine/index/segment-work.ts";
import { chunkDocument } from "../../src/engine/ingest/chunk.ts";
import { createSegmentReader } from "../../src/engine/query/segment-reader.ts";
import { queryTerms } from "../../src/engine/text/terms.ts";
import type { Embedder } from "../../src/ports/embedder.ts";
import type { Log } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { nothingLeft } from "../../src/services/processes.ts";
import { createProcessingService } from "../../src/services/processing.ts";
import { createMemoryIndex, type MemoryIndex, segmentsOf } from "../support/memory-index.ts";

const DIMENSIONS = 16;
const CHUNKING = { targetTokens: 12, overlapTokens: 2, maxTokens: 40 } as const;
const CACHE_BYTES = 4 * 1024 * 1024;
const LIMIT = 30;

export interface Asked {
  readonly question: string;
  readonly filter: SearchFilter | null;
}

export interface DocumentText {
  readonly text: string;
  readonly metadata: Metadata;
}

/** What a ranked list is compared by: versions have other numbers in another life. */
export type RankedList = readonly (Omit<Candidate, "versionId"> & { readonly sourceDocId: string })[];

/** Every call after the `operations`-th change fails, as if the process had been killed then. */
export class Crash extends Error {}

/** A unit vector that depends on the text alone: texts that share words are near each other. */
export function vectorOf(text: string): Float32Array {
  const sums = new Float64Array(DIMENSIONS);
  for (const word of text.toLowerCase().split(/\W+/)) {
    let state = 2_166_136_261;
    for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), 16_777_619);
    for (let at = 0; at < DIMENSIONS; at++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      sums[at] = (sums[at] ?? 0) + state / 2 ** 31;
    }
  }
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
}

const countTokens = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
const embedder: Embedder = {
  model: "words",
  dimensions: DIMENSIONS,
  embed: async (text) => vectorOf(text),
  countTokens,
};
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A store whose process dies at its `dieAt`-th change: before the change is made, or before it is told of. */
function dyingStore(store: Store, dieAt: number, isDoneFirst: boolean): Store {
  let changes = 0;
  let dead = false;
  const changing = new Set(["claimJobs", "commitBatch", "replaceSegments", "failJobs", "releaseJobs"]);
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const method = target[name] as (input: unknown) => Promise<unknown>; // Every member of a store is one.
      return async (input: unknown) => {
        if (dead) throw new Crash();
        if (!changing.has(name) || ++changes < dieAt) return method.call(target, input);
        dead = true;
        if (isDoneFirst) await method.call(target, input);
        throw new Crash();
      };
    },
  });
}

export interface World {
  accept(sourceDocId: string, document: DocumentText): Promise<void>;
  /** Works until nothing is left, or dies at a change. */
  work(death?: { readonly at: number; readonly isDoneFirst: boolean }): Promise<void>;
  /** One merge, if one is due; or a death within it. */
  merge(death?: { readonly at: number; readonly isDoneFirst: boolean }): Promise<boolean>;
  /** All memory is lost, and on the embedded database the file closed and opened. */
  reopen(): Promise<void>;
  ask(asked: Asked): Promise<RankedList>;
  segmentCount(): Promise<number>;
}

/** The store of worlds that live one after another: opening it starts threads, which costs more than a life. */
export interface Database {
  readonly batchChunks: number;
  open(): Promise<OpenedStore>;
  close(): Promise<void>;
}

export function createDatabase(openStore: () => Promise<OpenedStore>, batchChunks: number): Database {
  let opened: Promise<OpenedStore> | null = null;
  return {
    batchChunks,
    open() {
      opened ??= openStore();
      return opened;
    },
    async close() {
      const closing = opened;
      opened = null;
      await (await closing)?.store.close();
    },
  };
}

export async function createWorld(project: Project, database: Database): Promise<World> {
  let opened = await database.open();
  let memory = createMemoryIndex(CACHE_BYTES);
  let count = 0;
  await opened.store.createProject({ project, maxPerAccount: 10 });
  const { projectId, accountId } = project;

  function processing(store: Store) {
    return createProcessingService({
      store,
      findLeftWork: nothingLeft,
      lanes: 1,
      isQueueShared: false,
      sliceMs: 60_000,
      newLeaseToken: () => randomBytes(8).toString("hex"),
      ending: new AbortController().signal,
      log: silent,
      ingest: {
        store,
        embedderFor: () => embedder,
        passages: {
          ...spaceOf(project.config),
          read: () => Promise.reject(new Error("No graph is kept here.")),
        },
        namesOf: createReadingNames(),
        extractor: null,
        maxTokens: CHUNKING.maxTokens,
        batchChunks: database.batchChunks,
        tokenLimit: null,
        leaseMs: 60_000,
        now: Date.now,
        monthOf: () => "2031-04",
      },
    });
  }

  return {
    async accept(sourceDocId, { text, metadata }) {
      const outcome = await opened.store.acceptDocuments({
        projectId,
        accountId,
        now: Date.now(),
        documents: [{ jobId: `${projectId}-${++count}`, sourceDocId, text, metadata }],
        requestsPerMinute: null,
        tokenLimit: null,
        month: "2031-04",
        maxPendingJobs: null,
        maxStoredBytes: null,
      });
      if (outcome.kind !== "accepted") throw new Error(`not accepted: ${outcome.kind}`);
    },
    async work(death) {
      const store =
        death === undefined ? opened.store : dyingStore(opened.store, death.at, death.isDoneFirst);
      try {
        while (await processing(store).processNext(() => false));
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        await setTimeout(0); // What the dead process had begun comes to its end.
        await opened.store.expireAllLeases({ now: 0 });
      }
    },
    async merge(death) {
      const store =
        death === undefined ? opened.store : dyingStore(opened.store, death.at, death.isDoneFirst);
      try {
        const work = createSegmentWork(async (request) => doSegmentWork(request));
        return await compactProject({ projectId, isLastTry: true }, { store, work });
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        return false;
      }
    },
    async reopen() {
      await database.close();
      opened = await database.open();
      await opened.store.expireAllLeases({ now: 0 });
      memory = createMemoryIndex(CACHE_BYTES);
    },
    async ask(asked) {
      const { store } = opened;
      const state = await store.readIndexState({ projectId });
      if (state === null) throw new Error("the project is gone");
      const index = await createSegmentReader({ store, cache: memory.cache, cacheBytes: CACHE_BYTES }).open(
        projectId,
        state,
      );
      if (index === null) throw new Error("a segment is gone");
      try {
        const readVectors = (keys: Parameters<Store["readVectors"]>[0]["keys"]) =>
          store.readVectors({ projectId, vectorSet: 0, keys });
        return listOf(
          await searchIndex({ ...searchFor(asked), kernels: memory.kernels, index, readVectors }),
        );
      } finally {
        index.release();
      }
    },
    async segmentCount() {
      return (await opened.store.readIndexState({ projectId }))?.segments.length ?? 0;
    },
  };
}

function searchFor({ question, filter }: Asked) {
  return { terms: queryTerms(question), vector: vectorOf(question), filter, limit: LIMIT };
}

function listOf(candidates: readonly Candidate[]): RankedList {
  return candidates.map(({ versionId: _versionId, ...candidate }) => candidate);
}

/** What a project with these documents answers, made of nothing but the documents: one segment, one pass. */
export async function askAfresh(
  documents: ReadonlyMap<string, DocumentText>,
  asked: Asked,
  memory: MemoryIndex,
): Promise<RankedList> {
  const chunks = [...documents].flatMap(([sourceDocId, document], place) =>
    [...chunkDocument(document.text, { ...CHUNKING, countTokens })].map(
      (chunk): IndexableChunk => ({
        versionId: place + 1,
        sourceDocId,
        position: chunk.position,
        indexedText: indexedText(chunk),
        vector: vectorOf(indexedText(chunk)),
        metadata: document.metadata,
      }),
    ),
  );
  const vectors = new Map(chunks.map((chunk) => [`${chunk.versionId} ${chunk.position}`, chunk.vector]));
  const found = await searchIndex({
    ...searchFor(asked),
    kernels: memory.kernels,
    index: memory.open(chunks.length === 0 ? [] : segmentsOf([chunks]), new Set()),
    readVectors: async (keys) =>
      keys.map(({ versionId, position }) => vectors.get(`${versionId} ${position}`) ?? null),
  });
  return listOf(found);
}

export function newProject(projectId: string): Project {
  return {
    projectId,
    accountId: `account of ${projectId}`,
    name: "A project",
    mode: "vector_only",
    createdAt: 1_000,
    ontologyId: null,
    ontologyVersion: 1,
    config: {
      embeddingModel: embedder.model,
      embeddingDimensions: DIMENSIONS,
      chunkTokens: CHUNKING.targetTokens,
      chunkOverlapTokens: CHUNKING.overlapTokens,
      extraction: "none",
    },
  };
}
