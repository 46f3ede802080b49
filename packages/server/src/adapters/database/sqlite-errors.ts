import { StoreUnavailableError } from "../../ports/store.ts";
import { DatabaseStartError } from "./start-error.ts";

const codes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** Whether SQLite says that a file is no database, or one that is damaged. */
export function isDamage(error: unknown): boolean {
  const code = primaryCode(error);
  return code === codes.corrupt || code === codes.notADatabase;
}

/** The same for a database that cannot be opened, with the file that it is about. */
export function translateOpenError(error: unknown, path: string): unknown {
  if (isDamage(error)) {
    const reason = error instanceof Error ? error.message : "";
    return new DatabaseStartError(
      `${path} is damaged or no database of this service (${reason}). Put a backup in its place, or move it away to begin with an empty one.`,
      error,
    );
  }
  const translated = translateSqliteError(error);
  return translated instanceof StoreUnavailableError
    ? new DatabaseStartError(`${path} cannot be opened: ${translated.message}`, error)
    : translated;
}

/** The low byte; the rest says more about the same thing. null for what is no error of SQLite. */
function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return null;
  return error.errcode & 0xff;
}

/**
 * Translates what SQLite says about the disk into what an operator can do; anything else (a fault in a
 * statement, say) comes back as it is. In each case the transaction was rolled back.
 */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  switch (primaryCode(error)) {
    case codes.full:
      return new StoreUnavailableError(
        "disk_full",
        "The disk that holds the data directory is full. Free some space; nothing that was accepted is lost, and work goes on by itself.",
        error,
      );
    case codes.readOnly:
    case codes.cannotOpen:
      return new StoreUnavailableError(
        "read_only",
        "The data directory cannot be written. Give the service's user write access to it and its files; nothing that was accepted is lost.",
        error,
      );
    case codes.busy:
      return new StoreUnavailableError(
        "io_error",
        "Another process holds the database file. End it (a backup or a database shell); nothing that was accepted is lost.",
        error,
      );
    case codes.ioError:
    case codes.corrupt:
    case codes.notADatabase:
      return new StoreUnavailableError(
        "io_error",
        `The database file could not be read or written (${error.message}). Check the disk and restart the service; what was accepted before is on disk.`,
        error,
      );
    default:
      return error;
  }
}
