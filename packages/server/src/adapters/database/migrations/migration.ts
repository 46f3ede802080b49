import type { RawBuilder } from "kysely";
import type { Database } from "../schema.ts";

/** The names of column types in the current database. */
export interface ColumnTypes {
  /** Compared by code point on both databases, whatever the locale of the server. */
  readonly text: RawBuilder<unknown>;
  /** 64 bits. */
  readonly integer: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** A primary key whose values the database assigns in ascending order. */
  readonly identity: RawBuilder<unknown>;
  /** The text after a table's closing parenthesis. */
  readonly end: RawBuilder<unknown>;
  /**
   * Used instead of `end` for short rows that are read by primary key: stores them in its order if the
   * database supports that.
   */
  readonly clustered: RawBuilder<unknown>;
  /**
   * A column of nodes, and the project that numbers them. SQLite keeps the rows of a project together. PostgreSQL would read all of them, of a project
   * that its statistics do not know yet, if an index could find them by the project alone.
   */
  readonly nodeOf: (column: string) => RawBuilder<unknown>;
}

/** A forward-only step. It must not be changed after its release. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /**
   * Processes that know fewer migrations than this cannot use the database any more; as before where it is omitted. Whatever older processes
   * use is only taken away (contracted) one release after the release that stopped using it.
   */
  readonly oldest?: number;
  readonly statements: (types: ColumnTypes) => readonly RawBuilder<unknown>[];
  /** After the statements: what new columns have for the rows that are there. */
  readonly fill?: (db: Database) => Promise<void>;
}
