/** A real store with real segments, which can be damaged, and what its index shows. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { sql } from "kysely";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { indexedText } from "../../src/domain/document.ts";
import { buildSegment, type IndexableChunk } from "../../src/engine/index/build.ts";
import { mergeSegments } from "../../src/engine/index/merge.ts";
import { openSegment } from "../../src/engine/index/segment.ts";
import { createSegmentWork, doSegmentWork, type SegmentWork } from "../../src/engine/index/segment-work.ts";
import type { LogFields } from "../../src/ports/log.ts";
import type { Store } from "../../src/ports/store.ts";
import { createMergingService } from "../../src/services/merging.ts";
import { chunkOf, createScenario, leaseMs, month, type Scenario, TEST_SPACE, wordsOf } from "./scenario.ts";

export const local: SegmentWork = createSegmentWork(async (request) => doSegmentWork(request));

/** A store of its own for a test. */
export interface Setting {
  readonly opened: OpenedStore;
  readonly scenario: Scenario;
  readonly logged: { readonly event: string; readonly fields: LogFields }[];
  now: number;
  /** Rounds until one finds nothing to do. */
  settle(work?: SegmentWork): Promise<void>;
}

export async function open(
  context: TestContext,
  options: {
    readonly databaseUrl?: string | null;
    /** The store that is used in place of the one that was opened. */
    readonly wrap?: (store: Store, dataDir: string) => Promise<Store>;
  } = {},
): Promise<Setting> {
  const { databaseUrl = null, wrap = async (store) => store } = options;
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-upkeep-"));
  const inner = await openStore({ databaseUrl, dataDir });
  const opened = { ...inner, store: await wrap(inner.store, dataDir) };
  context.after(async () => {
    await inner.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const logged: { event: string; fields: LogFields }[] = [];
  const note = (event: string, fields: LogFields = {}) => void logged.push({ event, fields });
  const log = { debug() {}, info() {}, warn: note, error: note };
  const setting: Setting = {
    opened,
    scenario: createScenario(opened.store, "upkeep"),
    logged,
    now: 1_000,
    async settle(work = local) {
      const { store } = opened;
      const merging = createMergingService({
        store,
        work,
        log,
        now: () => setting.now,
        jobLifeMs: Number.MAX_SAFE_INTEGER,
        onDamage() {},
      });
      for (let round = 0; await merging.mergeNext(() => false); round++) assert.ok(round < 500);
    },
  };
  return setting;
}

/** Ingests one document, a batch for so many words, with the segments that the service would make. */
export async function ingest(
  setting: Setting,
  projectId: string,
  document: readonly [string, string],
  batch = 2,
) {
  const { store } = setting.opened;
  const project = await store.findProject({ projectId });
  assert(project);
  await setting.scenario.accept(project, [document]);
  const claimed = await setting.scenario.claim();
  const [job] = claimed.jobs;
  if (job === undefined) return; // The document has this text already.
  const words = wordsOf(job.text);
  for (let from = 0; from < words.length; from += batch) {
    const chunks = words.slice(from, from + batch).map((word, index) => chunkOf(word, from + index));
    const indexable = chunks.map((chunk) => indexableOf(job.versionId, job.sourceDocId, chunk));
    const outcome = await store.commitBatch({
      space: TEST_SPACE,
      projectId,
      leaseToken: claimed.leaseToken,
      now: 3_000,
      leaseUntil: 3_000 + leaseMs,
      segment: buildSegment(indexable),
      parts: [
        {
          jobId: job.jobId,
          versionId: job.versionId,
          chunks,
          tokens: 0,
          finished: from + batch >= words.length,
        },
      ],
      tokenLimit: null,
      month,
    });
    assert.equal(outcome, "committed");
  }
}

export function indexableOf(
  versionId: number,
  sourceDocId: string,
  chunk: ReturnType<typeof chunkOf>,
): IndexableChunk {
  const { position, vector } = chunk;
  return { versionId, sourceDocId, metadata: {}, position, vector, indexedText: indexedText(chunk) };
}

/** Everything that the index shows, as one segment; fails where a chunk is in two segments. */
export async function wholeIndex(
  { opened: { store } }: Setting,
  projectId: string,
): Promise<Uint8Array | null> {
  const state = await store.readIndexState({ projectId });
  const inputs = [];
  for (const { segmentId, dead } of state?.segments ?? []) {
    const bytes = await store.readSegment({ projectId, segmentId });
    assert(bytes);
    inputs.push({ segment: openSegment(bytes), deadVersions: new Set(dead) });
  }
  return mergeSegments(inputs);
}

/** The same, made of the chunks that are stored. */
export async function wholeFromChunks({ opened }: Setting, projectId: string): Promise<Uint8Array | null> {
  const rows = await sql<{ version_id: number; source_doc_id: string; position: number; text: Uint8Array }>`
    select c.version_id, v.source_doc_id, c.position, c.text from chunks c join document_versions v
    on v.project_id = c.project_id and v.version_id = c.version_id where c.project_id = ${projectId}`.execute(
    opened.authDatabase().db,
  );
  const chunks = rows.rows.map((row) => {
    const chunk = chunkOf(new TextDecoder().decode(row.text), row.position);
    return indexableOf(row.version_id, row.source_doc_id, chunk);
  });
  return chunks.length === 0 ? null : buildSegment(chunks);
}

export const damages = ["cut", "flipped", "older", "other", "missing"] as const;

export async function damage(
  setting: Setting,
  projectId: string,
  segmentId: number,
  how: (typeof damages)[number],
) {
  const { store, authDatabase } = setting.opened;
  const { db } = authDatabase();
  if (how === "missing") {
    await sql`delete from segment_blobs where project_id = ${projectId} and segment_id = ${segmentId}`.execute(
      db,
    );
    return;
  }
  const bytes = await store.readSegment({ projectId, segmentId });
  if (bytes === null) return; // A damage before this one took them.
  const damaged = damagedBytes(bytes.slice(), how);
  await sql`update segment_blobs set bytes = ${damaged} where project_id = ${projectId}
    and segment_id = ${segmentId}`.execute(db);
}

export function damagedBytes(bytes: Uint8Array, how: (typeof damages)[number]): Uint8Array {
  if (how === "cut") return bytes.subarray(0, bytes.length - 8);
  if (how === "older") bytes[4] = 0;
  if (how === "flipped") bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  if (how === "other")
    return buildSegment([1, 2, 3, 4, 5].map((at) => indexableOf(900, "z", chunkOf("z", at))));
  return bytes;
}

export async function segmentIds(
  { opened: { store } }: Setting,
  projectId: string,
): Promise<readonly number[]> {
  const state = await store.readIndexState({ projectId });
  return (state?.segments ?? []).map(({ segmentId }) => segmentId);
}
