import { StoreUnavailableError } from "../../ports/store.ts";

const codes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/**
 * Translates what SQLite says about the disk into what an operator can do; anything else (a fault in a
 * statement, say) comes back as it is. In each case the transaction was rolled back.
 */
export function translateSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  // The low byte is the primary code; the rest says more about the same thing.
  switch (error.errcode & 0xff) {
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
