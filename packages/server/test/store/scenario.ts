/** What the store's behaviours are told with: projects, documents, claims and batches in few words. */

import { documentBytes, type EmbeddedChunk } from "../../src/domain/document.ts";
import type { EmbeddingSpace } from "../../src/domain/embedding-space.ts";
import type { ClaimedJob } from "../../src/domain/job.ts";
import type { Metadata } from "../../src/domain/metadata.ts";
import { NO_FACTS, type WrittenFacts } from "../../src/domain/ontology/allowed-facts.ts";
import type { Project, ProjectConfig } from "../../src/domain/project.ts";
import type { LeftToOthers } from "../../src/domain/service-process.ts";
import type { ChunkGraph } from "../../src/ports/graph-store.ts";
import type { AcceptDocuments, AcceptOutcome, CommitOutcome, Store } from "../../src/ports/store.ts";

export const month = "2031-04";

export interface Scenario {
  readonly store: Store;
  /** An id that no other behaviour uses. */
  id(prefix: string): string;
  project(options?: {
    accountId?: string;
    ontologyId?: string | null;
    /** Of the ontology, where it is not there. */
    allowedFacts?: WrittenFacts;
    config?: Partial<ProjectConfig>;
  }): Promise<Project>;
  /** One job per document, named after it: `[documentId, text]`, and its metadata if it has any. */
  accept(
    project: Project,
    documents: readonly (readonly [sourceDocId: string, text: string, metadata?: Metadata])[],
    options?: Partial<AcceptDocuments>,
  ): Promise<{ outcome: AcceptOutcome; jobIds: readonly string[] }>;
  claim(options?: {
    now?: number;
    leaseToken?: string;
    maxJobs?: number;
    maxTextBytes?: number;
    left?: LeftToOthers | null;
  }): Promise<Claimed>;
  /** Removes every project that the scenario made, and with them all its jobs. */
  clear(): Promise<void>;
}

export interface Claimed {
  readonly leaseToken: string;
  readonly jobs: readonly ClaimedJob[];
}

/** Leases end this long after the claim or batch. */
export const leaseMs = 60_000;

/** The start of a process, before all times of a scenario. */
export const LONG_AGO = -1_000_000;

/** Of all projects of a scenario. */
export const TEST_SPACE = { model: "test", dimensions: 4 };

export function createScenario(store: Store, run: string): Scenario {
  let count = 0;
  const made: string[] = [];
  const id = (prefix: string) => `${prefix}-${run}-${++count}`;
  return {
    store,
    id,
    async project(options = {}) {
      const project: Project = {
        projectId: id("project"),
        accountId: options.accountId ?? id("account"),
        name: "A project",
        mode: "vector_only",
        createdAt: 1_000,
        ontologyId: options.ontologyId ?? null,
        ontologyVersion: 1,
        config: {
          embeddingModel: TEST_SPACE.model,
          embeddingDimensions: TEST_SPACE.dimensions,
          chunkTokens: 200,
          chunkOverlapTokens: 0,
          extraction: "none",
          ...options.config,
        },
      };
      const { accountId, ontologyId } = project;
      if (ontologyId !== null && (await store.findOntology({ accountId, ontologyId })) === null) {
        const ontology = { ontologyId, accountId, name: "Types", createdAt: 1, schemaJson: "{}", version: 1 };
        const { allowedFacts = NO_FACTS } = options;
        await store.createOntology({ ontology, allowedFacts, maxPerAccount: 1_000, maxStoredBytes: null });
      }
      await store.createProject({ project, maxPerAccount: 1_000 });
      made.push(project.projectId);
      return project;
    },
    async accept(project, documents, options = {}) {
      const accepted = documents.map(([sourceDocId, text, metadata = {}]) => ({
        jobId: id("job"),
        sourceDocId,
        text,
        metadata,
      }));
      const outcome = await store.acceptDocuments({
        projectId: project.projectId,
        accountId: project.accountId,
        now: 1_000,
        documents: accepted,
        requestsPerMinute: null,
        tokenLimit: null,
        month,
        maxPendingJobs: null,
        maxStoredBytes: null,
        ...options,
      });
      return { outcome, jobIds: accepted.map((document) => document.jobId) };
    },
    async claim(options = {}) {
      const now = options.now ?? 2_000;
      const leaseToken = options.leaseToken ?? id("lease");
      const claim = {
        ...{ leaseToken, now, leaseUntil: now + leaseMs },
        ...{ maxJobs: options.maxJobs ?? 1, maxTextBytes: options.maxTextBytes ?? 1_000_000 },
        left: options.left ?? null,
      };
      let { jobs, hasEnded } = await store.claimJobs(claim);
      while (jobs.length === 0 && hasEnded) ({ jobs, hasEnded } = await store.claimJobs(claim));
      return { leaseToken, jobs };
    },
    async clear() {
      for (const projectId of made.splice(0)) await store.deleteProject({ projectId });
    },
  };
}

