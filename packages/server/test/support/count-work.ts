/** Counts what an operation of the store reads and writes, so that growth is tested without a clock. */
import type { Kysely, KyselyPlugin } from "kysely";
import type { openStore } from "../../src/adapters/database/open-store.ts";
import type { Database } from "../../src/adapters/database/schema.ts";

export interface Work {
  statements: number;
  /** Rows and entries of lists that were read, and rows that were written. */
  rows: number;
}

function countWork(work: Work): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      work.statements += 1;
      return node;
    },
    transformResult: async ({ result }) => {
      work.rows += Number(result.numAffectedRows ?? 0);
      for (const value of result.rows.flatMap((row) => Object.values(row as object))) {
        work.rows += String(value).split(",").length;
      }
      return result;
    },
  };
}

/** The store's own connection to its database; what runs on it is added to `work`. */
export function counting(opened: Awaited<ReturnType<typeof openStore>>, work: Work): Database {
  return (opened.authDatabase().db as Kysely<unknown>).withPlugin(countWork(work)) as Database;
}
