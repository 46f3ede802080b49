import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { Job } from "../domain/job.ts";
import type { JobProgress } from "../domain/progress.ts";
import type { Project } from "../domain/project.ts";
import { createProgressService, type ProgressService } from "./progress.ts";

const caller = { accountId: "account", via: "api_key" } as const;
const acting = new AsyncLocalStorage<string>();
const MAX_PER_ACCOUNT = 32;
const MAX_IN_ALL = 512;
const projectId = `prj_${"a".repeat(32)}`;
const jobId = `job_${"b".repeat(32)}`;

interface World {
  readonly service: ProgressService;
  progress: JobProgress;
  polls: number;
  /** Ended jobs that any operation of the store could read. */
  mostEnded: number;
  /** On whose behalf the last poll was. */
  pollsOf: string | undefined;
  ended(after: number): readonly (JobProgress & { readonly place: number })[];
  ownedBy(accountId: string): void;
}

function createWorld(): World {
  const job: Job = {
    jobId,
    projectId,
    sourceDocId: "a",
    status: "running",
    chunksProcessed: 0,
    nodesCreated: 0,
    edgesCreated: 0,
    startedAt: 0,
    completedAt: null,
    errorMessage: null,
  };
  let accountId: string = caller.accountId;
  const project = () => ({ projectId, accountId }) as Project; // The fields that `requireProject` reads.
  const world: World = {
    progress: { job, chunksTotal: 100, chunksIndexed: 0 },
    polls: 0,
    mostEnded: 0,
    pollsOf: undefined,
    ended: () => [],
    ownedBy: (account) => {
      accountId = account;
    },
    service: createProgressService({
      store: {
        findProject: () => Promise.resolve(project()),
        findJob: () => Promise.resolve(world.progress.job),
        readProgress({ jobs, projects, maxEnded }) {
          world.polls++;
          world.mostEnded = Math.max(world.mostEnded, projects.length * maxEnded);
          world.pollsOf = acting.getStore();
          const known = { lastPlace: 7, running: [world.progress] };
          return Promise.resolve({
            jobs: jobs.length === 0 ? [] : [world.progress],
            projects: projects.map((project) => ({
              ...project,
              ...known,
              ended: world.ended(project.after ?? known.lastPlace),
            })),
          });
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
  const received: string[] = [];
  const reader = {
    ready: true,
    received,
    isReady: () => reader.ready,
    begin: (id: string) => void received.push(`begin ${id}`),
    send: (event: { kind: string; progress: JobProgress }) =>
      void received.push(`${event.kind} ${event.progress.job.chunksProcessed}`),
    end: () => void received.push("end"),
  };
  return reader;
}

/** One poll, and the turns of the event loop in which it delivers. */
async function tick(): Promise<void> {
  mock.timers.tick(500);
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
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

test("many readers cost one poll of the store, and without readers there is no poll", async () => {
  const world = createWorld();
  const readers = Array.from({ length: 20 }, createReader);
  const stops = [];
  for (const reader of readers) stops.push(await watch(world, reader));
  await tick();
  assert.equal(world.polls, 1);
  advance(world, 10);
  await tick();
  assert.equal(world.polls, 2);
  for (const { received } of readers) assert.deepEqual(received, ["progress 0", "progress 10"]);
  for (const stop of stops) stop();
  await tick();
  await tick();
  assert.equal(world.polls, 2);
});

test("a poll is not on behalf of the reader whose request begins it", async () => {
  const world = createWorld();
  await acting.run("the first", async () => {
    const stop = await watch(world, createReader());
    await tick();
    stop();
  });
  assert.deepEqual([world.polls, world.pollsOf], [1, undefined]);
});

test("a reader that was away gets no more than it takes, and the rest with the next poll", async () => {
  const world = createWorld();
  const ended = [5, 6, 7].map((place) => ({ ...world.progress, place }));
  world.ended = (after) => ended.filter(({ place }) => place > after);
  const reader = createReader();
  const places: (string | null)[] = [];
  const start = await world.service.watchProject(caller, projectId, "4");
  start({
    ...reader,
    isReady: () => reader.ready,
    send({ id }) {
      places.push(id);
      reader.ready = places.length !== 2;
    },
  });
  await tick();
  assert.deepEqual(places, ["5", "6"]);
  reader.ready = true;
  await tick();
  assert.equal(places[2], "7");
});

test("an operation reads as many ended jobs, however many streams were away since different events", async () => {
  const world = createWorld();
  world.ended = (after) => [{ ...world.progress, place: after + 1 }];
  const reads: number[] = [];
  for (const streams of [MAX_PER_ACCOUNT / 4, MAX_PER_ACCOUNT]) {
    const readers = Array.from({ length: streams }, createReader);
    const stops: (() => void)[] = [];
    // Of the project's seven places, so that others are of different projects.
    for (const [at, reader] of readers.entries()) {
      const start = await world.service.watchProject(
        caller,
        `prj_${String(at).padStart(32, "0")}`,
        String(at % 7),
      );
      stops.push(start(reader));
    }
    for (let poll = 0; poll < 4; poll++) await tick();
    assert.ok(readers.every(({ received }) => received.includes("progress 0")));
    for (const stop of stops) stop();
    reads.push(world.mostEnded);
  }
  assert.deepEqual(reads, [1_024, 1_024]);
});

test("a slow reader is skipped, and then receives the latest state and the end", async () => {
  const world = createWorld();
  const slow = createReader();
  await watch(world, slow);
  await tick();
  slow.ready = false;
  for (const chunks of [10, 20, 30]) {
    advance(world, chunks);
    await tick();
  }
  assert.deepEqual(slow.received, ["progress 0"]);
  slow.ready = true;
  await tick();
  assert.deepEqual(slow.received, ["progress 0", "progress 30"]);
  slow.ready = false;
  advance(world, 100, { status: "failed", completedAt: 900, errorMessage: "Cancelled" });
  await tick();
  slow.ready = true;
  await tick();
  assert.deepEqual(slow.received.slice(2), ["cancelled 100", "end"]);
});

test("a stream of a project begins once, with the place from which a later one resumes", async () => {
  const world = createWorld();
  // The second one comes with an id of another project's stream.
  for (const lastEventId of [null, "9"]) {
    const reader = createReader();
    const start = await world.service.watchProject(caller, projectId, lastEventId);
    const stop = start?.(reader);
    await tick();
    advance(world, 10);
    await tick();
    advance(world, 0);
    assert.deepEqual(reader.received, ["begin 7", "progress 0", "progress 10"]);
    stop?.();
  }
});

test("an account has at most 32 streams at once", async () => {
  const world = createWorld();
  const stops = [];
  for (let at = 0; at < MAX_PER_ACCOUNT; at++) stops.push(await watch(world, createReader()));
  await assert.rejects(watch(world, createReader()), /At most 32 event streams of an account/);
  stops[0]?.();
  await watch(world, createReader());
  world.service.close();
});

test("accounts that hold all streams lose some to other accounts, the oldest first, until all have about the same number", async () => {
  const world = createWorld();
  const greedy: ReturnType<typeof createReader>[] = [];
  for (let at = 0; at < MAX_IN_ALL; at++) {
    const reader = createReader();
    greedy.push(reader);
    await watch(world, reader, `greedy ${at % (MAX_IN_ALL / MAX_PER_ACCOUNT)}`);
  }
  const ended = () => greedy.flatMap(({ received }, at) => (received.includes("end") ? [at] : []));
  const own: ReturnType<typeof createReader>[] = [];
  for (let at = 0; at < MAX_PER_ACCOUNT - 2; at++) {
    own.push(createReader());
    await watch(world, own[at] ?? createReader(), "late");
    assert.equal(ended().length, at + 1);
  }
  assert.equal(ended()[0], 0);
  assert.ok(own.every(({ received }) => !received.includes("end")));
  // All accounts have 30 or 31 streams now, so none loses one to another.
  await assert.rejects(watch(world, createReader(), "late"), /Too many event streams are open/);
  world.service.close();
});

test("closing ends all readers, and ends later ones at once", async () => {
  const world = createWorld();
  const [early, late] = [createReader(), createReader()];
  await watch(world, early);
  world.service.close();
  assert.deepEqual(early.received, ["end"]);
  await watch(world, late);
  assert.deepEqual(late.received, ["end"]);
});
