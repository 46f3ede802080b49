/** Counts what operations of the store on SQLite walk and read, whatever they return, so that growth is tested without a clock. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { Kysely } from "kysely";
import { type OperationName, operations } from "../../src/adapters/database/operations/registry.ts";
import type { Database, Schema } from "../../src/adapters/database/schema.ts";
import { createSqliteDialect, createStatementRunner } from "../../src/adapters/database/sqlite-dialect.ts";
import type { Store } from "../../src/ports/store.ts";

export interface CountedCall {
  readonly name: string;
  readonly rows: number;
  /** Of all texts in the rows of its statements. */
  readonly characters: number;
}

const tables = [
  "documents",
  "entities",
  "relationship_places",
  "proposal_places",
  "relationship_types",
  "entity_places",
];

/** A view in front of each table calls a function for each row that a statement visits, also where an index has all of it. */
export function countCalls(context: TestContext, dataDir: string, calls: CountedCall[]): Store {
  const connection = new DatabaseSync(join(dataDir, "knowledge.sqlite"));
  context.after(() => connection.close());
  let rows = 0;
  connection.function("visit", () => {
    rows += 1;
    return 1;
  });
  for (const table of tables) {
    connection.exec(`create temp view ${table} as select * from main.${table} where visit() = 1`);
  }
  const runStatement = createStatementRunner(connection);
  let characters = 0;
  const db: Database = new Kysely<Schema>({
    dialect: createSqliteDialect(async ({ sql: text, parameters }) => {
      const result = runStatement(text, parameters);
      for (const row of result.rows as readonly object[])
        for (const value of Object.values(row)) if (typeof value === "string") characters += value.length;
      return result;
    }),
  });
  const run = async (name: OperationName, input: unknown) => {
    rows = 0;
    characters = 0;
    const result = await operations[name].run(db, input);
    calls.push({ name, rows, characters });
    return result;
  };
  // Each method of a store is the operation of that name.
  return new Proxy({}, { get: (_, name) => (input: unknown) => run(name as OperationName, input) }) as Store;
}
