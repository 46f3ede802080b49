/** An outage of the database writes one line when it begins and one when it is over, however many calls it fails and wherever. */
import type { Log, LogFields } from "./ports/log.ts";
import { StoreUnavailableError } from "./ports/store.ts";

/** A call that the database has failed. Plain data, so that other threads can send it. */
export interface FailedCall {
  readonly reason: StoreUnavailableError["reason"];
  readonly message: string;
  /** What the caller would have logged. */
  readonly during: string;
  readonly fields: LogFields;
  /** With hosts and ports, which no caller reads. */
  readonly cause: string | null;
}

interface Outage {
  readonly reason: FailedCall["reason"];
  readonly since: number;
  last: number;
  calls: number;
}

/** Each object of the segment store has an outage of its own, up to so many. */
const MAX_OUTAGES = 100;
/** Without another failed call for so long, an outage is over. */
const QUIET_MS = 60_000;
const MAX_CAUSES = 5;

/** The failed call that an entry of a log is about, if any. */
export function findFailedCall(during: string, given: LogFields = {}): FailedCall | null {
  const { error, ...fields } = given;
  const failed = failureIn(error);
  if (failed === null) return null;
  const { reason, message, cause } = failed;
  return { reason, message, during, fields, cause: cause instanceof Error ? textOf(cause) : null };
}

function failureIn(error: unknown, depth = 0): StoreUnavailableError | null {
  if (error instanceof StoreUnavailableError) return error;
  return error instanceof Error && depth < MAX_CAUSES ? failureIn(error.cause, depth + 1) : null;
}

/** An error of several addresses has no text of its own. */
function textOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
}

/** The log, without the entries about failed calls: those are told. */
export function withoutFailedCalls(log: Log, tell: (call: FailedCall) => void): Log {
  const write =
    (level: "warn" | "error") =>
    (event: string, fields?: LogFields): void => {
      const call = findFailedCall(event, fields);
      if (call === null) log[level](event, fields);
      else tell(call);
    };
  return { debug: log.debug, info: log.info, warn: write("warn"), error: write("error") };
}

export interface OutageLog {
  readonly log: Log;
  /** Of other threads. */
  tell(call: FailedCall): void;
  /** Ends all outages. */
  flush(): void;
}

export function createOutageLog(log: Log, now: () => number = () => performance.now()): OutageLog {
  /** By reason, or by the message that names an object. */
  const outages = new Map<string, Outage>();
  let timer: NodeJS.Timeout | undefined;

  function end(key: string, { reason, since, last, calls }: Outage): void {
    outages.delete(key);
    // That nobody has asked for an object does not say that it can be used.
    if (calls > 1 && reason !== "segment_object")
      log.warn("store_available", { reason, seconds: Math.ceil((last - since) / 1000), failedCalls: calls });
  }

  function check(): void {
    for (const [key, outage] of outages) if (now() - outage.last >= QUIET_MS) end(key, outage);
    if (outages.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function tell({ reason, message, during, fields, cause }: FailedCall): void {
    const isOwn = reason === "segment_object" && (outages.has(message) || outages.size < MAX_OUTAGES);
    const key = isOwn ? message : reason;
    const known = outages.get(key);
    if (known !== undefined) {
      known.last = now();
      known.calls++;
      return;
    }
    outages.set(key, { reason, since: now(), last: now(), calls: 1 });
    timer ??= setInterval(check, QUIET_MS / 4).unref();
    log.error("store_unavailable", { ...fields, during, reason, message, ...(cause !== null && { cause }) });
  }

  return {
    log: withoutFailedCalls(log, tell),
    tell,
    flush() {
      for (const [key, outage] of outages) end(key, outage);
      check();
    },
  };
}
