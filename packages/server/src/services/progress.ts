/** Sends the progress of jobs to many readers, with one poll of the store for all of them. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { isId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";
import { CANCELLED, type JobProgress } from "../domain/progress.ts";
import type { ProgressStore, WatchedProject } from "../ports/event-store.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { createAccountSlots } from "./account-slots.ts";
import { createProgressRate, type Pace } from "./progress-rate.ts";

export interface ProgressEvent {
  /** A reader that reconnects with this id continues after this event. null: it would continue after the event before. */
  readonly id: string | null;
  readonly kind: "progress" | "completed" | "failed" | "cancelled";
  readonly progress: JobProgress;
  readonly pace: Pace;
}

/** Receives events. */
export interface ProgressReader {
  /** False while earlier events are unread: the reader is skipped, and gets the latest state when it is ready again. */
  isReady(): boolean;
  send(event: ProgressEvent): void;
  /** Called before the first event, with an id from which a reader that reconnects can continue. */
  begin(id: string): void;
  /** No more events follow. */
  end(): void;
}

/** Subscribes a reader; the returned function unsubscribes it. */
export type Watch = (reader: ProgressReader) => () => void;

export interface ProgressService {
  /** null when the job has ended and `lastEventId` shows that the reader has received its end. */
  watchJob(
    caller: Caller,
    target: { projectId: string; jobId: string },
    lastEventId: string | null,
  ): Promise<Watch | null>;
  /** Events from now on, or those after `lastEventId`. */
  watchProject(caller: Caller, projectId: string, lastEventId: string | null): Promise<Watch>;
  /** Ends all readers. Readers that subscribe later end at once. */
  close(): void;
}

const POLL_MS = 500;
/** Jobs and positions in projects that one operation of the store reads, and ended jobs behind each position: about what a reader takes at once. */
const TARGETS_PER_READ = 8;
const MAX_ENDED = 128;
const MAX_READERS = 512;
/** A reader that was away gets some hundred events at once. */
const READERS_PER_TURN = 4;

type Update = Awaited<ReturnType<ProgressStore["readProgress"]>>;

/** What one reader watches, and how far it has received it. */
interface Subscription {
  readonly accountId: string;
  readonly reader: ProgressReader;
  readonly job: { readonly projectId: string; readonly jobId: string } | null;
  readonly project: WatchedProject | null;
  /** Sends what is new; true when no more events can follow. */
  deliver(update: Update, pace: (progress: JobProgress) => Pace): boolean;
}

export function createProgressService(deps: {
  readonly store: Pick<Store, "findProject" | "findJob" | "readProgress">;
  readonly log: Log;
  readonly now: () => number;
  /** Streams of one account at once. */
  readonly maxPerAccount: number;
}): ProgressService {
  const { store } = deps;
  const hub = createHub(deps);
  return {
    async watchJob(caller, { projectId, jobId }, lastEventId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const job = isId("job", jobId) ? await store.findJob({ projectId, jobId }) : null;
      if (job === null) throw errors.jobNotFound();
      if (job.completedAt !== null && stateId(job) === lastEventId) return null;
      const target = { projectId, jobId };
      return (reader) => hub.add(jobSubscription(caller.accountId, { reader, target, lastEventId }));
    },
    async watchProject(caller, projectId, lastEventId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const after = lastEventId !== null && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
      return (reader) => hub.add(projectSubscription(caller.accountId, { reader, projectId, after }));
    },
    close: hub.close,
  };
}

/**
 * One polling loop for all subscriptions; it stops while there are none. Each poll reads the store in operations of bounded work:
 * some hundred readers that were away have tens of thousands of events to get.
 */
function createHub(deps: Parameters<typeof createProgressService>[0]) {
  /** With the function that gives each one's place back. */
  const subscriptions = new Map<Subscription, () => void>();
  const slots = createAccountSlots({
    what: "event streams",
    perAccount: deps.maxPerAccount,
    total: MAX_READERS,
    accountIsFull: `At most ${deps.maxPerAccount} event streams of an account are open at once. Close one first.`,
    allAreTaken: "Too many event streams are open. Try again shortly, or poll the job.",
  });
  const rate = createProgressRate();
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  let isClosed = false;

  function remove(subscription: Subscription): void {
    const release = subscriptions.get(subscription);
    if (release === undefined) return;
    subscriptions.delete(subscription);
    release();
    subscription.reader.end();
  }

  async function poll(): Promise<void> {
    const ready = [...subscriptions.keys()].filter(({ reader }) => reader.isReady());
    if (ready.length === 0) return;
    const now = deps.now();
    const paces = new Map<JobProgress, Pace>();
    const pace = (progress: JobProgress) => {
      const known = paces.get(progress) ?? rate.pace(progress, now);
      paces.set(progress, known);
      return known;
    };
    for (const some of readsOf(ready)) {
      const update = await deps.store.readProgress({ ...targetsOf(some), maxEnded: MAX_ENDED });
      for (const [at, subscription] of some.entries()) {
        if (at > 0 && at % READERS_PER_TURN === 0) await turn();
        if (subscriptions.has(subscription) && subscription.deliver(update, pace)) remove(subscription);
      }
    }
    rate.forgetOthers();
  }

  function schedule(afterMs: number): void {
    if (isClosed || isPolling) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void run(), afterMs);
  }

  // For all readers: as work of the one whose request begins it, it would end with that client.
  const run = AsyncLocalStorage.bind(async () => {
    timer = null;
    isPolling = true;
    try {
      await poll();
    } catch (error) {
      deps.log.warn("progress_unread", { error }); // The next poll may succeed.
    }
    isPolling = false;
    if (subscriptions.size > 0) schedule(POLL_MS);
  });

  return {
    add(subscription: Subscription): () => void {
      if (isClosed) {
        subscription.reader.end();
        return () => undefined;
      }
      const release = slots.take(subscription.accountId, () => remove(subscription));
      subscriptions.set(subscription, release);
      schedule(0);
      return () => remove(subscription);
    },
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      for (const subscription of [...subscriptions.keys()]) remove(subscription);
    },
  };
}

