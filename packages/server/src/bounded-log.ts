/** Keeps repeated warnings and errors from filling the log: the first of each kind are written, the others counted. */
import { findFailedCall } from "./outage-log.ts";
import type { BoundedLog, Log, LogFields } from "./ports/log.ts";

const WRITTEN = 10;
const INTERVAL_MS = 60_000;
/** Kinds that are told apart in an interval. All others are one kind. */
const MAX_KINDS = 100;
const MAX_CAUSES = 5;
const MAX_KIND_LENGTH = 1_000;

/** Of the fields that identify a kind, those that the line with the count repeats. */
interface Kind {
  readonly level: "warn" | "error";
  readonly event: string;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly message?: string;
}

interface Repeats {
  readonly kind: Kind;
  written: number;
  omitted: number;
}

/**
 * Entries of one kind have the same level, event, status, code and reason, and equal errors. In each interval the first ten of a kind
 * are written, and at its end one line with the number of the others: `repeats_omitted`.
 */
export function createBoundedLog(log: Log): BoundedLog & { /** Writes the counts so far. */ flush(): void } {
  const kinds = new Map<string, Repeats>();
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const ended = [...kinds.values()];
    kinds.clear();
    for (const { kind, omitted } of ended) {
      const { level, event, ...fields } = kind;
      if (omitted > 0) log[level]("repeats_omitted", { repeated: event, omitted, ...fields });
    }
  }

  function repeatsOf(kind: Kind, error: unknown): Repeats {
    const key = JSON.stringify([kind, describe(error)]).slice(0, MAX_KIND_LENGTH);
    const known = kinds.get(key);
    if (known !== undefined) return known;
    const isFull = kinds.size >= MAX_KINDS;
    const others: Kind = { level: kind.level, event: "other" };
    const place = isFull ? others.level : key;
    const repeats = kinds.get(place) ?? { kind: isFull ? others : kind, written: 0, omitted: 0 };
    kinds.set(place, repeats);
    return repeats;
  }

  function write(level: "warn" | "error", event: string, fields: LogFields = {}): boolean {
    if (findFailedCall(event, fields) !== null) {
      log[level](event, fields); // The log below writes one line for an outage.
      return true;
    }
    timer ??= setTimeout(flush, INTERVAL_MS).unref();
    const repeats = repeatsOf(kindOf(level, event, fields), fields["error"]);
    if (repeats.written >= WRITTEN) {
      repeats.omitted += 1;
      return false;
    }
    repeats.written += 1;
    log[level](event, fields);
    return true;
  }

  return {
    debug: log.debug,
    info: log.info,
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
    flush,
  };
}

function kindOf(level: Kind["level"], event: string, fields: LogFields): Kind {
  const { status, code, reason, error } = fields;
  return {
    level,
    event,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
    ...(error instanceof Error && { message: error.message }),
  };
}

/** Names and messages of an error and its causes. */
function describe(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth >= MAX_CAUSES) return [];
  return [error.name, error.message, ...describe(error.cause, depth + 1)];
}