/** What documents count towards the storage of their account beside their texts. */
export function rowBytes(...sourceDocIds: readonly string[]): number {
  return sourceDocIds.reduce((sum, id) => sum + documentBytes(id), 0);
}

/** A text's chunks are its words. */
export function wordsOf(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

export function chunkOf(word: string, position: number): EmbeddedChunk {
  const seed = [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7);
  return {
    position,
    text: word,
    header: `Section of ${word}`,
    start: position * 10,
    end: position * 10 + word.length,
    tokenCount: 1,
    contentHash: `hash of ${encodeURIComponent(word)}`,
    vector: Float32Array.from([seed, position, -seed / 3, 0.5]),
  };
}

/** Commits the job's next words: `count` of them, by default all that are left. */
export async function commit(
  store: Store,
  claimed: Claimed,
  options: {
    job?: ClaimedJob;
    from?: number;
    count?: number;
    tokens?: number;
    chunksTotal?: number;
    tokenLimit?: number | null;
    now?: number;
    leaseToken?: string;
    segment?: Uint8Array;
    space?: EmbeddingSpace;
    graphOf?: (chunk: EmbeddedChunk) => ChunkGraph;
  } = {},
): Promise<CommitOutcome> {
  const job = options.job ?? claimed.jobs[0];
  if (job === undefined) throw new Error("There is no job to commit for.");
  const words = wordsOf(job.text);
  const from = options.from ?? job.nextPosition;
  const until = Math.min(words.length, from + (options.count ?? words.length));
  const chunks = words.slice(from, until).map((word, index) => chunkOf(word, from + index));
  const now = options.now ?? 3_000;
  return store.commitBatch({
    space: options.space ?? TEST_SPACE,
    projectId: job.projectId,
    leaseToken: options.leaseToken ?? claimed.leaseToken,
    now,
    leaseUntil: now + leaseMs,
    segment:
      chunks.length === 0
        ? null
        : (options.segment ?? new TextEncoder().encode(chunks.map((chunk) => chunk.text).join(" "))),
    parts: [
      {
        jobId: job.jobId,
        versionId: job.versionId,
        chunks,
        ...(options.graphOf === undefined ? {} : { graph: chunks.map(options.graphOf) }),
        tokens: options.tokens ?? chunks.length,
        ...(options.chunksTotal === undefined ? {} : { chunksTotal: options.chunksTotal }),
        finished: until >= words.length,
      },
    ],
    tokenLimit: options.tokenLimit ?? null,
    month,
  });
}

/** Takes all steps of a project's version changes. */
export async function follow(store: Store, projectId: string): Promise<void> {
  while (await store.applyVersionChanges({ projectId, now: 3_000 }));
}

/** Accepts, claims and commits whole documents, one after the other. */
export async function ingest(
  scenario: Scenario,
  project: Project,
  documents: readonly (readonly [string, string, Metadata?])[],
  options: { graphOf?: (chunk: EmbeddedChunk) => ChunkGraph } = {},
): Promise<void> {
  await scenario.accept(project, documents);
  for (;;) {
    const claimed = await scenario.claim();
    if (claimed.jobs.length === 0) return;
    const outcome = await commit(scenario.store, claimed, options);
    if (outcome === "changes_left") await follow(scenario.store, project.projectId);
    else if (outcome !== "committed") throw new Error(`The batch was not committed: ${outcome}.`);
  }
}

/**
 * Whether the account has used exactly so many tokens in the month: ingests, of no documents, are refused
 * from that limit downwards and accepted above.
 */
export async function hasUsed(scenario: Scenario, project: Project, tokens: number): Promise<boolean> {
  const outcomes = [tokens, tokens + 1].map(
    async (tokenLimit) => (await scenario.accept(project, [], { tokenLimit })).outcome.kind,
  );
  const [at, above] = await Promise.all(outcomes);
  return at === "token_limit" && above === "accepted";
}

/** What `visibleWords` looks through: no behaviour makes more in one project. */
const maxVersions = 60;
const maxPositions = 12;

/**
 * The words that a query would see, by document and in order: what the index's segments show, read back
 * from the stored chunks.
 */
export async function visibleWords(
  store: Store,
  projectId: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const state = await store.readIndexState({ projectId });
  if (state === null) return {};
  const hidden = new Map(
    state.segments.map((segment) => [segment.segmentId, new Set([...segment.dead, ...segment.staged])]),
  );
  const keys = Array.from({ length: maxVersions * maxPositions }, (_, index) => ({
    versionId: 1 + Math.floor(index / maxPositions),
    position: index % maxPositions,
  }));
  const chunks = (await store.readChunks({ projectId, keys })).filter((chunk) => chunk !== null);
  const words: Record<string, string[]> = {};
  for (const chunk of chunks) {
    if ([...hidden.values()].some((versions) => versions.has(chunk.versionId))) continue;
    const list = words[chunk.sourceDocId] ?? [];
    words[chunk.sourceDocId] = list;
    list.push(chunk.text);
  }
  return words;
}

export type Behaviour = readonly [name: string, run: (scenario: Scenario) => Promise<void>];