/** The subscriptions in groups with a few targets each; those with the same target are in the same group. */
function readsOf(subscriptions: readonly Subscription[]): readonly (readonly Subscription[])[] {
  const byTarget = [...Map.groupBy(subscriptions, targetOf).values()];
  return Array.from({ length: Math.ceil(byTarget.length / TARGETS_PER_READ) }, (_, at) =>
    byTarget.slice(at * TARGETS_PER_READ, (at + 1) * TARGETS_PER_READ).flat(),
  );
}

function targetOf({ job, project }: Subscription): string {
  return job === null ? `${project?.projectId} ${project?.after}` : job.jobId;
}

/** Each job and each position in a project once, however many subscriptions watch it. */
function targetsOf(subscriptions: readonly Subscription[]) {
  const jobs = new Map<string, NonNullable<Subscription["job"]>>();
  const projects = new Map<string, WatchedProject>();
  for (const subscription of subscriptions) {
    const { job, project } = subscription;
    if (job !== null) jobs.set(job.jobId, job);
    if (project !== null) projects.set(targetOf(subscription), project);
  }
  return { jobs: [...jobs.values()], projects: [...projects.values()] };
}

function jobSubscription(
  accountId: string,
  input: {
    readonly reader: ProgressReader;
    readonly target: { projectId: string; jobId: string };
    readonly lastEventId: string | null;
  },
): Subscription {
  const { reader, target } = input;
  let lastId = input.lastEventId;
  return {
    accountId,
    reader,
    job: target,
    project: null,
    deliver(update, pace) {
      const progress = update.jobs.find(({ job }) => job.jobId === target.jobId);
      if (progress === undefined) return true; // Its project was deleted.
      const id = stateId(progress.job);
      if (id !== lastId) reader.send({ id, kind: kindOf(progress.job), progress, pace: pace(progress) });
      else pace(progress); // Adds a sample.
      lastId = id;
      return progress.job.completedAt !== null;
    },
  };
}

function projectSubscription(
  accountId: string,
  input: { readonly reader: ProgressReader; readonly projectId: string; readonly after: number | null },
): Subscription {
  const { reader, projectId } = input;
  /** By running job, the state that was last sent. */
  let sentStates = new Map<string, string>();
  let after = input.after;
  let hasBegun = false;
  return {
    accountId,
    reader,
    job: null,
    get project() {
      return { projectId, after };
    },
    deliver({ projects }, pace) {
      const project = projects.find((one) => one.projectId === projectId && one.after === after);
      if (project === undefined) return true;
      // An id that this project has not reached yet is of another project's stream.
      after = after === null || after > project.lastPlace ? project.lastPlace : after;
      if (!hasBegun) reader.begin(String(after));
      hasBegun = true;
      for (const ended of project.ended) {
        // It gets the others when it has taken these.
        if (!reader.isReady()) return false;
        after = ended.place;
        reader.send({ id: String(after), kind: kindOf(ended.job), progress: ended, pace: pace(ended) });
      }
      const running = new Map<string, string>();
      for (const progress of project.running) {
        const id = stateId(progress.job);
        running.set(progress.job.jobId, id);
        const estimate = pace(progress); // Also where nothing is sent: each call adds a sample.
        if (sentStates.get(progress.job.jobId) === id) continue;
        reader.send({ id: null, kind: "progress", progress, pace: estimate });
      }
      sentStates = running;
      return false;
    },
  };
}

function kindOf(job: Job): ProgressEvent["kind"] {
  if (job.status === "completed") return "completed";
  if (job.status === "failed") return job.errorMessage === CANCELLED ? "cancelled" : "failed";
  return "progress";
}

/** Changes whenever a reader should get an event. */
function stateId({ status, chunksProcessed, nodesCreated, edgesCreated }: Job): string {
  return [status, chunksProcessed, nodesCreated, edgesCreated].join("-");
}
