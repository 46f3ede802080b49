/** The transaction of a change of an account on SQLite, which is never open between two messages: others would wait for the main thread. */
import { type CompiledQuery, type QueryResult, SelectQueryNode } from "kysely";
import { createTurns } from "../../domain/turns.ts";
import { StoreUnavailableError } from "../../ports/store.ts";
import type { Transact } from "./account-changes.ts";

/** Statements that run in one transaction. */
export interface Trial {
  readonly statements: readonly Statement[];
  /** The rows that each statement must return for the transaction to be kept; null = it is undone. */
  readonly expected: readonly (readonly unknown[])[] | null;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface TrialResult {
  readonly results: readonly QueryResult<unknown>[];
  readonly isKept: boolean;
}

/**
 * Each statement is tried: those that wrote before it run again, and all is undone. At the end all of them run again in one message
 * and are kept, if they return what they did. What another statement changed in between cannot make them mean something else.
 */
export function createSqliteTransact(tryOut: (trial: Trial) => Promise<TrialResult>): Transact {
  // Two changes that overlap could not both be kept. Accounts take turns; those that do not exist yet are one of them.
  const turns = createTurns({ atOnce: 1 });
  return (accountId, run) =>
    turns.run(() => transact(tryOut, run), { accountId: accountId ?? "new", signal: null });
}

async function transact(
  tryOut: (trial: Trial) => Promise<TrialResult>,
  run: Parameters<Transact>[1],
): Promise<void> {
  const written: Statement[] = [];
  const expected: (readonly unknown[])[] = [];
  await run(async (query) => {
    const statement = toStatement(query);
    const { results } = await tryOut({ statements: [...written, statement], expected: null });
    const result = results.at(-1) ?? { rows: [] }; // There is one for each statement.
    if (!SelectQueryNode.is(query.query)) {
      written.push(statement);
      expected.push(result.rows);
    }
    return result;
  });
  const { isKept } = await tryOut({ statements: written, expected });
  if (!isKept) throw overtaken();
}

function toStatement({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters };
}

/** What the thread does for a trial within a transaction. */
export function runTrial(
  { statements, expected }: Trial,
  run: (sql: string, parameters: readonly unknown[]) => QueryResult<unknown>,
): TrialResult {
  const results = statements.map(({ sql, parameters }) => run(sql, parameters));
  // Rows that came in a message have another prototype.
  const isKept = JSON.stringify(results.map(({ rows }) => rows)) === JSON.stringify(expected);
  return { results, isKept };
}

function overtaken(): StoreUnavailableError {
  return new StoreUnavailableError(
    "busy",
    "Another change of the account was made at the same time. Nothing was changed; try again.",
    undefined,
  );
}
