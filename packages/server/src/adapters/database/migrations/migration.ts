import type { RawBuilder } from "kysely";

/** What a column type is called in the database at hand. */
export interface ColumnTypes {
  /** Compared by code point on both databases, whatever the locale of the server. */
  readonly text: RawBuilder<unknown>;
  /** 64 bits. */
  readonly integer: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** What stands behind a table's closing parenthesis. */
  readonly end: RawBuilder<unknown>;
}

/** One step forward; never changed once released, there is no way back. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly RawBuilder<unknown>[];
}
