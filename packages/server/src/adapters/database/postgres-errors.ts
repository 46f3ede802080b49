import { StoreUnavailableError } from "../../ports/store.ts";
import { RESUMES } from "./outage-text.ts";

/** Node's error codes for network failures. */
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "EPIPE",
]);
/** SQLSTATEs of a server that ends or refuses sessions. */
const sessionStates = new Set(["57P01", "57P02", "57P03", "57P05", "25P03"]);
/** Messages of node-postgres errors that have no code. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Query read timeout)/;

/** True for a serialization failure or a deadlock: the transaction can be retried. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** True when the server, or the user, already has as many connections as it may. */
export function isWithoutConnections(error: unknown): boolean {
  return codeOf(error) === "53300";
}

/** True when the schema is older than the statement: a table or a column is missing. */
export function isOutdatedSchema(error: unknown): boolean {
  const code = codeOf(error);
  return code === "42P01" || code === "42703";
}

/**
 * True when the server rejects the user or its permissions, or has no such database, and of any other error that ends a session or refuses one: the
 * database may allow no connections (55000).
 */
function isRefusal(error: Error, code: string): boolean {
  const isEnd = "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");
  return isEnd || code.startsWith("28") || code === "3D000" || code === "42501";
}

/**
 * Translates errors about the PostgreSQL server, its disk and the network. Returns other errors unchanged.
 */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailableError) return error;
  const code = codeOf(error) ?? "";
  // A row or table lock was not available within lock_timeout, or others waited for this one's.
  if (code === "55P03" || isConflict(error)) {
    return new StoreUnavailableError(
      "busy",
      "What this needs is locked by another change (for example a deletion, a large batch or another program). Try again in a few seconds.",
      error,
    );
  }
  if (code === "57014") {
    return new StoreUnavailableError(
      "connection_lost",
      `The PostgreSQL server ended a statement (${error.message}). Try again. If it happens often, see the server's log for slow statements.`,
      error,
    );
  }
  if (code === "53100") {
    return new StoreUnavailableError(
      "disk_full",
      `The disk of the PostgreSQL server is full. Free some space there; ${RESUMES}`,
      error,
    );
  }
  if (code === "25006") {
    return new StoreUnavailableError(
      "read_only",
      "The PostgreSQL server accepts no writes (a standby, or a read-only setting). Point the service at the primary; nothing that was accepted is lost.",
      error,
    );
  }
  if (isWithoutConnections(error)) {
    return new StoreUnavailableError(
      "busy",
      "The PostgreSQL server has no connection left for this process. Try again in a few seconds. If it happens often, lower KCS_DATABASE_CONNECTIONS or raise the server's max_connections.",
      error,
    );
  }
  if (/^(?:53|58|XX)/.test(code)) {
    return new StoreUnavailableError(
      "io_error",
      `The PostgreSQL server could not do its work (${error.message}). See the server's log; nothing that was accepted is lost.`,
      error,
    );
  }
  const lost = networkCodes.has(code) || sessionStates.has(code) || code.startsWith("08");
  if (lost || (code === "" && connectionMessages.test(error.message))) {
    return new StoreUnavailableError(
      "connection_lost",
      // Network errors, and those of a Citus cluster about its nodes, name hosts and ports, and callers read this text. The log has them.
      `The PostgreSQL server did not answer (${networkCodes.has(code) || code.startsWith("08") ? code : error.message}). Check that it runs and can be reached; ${RESUMES}`,
      error,
    );
  }
  return isRefusal(error, code) ? refusal(error) : error;
}

/** Whatever fails while a connection is made says that the server cannot be used: its TLS, a way to log in that the service does not know. */
export function translateConnectError(error: unknown): unknown {
  const translated = translatePostgresError(error);
  // Those that are known are translated for the caller, who may know better.
  return translated === error && error instanceof Error ? refusal(error) : error;
}

function refusal(error: Error): StoreUnavailableError {
  const code = codeOf(error);
  return new StoreUnavailableError(
    "refused",
    // What the server says names the user and the database.
    `The PostgreSQL server refuses the service${code === null ? "" : ` (${code})`}. Check that the database allows connections, its TLS, the user, its password and permissions, and the database in DATABASE_URL, and start the service again where that was changed; nothing that was accepted is lost.`,
    error,
  );
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && typeof error.code === "string") return error.code;
  // A connection to a host with several addresses fails with one error per address.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return null;
}
