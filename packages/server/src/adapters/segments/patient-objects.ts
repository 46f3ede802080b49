/** Calls of the segment store with deadlines and tries, whose failures say that the service is not available. */
import { setTimeout as delay } from "node:timers/promises";
import type { ObjectStore } from "../../ports/segment-objects.ts";
import { StoreUnavailableError } from "../../ports/store.ts";
import { StoreFault } from "./store-fault.ts";

/** Each method fails with a StoreUnavailableError, and with nothing else. */
export interface PatientObjects {
  /** null where there is none. `byteLength` is what is expected; of more, a part is read. */
  read(key: string, byteLength: number): Promise<Uint8Array | null>;
  write(key: string, bytes: Uint8Array, hash: string): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface ObjectTimes {
  /** Of one try, without its bytes. */
  readonly tryMs: number;
  /** For each MiB: 8 Mbit/s. */
  readonly mibMs: number;
  /** Before the second try, and twice as long before the third. */
  readonly pauseMs: number;
  /** After a call that has failed, those for the same object fail at once, for so long; or all, where the store is out of reach. */
  readonly restMs: number;
}

/** The object that each segment store has: see `store-identity.ts`. */
export const MARKER = "kcs-segment-store";
export const MARKER_BYTES = 256;

const USUAL_TIMES: ObjectTimes = { tryMs: 4_000, mibMs: 1_000, pauseMs: 200, restMs: 2_000 };
const MAX_TRIES = 3;
const MAX_REMEMBERED = 1_000;
const MIB = 1024 * 1024;
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

interface Failure {
  readonly error: StoreUnavailableError;
  readonly at: number;
}

/**
 * One object that cannot be used says nothing about the others: what is asked for it belongs to one project. The store itself is out of reach
 * where its marker cannot be read either.
 */
export function createPatientObjects(objects: ObjectStore, times: ObjectTimes = USUAL_TIMES): PatientObjects {
  let outage: Failure | null = null;
  let looking: Promise<boolean> | null = null;
  const isRecent = ({ at }: Failure) => performance.now() - at < times.restMs;

  /** Calls that fail meanwhile wait for the same look. */
  function hasMarker(): Promise<boolean> {
    const read = (signal: AbortSignal) => objects.get(MARKER, { maxBytes: MARKER_BYTES, signal });
    looking ??= tried(read, { times, limitMs: times.tryMs })
      .then(
        (bytes) => bytes !== null,
        () => false,
      )
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  /** Calls of one kind. */
  function createCall(doing: string) {
    /** By key, oldest first. */
    const failures = new Map<string, Failure>();

    function remember(key: string, error: unknown, isStoreThere: boolean): StoreUnavailableError {
      const failure = {
        error: isStoreThere ? unusable(error, { key, doing }) : unavailable(error),
        at: performance.now(),
      };
      if (isStoreThere) {
        const [oldest] = failures.keys();
        if (oldest !== undefined && failures.size >= MAX_REMEMBERED) failures.delete(oldest);
        failures.set(key, failure);
      } else outage = failure;
      return failure.error;
    }

    return async <T>(
      key: string,
      byteLength: number,
      run: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> => {
      const known = [outage, failures.get(key)].find((failure) => failure != null && isRecent(failure));
      if (known != null) throw known.error;
      failures.delete(key);
      /** Looked for from the first try that fails on, so that it is known soon after the last. */
      let isStoreThere: boolean | Promise<boolean> | null = null;
      try {
        const result = await tried(run, {
          times,
          limitMs: times.tryMs + (byteLength / MIB) * times.mibMs,
          onFault() {
            isStoreThere ??= key !== MARKER && hasMarker();
          },
        });
        outage = null;
        return result;
      } catch (error) {
        throw remember(key, error, (await isStoreThere) === true);
      }
    };
  }
  const calls = { read: createCall("read"), write: createCall("written"), remove: createCall("removed") };
  return {
    read: (key, byteLength) =>
      calls.read(key, byteLength, (signal) => objects.get(key, { maxBytes: byteLength, signal })),
    write: (key, bytes, hash) =>
      calls.write(key, bytes.byteLength, (signal) => objects.put(key, bytes, { hash, signal })),
    remove: (key) => calls.remove(key, 0, (signal) => objects.remove(key, { signal })),
  };
}

async function tried<T>(
  run: (signal: AbortSignal) => Promise<T>,
  options: { readonly times: ObjectTimes; readonly limitMs: number; readonly onFault?: () => void },
): Promise<T> {
  const { times, limitMs, onFault } = options;
  for (let tries = 1; ; tries++) {
    try {
      return await within(limitMs, run);
    } catch (error) {
      onFault?.();
      if (tries === MAX_TRIES || isLasting(error)) throw error;
    }
    await delay(times.pauseMs * tries * (0.5 + Math.random() / 2));
  }
}

/** A file system that does not answer cannot be told to end: then its call is left behind. */
async function within<T>(limitMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new StoreFault(`no answer within ${Math.ceil(limitMs / 1_000)} seconds`, false);
    late.reject(error);
    ending.abort(error);
  }, limitMs);
  const running = run(ending.signal);
  running.catch(() => undefined); // It may fail after its time.
  try {
    return await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function isLasting(error: unknown): boolean {
  return (error instanceof StoreFault && error.isLasting) || FULL.has(codeOf(error) ?? "");
}

function unavailable(error: unknown): StoreUnavailableError {
  return (
    diskFull(error) ??
    new StoreUnavailableError(
      "segment_store",
      `The segment store (KCS_SEGMENT_STORE) cannot be used: ${detailOf(error)}. Check that it can be reached, written and read; ${RESUMES}`,
      rootOf(error),
    )
  );
}

/** The key begins with the project's id, whose callers may read it. */
function unusable(
  error: unknown,
  { key, doing }: { readonly key: string; readonly doing: string },
): StoreUnavailableError {
  return (
    diskFull(error) ??
    new StoreUnavailableError(
      "segment_object",
      `The object ${key} of the segment store (KCS_SEGMENT_STORE) cannot be ${doing}: ${detailOf(error)}. The store itself can be read. Check this object's permissions and that its bytes are at hand; ${RESUMES}`,
      rootOf(error),
    )
  );
}

function diskFull(error: unknown): StoreUnavailableError | null {
  if (!FULL.has(codeOf(error) ?? "")) return null;
  return new StoreUnavailableError(
    "disk_full",
    `The disk of the segment store (KCS_SEGMENT_STORE) is full. Free some space there; ${RESUMES}`,
    rootOf(error),
  );
}

/** Other errors name hosts and paths, and callers read this text. The log has them. */
function detailOf(error: unknown): string {
  return error instanceof StoreFault ? error.message : (codeOf(error) ?? "no connection");
}

const RESUMES = "nothing that was accepted is lost, and work resumes automatically.";

/** What `fetch` says itself is always the same. */
function rootOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause !== undefined ? error.cause : error;
}

/** The code of a failure of the network or of a file, which `fetch` has as its cause. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string" && /^[A-Z0-9_]{1,40}$/.test(error.code))
    return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
