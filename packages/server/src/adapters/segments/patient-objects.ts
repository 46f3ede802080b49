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
  /** After a call that has failed, others of its kind fail at once, for so long. */
  readonly restMs: number;
}

const USUAL_TIMES: ObjectTimes = { tryMs: 4_000, mibMs: 1_000, pauseMs: 200, restMs: 2_000 };
const MAX_TRIES = 3;
const MIB = 1024 * 1024;
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

export function createPatientObjects(objects: ObjectStore, times: ObjectTimes = USUAL_TIMES): PatientObjects {
  /** Calls of one kind, of which a failed one stands for those that follow at once. */
  function createCall() {
    let failure: { readonly error: StoreUnavailableError; readonly at: number } | null = null;
    return async <T>(byteLength: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      if (failure !== null && performance.now() - failure.at < times.restMs) throw failure.error;
      const limitMs = times.tryMs + (byteLength / MIB) * times.mibMs;
      for (let tries = 1; ; tries++) {
        try {
          const result = await within(limitMs, run);
          failure = null;
          return result;
        } catch (error) {
          if (tries === MAX_TRIES || isLasting(error)) {
            failure = { error: unavailable(error), at: performance.now() };
            throw failure.error;
          }
        }
        await delay(times.pauseMs * tries * (0.5 + Math.random() / 2));
      }
    };
  }
  const calls = { read: createCall(), write: createCall(), remove: createCall() };
  return {
    read: (key, byteLength) =>
      calls.read(byteLength, (signal) => objects.get(key, { maxBytes: byteLength, signal })),
    write: (key, bytes, hash) =>
      calls.write(bytes.byteLength, (signal) => objects.put(key, bytes, { hash, signal })),
    remove: (key) => calls.remove(0, (signal) => objects.remove(key, { signal })),
  };
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
  const code = codeOf(error);
  if (code !== null && FULL.has(code)) {
    return new StoreUnavailableError(
      "disk_full",
      `The disk of the segment store (KCS_SEGMENT_STORE) is full. Free some space there; ${RESUMES}`,
      rootOf(error),
    );
  }
  // Other errors name hosts and paths, and callers read this text. The log has them.
  const detail = error instanceof StoreFault ? error.message : (code ?? "no connection");
  return new StoreUnavailableError(
    "segment_store",
    `The segment store (KCS_SEGMENT_STORE) cannot be used: ${detail}. Check that it can be reached, written and read; ${RESUMES}`,
    rootOf(error),
  );
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
