import assert from "node:assert/strict";
import { test } from "node:test";
import type { SegmentWork } from "../engine/index/segment-work.ts";
import { EmbeddingError } from "../ports/embedder.ts";
import type { ClaimedReembedding, StageBatch, UnmovedChunk } from "../ports/reembed-store.ts";
import type { Store } from "../ports/store.ts";
import { createMovingService } from "./moving.ts";
import { nothingLeft } from "./processes.ts";

const NOW = 10_000_000;
const SLICE_MS = 10_000;
const HOUR_MS = 60 * 60_000;
const MOVE: ClaimedReembedding = {
  projectId: "p",
  accountId: "a",
  vectorSet: 1,
  attempts: 0,
  progressedAt: NOW,
  to: { model: "other/model", dimensions: 2 },
};

type Failed = Parameters<Store["failReembedding"]>[0];

interface Scene {
  readonly failed: readonly Failed[];
  readonly staged: readonly StageBatch[];
  readonly released: number;
  readonly logged: readonly string[];
  move(stopping?: boolean): Promise<boolean>;
}

function chunk(position: number, text = `chunk ${position}`): UnmovedChunk {
  const rest = { header: "", tokenCount: 2, sourceDocId: "d", metadata: {}, vector: null };
  return { versionId: 1, position, text, contentHash: text, ...rest };
}

/** A project with `chunks` chunks, and a record of what happens to its move. */
function sceneOf(given: {
  readonly chunks?: number;
  readonly textOf?: (position: number) => string;
  readonly claimed?: Partial<ClaimedReembedding>;
  readonly embed?: (text: string) => Promise<Float32Array>;
  readonly embedderFor?: () => never;
  readonly stage?: (batch: StageBatch) => Awaited<ReturnType<Store["stageBatch"]>>;
  readonly store?: Partial<Store>;
  readonly now?: () => number;
}): Scene {
  const failed: Failed[] = [];
  const staged: StageBatch[] = [];
  const logged: string[] = [];
  let released = 0;
  let done = 0;
  const store: Partial<Store> = {
    claimReembedding: async () => ({ ...MOVE, ...given.claimed }),
    renewReembedding: async () => true,
    async releaseReembedding() {
      released += 1;
    },
    failReembedding: async (input) => void failed.push(input),
    listUnmovedChunks: async ({ limit }) =>
      Array.from({ length: Math.min(limit, (given.chunks ?? 3) - done) }, (_, at) =>
        chunk(done + at, given.textOf?.(done + at)),
      ),
    async stageBatch(batch) {
      staged.push(batch);
      const outcome = given.stage?.(batch) ?? "staged";
      if (outcome === "staged") done += batch.places.reduce((sum, { count }) => sum + count, 0);
      return outcome;
    },
    switchSpace: async () => (done < (given.chunks ?? 3) ? "unfinished" : "switched"),
    readIndexState: async () => null,
    ...given.store,
  };
  const record = (event: string) => void logged.push(event);
  const service = createMovingService({
    store: store as Store, // Has the methods that a move calls.
    findLeftWork: nothingLeft,
    work: {} as SegmentWork, // No segment is merged.
    embedderFor:
      given.embedderFor ??
      (() => ({
        ...MOVE.to,
        countTokens: () => 2,
        embed: given.embed ?? (async (text) => Float32Array.of(text.length, 1)),
      })),
    batchesAtOnce: () => 2,
    tokenLimit: null,
    leaseMs: 60_000,
    sliceMs: SLICE_MS,
    now: given.now ?? (() => NOW),
    monthOf: () => "2031-04",
    newLeaseToken: () => "lease",
    onDamage: () => undefined,
    log: { debug: () => undefined, info: record, warn: record, error: record },
  });
  return {
    failed,
    staged,
    logged,
    get released() {
      return released;
    },
    move: (stopping = false) => service.moveNext(() => stopping),
  };
}

test("a project is staged batch by batch, each text once, and then switched", async () => {
  const scene = sceneOf({ chunks: 200 });
  assert.equal(await scene.move(), true);
  assert.deepEqual(
    scene.staged.map(({ places, vectors, tokens }) => [places, vectors.length, tokens]),
    [64, 64, 64, 8].map((count, at) => [[{ versionId: 1, from: 64 * at, count }], count, 2 * count]),
  );
  assert.deepEqual([scene.failed, scene.logged], [[], ["project_moved"]]);
});

test("a text in several batches of a page is embedded and charged once, and stored with each batch", async () => {
  const embedded: string[] = [];
  const embed = async (text: string) => {
    embedded.push(text);
    return Float32Array.of(1, 0);
  };
  const scene = sceneOf({ chunks: 128, textOf: (position) => `chunk ${position % 64}`, embed });
  await scene.move();
  assert.equal(embedded.length, 64);
  assert.deepEqual(
    scene.staged.map(({ vectors, tokens }) => [vectors.length, tokens]),
    [
      [64, 128],
      [64, 0],
    ],
  );
});

