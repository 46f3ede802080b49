import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { Job } from "../domain/job.ts";
import type { JobProgress } from "../domain/progress.ts";
import type { Project } from "../domain/project.ts";
import { createProgressService, type ProgressService } from "./progress.ts";

const caller = { accountId: "account", via: "api_key" } as const;
const MAX_PER_ACCOUNT = 32;
const MAX_IN_ALL = 512;
const projectId = `prj_${"a".repeat(32)}`;
const jobId = `job_${"b".repeat(32)}`;

interface World {
  readonly service: ProgressService;
  progress: JobProgress;
  looks: number;
  ownedBy(accountId: string): void;
}

function createWorld(): World {
  const job: Job = {
    ...{ jobId, projectId, sourceDocId: "a", status: "running", chunksProcessed: 0 },
    ...{ nodesCreated: 0, edgesCreated: 0, startedAt: 0, completedAt: null, errorMessage: null },
  };
  let accountId: string = caller.accountId;
  const project = () => ({ projectId, accountId }) as Project; // All that access looks at.
  const world: World = {
    progress: { job, chunksTotal: 100, chunksIndexed: 0 },
    looks: 0,
    ownedBy: (account) => {
      accountId = account;
    },
    service: createProgressService({
      store: {
        findProject: () => Promise.resolve(project()),
        findJob: () => Promise.resolve(world.progress.job),
        readProgress({ jobs }) {
          world.looks++;
          return Promise.resolve({ jobs: jobs.length === 0 ? [] : [world.progress], projects: [] });
        },
      },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      now: () => 1_000,
      maxPerAccount: MAX_PER_ACCOUNT,
    }),
  };
  return world;
}

function advance(world: World, chunks: number, changes: Partial<Job> = {}): void {
  const job = { ...world.progress.job, chunksProcessed: chunks, ...changes };
  world.progress = { ...world.progress, job, chunksIndexed: chunks };
}

function createReader() {
  const told: string[] = [];
  const reader = {
    ready: true,
    told,
    isReady: () => reader.ready,
    begin: () => undefined,
    send: (event: { kind: string; progress: JobProgress }) =>
      void told.push(`${event.kind} ${event.progress.job.chunksProcessed}`),
    end: () => void told.push("end"),
  };
  return reader;
}

/** One look, and what follows from it. */
async function tick(): Promise<void> {
  mock.timers.tick(500);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

async function watch(
  world: World,
  reader: ReturnType<typeof createReader>,
  accountId = caller.accountId as string,
): Promise<() => void> {
  world.ownedBy(accountId);
  const start = await world.service.watchJob({ ...caller, accountId }, { projectId, jobId }, null);
  assert.ok(start);
  return start(reader);
}

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

test("many readers cost one look at the store, and none costs none", async () => {
  const world = createWorld();
  const readers = Array.from({ length: 20 }, createReader);
  const stops = [];
  for (const reader of readers) stops.push(await watch(world, reader));
  await tick();
  assert.equal(world.looks, 1);
  advance(world, 10);
  await tick();
  assert.equal(world.looks, 2);
  for (const { told } of readers) assert.deepEqual(told, ["progress 0", "progress 10"]);
  for (const stop of stops) stop();
  await tick();
  await tick();
  assert.equal(world.looks, 2);
});

test("a slow reader is passed over and then told the latest state, and the end", async () => {
  const world = createWorld();
  const slow = createReader();
  await watch(world, slow);
  await tick();
  slow.ready = false;
  for (const chunks of [10, 20, 30]) {
    advance(world, chunks);
    await tick();
  }
  assert.deepEqual(slow.told, ["progress 0"]);
  slow.ready = true;
  await tick();
  assert.deepEqual(slow.told, ["progress 0", "progress 30"]);
  slow.ready = false;
  advance(world, 100, { status: "failed", completedAt: 900, errorMessage: "Cancelled" });
  await tick();
  slow.ready = true;
  await tick();
  assert.deepEqual(slow.told.slice(2), ["cancelled 100", "end"]);
});

test("an account has so many streams and no more, until one ends", async () => {
  const world = createWorld();
  const stops = [];
  for (let at = 0; at < MAX_PER_ACCOUNT; at++) stops.push(await watch(world, createReader()));
  await assert.rejects(watch(world, createReader()), /At most 32 event streams of an account/);
  stops[0]?.();
  await watch(world, createReader());
  world.service.close();
});

test("accounts that have all places between them give some up to others, the oldest first, until all have alike", async () => {
  const world = createWorld();
  const greedy: ReturnType<typeof createReader>[] = [];
  for (let at = 0; at < MAX_IN_ALL; at++) {
    const reader = createReader();
    greedy.push(reader);
    await watch(world, reader, `greedy ${at % (MAX_IN_ALL / MAX_PER_ACCOUNT)}`);
  }
  const ended = () => greedy.flatMap(({ told }, at) => (told.includes("end") ? [at] : []));
  const own: ReturnType<typeof createReader>[] = [];
  for (let at = 0; at < MAX_PER_ACCOUNT - 2; at++) {
    own.push(createReader());
    await watch(world, own[at] ?? createReader(), "late");
    assert.equal(ended().length, at + 1);
  }
  assert.equal(ended()[0], 0);
  assert.ok(own.every(({ told }) => !told.includes("end")));
  // All have 30 or 31 now: who has as many as the others takes nothing from them.
  await assert.rejects(watch(world, createReader(), "late"), /Too many event streams are open/);
  world.service.close();
});

test("closing ends all readers, and later ones at once", async () => {
  const world = createWorld();
  const [early, late] = [createReader(), createReader()];
  await watch(world, early);
  world.service.close();
  assert.deepEqual(early.told, ["end"]);
  await watch(world, late);
  assert.deepEqual(late.told, ["end"]);
});
