import type { RawBuilder } from "kysely";

/** What a column type is called in the database at hand. */
export interface ColumnTypes {
  /** Compared by code point on both databases, whatever the locale of the server. */
  readonly text: RawBuilder<unknown>;
  /** 64 bits. */
  readonly integer: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** A primary key whose values the database gives out, in ascending order. */
  readonly identity: RawBuilder<unknown>;
  /** What stands behind a table's closing parenthesis. */
  readonly end: RawBuilder<unknown>;
  /** Instead of `end`, for short rows that are found by their primary key and lie in its order where the database can do that. */
  readonly clustered: RawBuilder<unknown>;
}

/** One step forward; never changed once released, there is no way back. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly RawBuilder<unknown>[];
}
