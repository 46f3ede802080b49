/** What this process knows of the others on its database. */
import {
  type Abilities,
  findDifferences,
  findLeft,
  GONE_MS,
  hasWorker,
  isFirst,
  isRunning,
  type LeftToOthers,
  type ListedProcess,
  type ProcessDifference,
  type ServiceProcess,
  SILENT_MS,
} from "../domain/service-process.ts";
import type { Log } from "../ports/log.ts";
import type { ProcessStore } from "../ports/process-store.ts";
import type { Store } from "../ports/store.ts";

const NOTE_MS = 10_000;
const LIST_MS = 5_000;

export type WaitingWork = Pick<Store, "nextWork" | "nextConversion" | "nextReembedding">;

/** Whether a job, a file or a move to another model waits that is not left to others. */
export async function isWorkReady(
  store: WaitingWork,
  { now, left }: { readonly now: number; readonly left: LeftToOthers | null },
): Promise<boolean> {
  if ((await store.nextWork({ now, left })).readyNow) return true;
  if ((await store.nextConversion({ now })).readyNow) return true;
  return (await store.nextReembedding({ now, left })).readyNow;
}

export interface ProcessRegistration {
  /** The processes that run, this one included. */
  running(): readonly ListedProcess[];
  /** In what they differ. */
  differences(): readonly ProcessDifference[];
  /** Whether this one is the one of the running processes that reports about the database. */
  isReporter(): boolean;
  /** Whether jobs wait and no running process works on jobs. An outage, which is told elsewhere, counts as none. */
  isWorkLeft(): Promise<boolean>;
  /** Why this process cannot use the database any more; null while it can. */
  fault(): string | null;
  /** Whether a newer version has changed the database, which this one can still use. */
  isOlder(): boolean;
  /** When `fault` begins. */
  readonly unusable: Promise<void>;
  close(): Promise<void>;
}

interface RegistrationDeps {
  readonly store: ProcessStore & WaitingWork;
  readonly own: ServiceProcess;
  readonly now: () => number;
  readonly log: Log;
}

/** Notes that this process runs, now and every few seconds, and looks who else does. Tells in the log when differences begin. */
export async function registerProcess(deps: RegistrationDeps): Promise<ProcessRegistration> {
  const { store, own, now, log } = deps;
  let listed: readonly ListedProcess[] = [];
  let told = "";
  const schema = watchSchema(deps);
  const running = () => listed.filter((process) => isRunning(process, now()));
  const differences = () => findDifferences(running());

  async function note(): Promise<void> {
    const at = now();
    await store.noteProcess({ process: own, now: at, silentSince: at - SILENT_MS, goneSince: at - GONE_MS });
    listed = await store.listProcesses();
    await schema.look();
    const found = differences();
    if (told !== found.join()) {
      told = found.join();
      for (const difference of found) tell(difference, log);
    }
  }

  await note();
  let noting: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // An outage is logged where it is felt.
    noting = note().catch(() => undefined);
  }, NOTE_MS).unref();
  return {
    running,
    differences,
    ...schema,
    isReporter: () => isFirst(own, running()),
    // Without a list of the last seconds nothing is known; then an outage is told elsewhere.
    async isWorkLeft() {
      const listed = running();
      if (listed.length === 0 || hasWorker([own, ...listed])) return false;
      return isWorkReady(store, { now: now(), left: null }).catch(() => false);
    },
    async close() {
      clearInterval(timer);
      await noting;
      // The others see soon that it is silent.
      await store.noteStopped({ processId: own.processId }).catch(() => undefined);
    },
  };
}

/** Tells once that a newer version has migrated the database. */
function watchSchema({ store, log }: Pick<RegistrationDeps, "store" | "log">) {
  const { promise: unusable, resolve } = Promise.withResolvers<void>();
  let fault: string | null = null;
  let toldAt = 0;
  return {
    unusable,
    fault: () => fault,
    isOlder: () => toldAt > 0,
    async look() {
      const { known, newest, oldest } = await store.readSchema();
      if (newest <= Math.max(known, toldAt)) return;
      toldAt = newest;
      const isUsable = oldest <= known;
      const versions = `A newer version of the service has brought the database to schema version ${newest}; this one knows ${known}.`;
      const message = `${versions} ${isUsable ? "It goes on. Replace it soon." : "It stops working. Start the newer version."}`;
      log[isUsable ? "warn" : "error"]("database_is_newer", { newest, oldest, known, message });
      if (isUsable) return;
      fault = message;
      resolve();
    },
  };
}

const remedies: Readonly<Record<ProcessDifference, string>> = {
  version: "They have different versions. During an upgrade that is expected.",
  embedding_models:
    "They can embed with different models. Jobs are left to those that can; questions are refused by the others. Give all the same KCS_EMBEDDING_… settings.",
  extraction:
    "Only some read documents with a language model or a local reader, and jobs for that are left to them. Give all the same KCS_LLM_… and KCS_EXTRACTION_… settings.",
  text_limit:
    "They accept texts of different lengths, so that one refuses a document, or fails a file, that another takes. Give all the same KCS_MAX_TEXT_BYTES.",
  secret:
    "They sign sessions with different secrets, so that a session of one does not hold at another. Set the same KCS_SECRET for all of them, or for none.",
};

function tell(difference: ProcessDifference, log: Log): void {
  log.warn("processes_differ", {
    difference,
    message: `The processes of this database differ. ${remedies[difference]}`,
  });
}

export type FindLeftWork = () => Promise<LeftToOthers | null>;

/** Of a process that is alone. */
export const nothingLeft: FindLeftWork = async () => null;

/** What is left to other processes at present, read at most every few seconds. Processes that have ended within an hour count. */
export function createLeftWork(deps: {
  readonly store: Pick<ProcessStore, "listProcesses">;
  readonly own: Abilities & Pick<ServiceProcess, "processId">;
  readonly now: () => number;
}): FindLeftWork {
  const { store, own, now } = deps;
  let listedAt = Number.NEGATIVE_INFINITY;
  let left: Promise<LeftToOthers | null> = Promise.resolve(null);
  return () => {
    if (now() - listedAt >= LIST_MS || now() < listedAt) {
      listedAt = now();
      left = store.listProcesses().then((listed) =>
        findLeft(
          own,
          // A process that only serves the API would never do it.
          listed.filter((other) => other.processId !== own.processId && hasWorker([other])),
        ),
      );
      left.catch(() => {
        listedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return left;
  };
}
