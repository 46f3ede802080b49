/** What this process knows of the others on its database. */
import {
  type Abilities,
  findDifferences,
  findLeft,
  GONE_MS,
  isRunning,
  type LeftToOthers,
  type ListedProcess,
  type ProcessDifference,
  type ServiceProcess,
  SILENT_MS,
} from "../domain/service-process.ts";
import type { Log } from "../ports/log.ts";
import type { ProcessStore } from "../ports/process-store.ts";

const NOTE_MS = 10_000;
const LIST_MS = 5_000;

export interface ProcessRegistration {
  /** The processes that run, this one included. */
  running(): readonly ListedProcess[];
  /** In what they differ. */
  differences(): readonly ProcessDifference[];
  close(): Promise<void>;
}

interface RegistrationDeps {
  readonly store: ProcessStore;
  readonly own: ServiceProcess;
  readonly now: () => number;
  readonly log: Log;
}

/** Notes that this process runs, now and every few seconds, and looks who else does. Tells in the log when differences begin. */
export async function registerProcess(deps: RegistrationDeps): Promise<ProcessRegistration> {
  const { store, own, now, log } = deps;
  let listed: readonly ListedProcess[] = [];
  let told = "";
  const running = () => listed.filter((process) => isRunning(process, now()));
  const differences = () => findDifferences(running());

  async function note(): Promise<void> {
    const at = now();
    await store.noteProcess({ process: own, now: at, silentSince: at - SILENT_MS, goneSince: at - GONE_MS });
    listed = await store.listProcesses();
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
    async close() {
      clearInterval(timer);
      await noting;
      // The others see soon that it is silent.
      await store.noteStopped({ processId: own.processId }).catch(() => undefined);
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
          listed.filter(({ processId }) => processId !== own.processId),
        ),
      );
      left.catch(() => {
        listedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return left;
  };
}