test("a move is released, not failed, when its time is over or its worker stops", async () => {
  let clock = NOW;
  const embed = async () => {
    clock = NOW + SLICE_MS;
    return Float32Array.of(1, 0);
  };
  const long = sceneOf({ chunks: 300, embed, now: () => clock });
  assert.equal(await long.move(), true);
  assert.deepEqual([long.staged.length, long.released, long.failed], [2, 1, []]);
  const stopped = sceneOf({ chunks: 300 });
  assert.equal(await stopped.move(true), true);
  assert.deepEqual([stopped.staged.length, stopped.released, stopped.failed], [0, 1, []]);
});

test("the vectors of batches after a failed one are kept", async () => {
  const refused = new EmbeddingError("refused", "It will not.");
  const embed = async (text: string) => {
    if (text === "chunk 5") throw refused;
    return Float32Array.of(1, 0);
  };
  const scene = sceneOf({ chunks: 128, embed, stage: () => "changed" });
  await scene.move();
  assert.deepEqual(
    scene.staged.map(({ places }) => places[0]?.from),
    [64],
  );
  assert.deepEqual(
    scene.failed.map(({ errorMessage, retryAt }) => [errorMessage, retryAt]),
    [["It will not.", null]],
  );
});

test("a move waits for an unavailable provider up to an hour after its last progress, without counting an attempt", async () => {
  const away = async () => Promise.reject(new EmbeddingError("unavailable", "It is away."));
  const waiting = sceneOf({ embed: away, claimed: { progressedAt: NOW - HOUR_MS + 1 } });
  await waiting.move();
  const [first] = waiting.failed;
  assert.ok(first !== undefined && first.retryAt !== null && first.retryAt > NOW);
  assert.equal(first.countAttempt, false);
  const late = sceneOf({ embed: away, claimed: { progressedAt: NOW - HOUR_MS } });
  await late.move();
  assert.deepEqual([late.failed[0]?.retryAt, late.failed[0]?.errorMessage], [null, "It is away."]);
});

test("a missing model, a used-up token limit and a worker that keeps dying fail the move, each with its own text", async () => {
  const missing = sceneOf({
    embedderFor() {
      throw new EmbeddingError("missing", "Of the project.");
    },
  });
  const limited = sceneOf({ stage: () => "token_limit" });
  const poisoned = sceneOf({ claimed: { attempts: 5 } });
  for (const scene of [missing, limited, poisoned]) assert.equal(await scene.move(), true);
  assert.deepEqual(
    [missing, limited, poisoned].map(({ failed: [failed] }) => [failed?.retryAt, failed?.errorMessage]),
    [
      [
        null,
        'The embedding model "other/model" with 2 dimensions is not configured any more. The project stays with the one that it has.',
      ],
      [null, "Token usage limit exceeded"],
      [null, "The worker ended 5 times while it moved this project"],
    ],
  );
  assert.equal(poisoned.staged.length, 0);
});

test("a move whose chunks never fit fails instead of repeating without end", async () => {
  const scene = sceneOf({ stage: () => "changed" });
  await scene.move();
  assert.equal(scene.failed.length, 1);
  assert.ok(scene.staged.length < 50);
});

test("a failed merge does not stop the move; a cancelled move ends without an error", async () => {
  const unmerged = sceneOf({ store: { readIndexState: () => Promise.reject(new Error("no merge")) } });
  await unmerged.move();
  assert.deepEqual([unmerged.failed, unmerged.logged], [[], ["merge_failed", "project_moved"]]);
  const cancelled = sceneOf({ stage: () => "lease_lost" });
  await cancelled.move();
  assert.deepEqual([cancelled.failed, cancelled.logged, cancelled.released], [[], [], 0]);
});

test("a move whose chunks are counted but cannot be read fails instead of repeating without end", async () => {
  let rounds = 0;
  const scene = sceneOf({
    store: {
      listUnmovedChunks: async () => [],
      async switchSpace() {
        rounds += 1;
        assert.ok(rounds < 100);
        return "unfinished";
      },
    },
  });
  await scene.move();
  assert.match(scene.failed[0]?.errorMessage ?? "", /while the project's chunks were embedded/);
  assert.ok(rounds < 50);
});

test("a move that has staged a batch since its last attempts is tried again after a fault", async () => {
  const claimed = { attempts: 4, progressedAt: NOW - HOUR_MS };
  const faults = [new Error("a passing fault"), new EmbeddingError("unavailable", "It is away.")];
  for (const fault of faults) {
    const embed = async (text: string) => {
      if (text === "chunk 100") throw fault;
      return Float32Array.of(1, 0);
    };
    const scene = sceneOf({ chunks: 128, claimed, embed });
    await scene.move();
    assert.equal(scene.staged.length, 1);
    assert.notEqual(scene.failed[0]?.retryAt ?? null, null);
  }
});
