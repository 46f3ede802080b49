import { destination, pino } from "pino";
import type { LogLevel } from "./config.ts";
import type { Log, LogFields } from "./ports/log.ts";

/** Structured logs, one JSON object per line, on standard error; standard output is for the key and the link of the first start. */
export function createLog(level: LogLevel, bindings: LogFields = {}): Log {
  const logger = pino(
    {
      level,
      base: { ...bindings },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    openOutput(),
  );
  const write =
    (method: LogLevel) =>
    (event: string, fields: LogFields = {}) =>
      logger[method](describe(fields), event);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Of lines that could not be written yet, in UTF-16 code units; further ones are dropped. */
const MAX_WAITING = 1_048_576;

/** A full disk, or a reader of the log that has gone, loses lines of the log, and ends nothing. */
function openOutput(): ReturnType<typeof destination> {
  const output = destination({ dest: 2, sync: true, maxLength: MAX_WAITING });
  output.on("error", () => undefined);
  return output;
}

/** Replaces errors among the fields by plain data, causes included. */
function describe(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? describeError(value, 0) : value,
    ]),
  );
}

const MAX_CAUSES = 5;

function describeError(error: Error, depth: number): Record<string, unknown> {
  const cause =
    error.cause instanceof Error && depth < MAX_CAUSES
      ? { cause: describeError(error.cause, depth + 1) }
      : {};
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}
