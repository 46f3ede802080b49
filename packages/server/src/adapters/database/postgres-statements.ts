/**
 * Lets PostgreSQL keep the statements that a connection sends again. The server then parses each of them once. After five uses it keeps the plan, too, unless
 * it expects plans for the single values to be cheaper. Parsing and planning were half of a question's time in the server (`docs/decisions/0046-prepared-statements.md`).
 */
import { Client, type ClientBase } from "pg";

/** Of a connection. The server holds the plan of each. */
const MAX_KEPT = 100;
/** Statements that a pool remembers. When there are more, the one that was not used for longest is forgotten. */
const MAX_KNOWN = 500;
/** Characters of a statement that is kept. */
const MAX_CHARACTERS = 16_384;

/** Of a pool: gives a statement the name under which each of its connections keeps it. */
export type NameStatement = (text: string) => string | null;

/** The result of a statement with a star changes with the table, and the server then refuses the plan that it has kept. */
const isStable = (text: string) =>
  /^\s*(?:select|with)\s/.test(text) && !text.replaceAll("(*)", "").includes("*");

/** A statement has a name from its second use on. */
export function createStatementNames(): NameStatement {
  const names = new Map<string, string | null>();
  let count = 0;
  return (text) => {
    if (text.length > MAX_CHARACTERS || !isStable(text)) return null;
    const known = names.get(text);
    const name = known === null ? `kcs${count++}` : (known ?? null);
    names.delete(text); // The newest is the last.
    names.set(text, name);
    const [oldest] = names.keys();
    if (names.size > MAX_KNOWN && oldest !== undefined) names.delete(oldest);
    return name;
  };
}

/** From now on, statements with parameters are kept by the server of this connection. */
export function keepStatements(client: ClientBase, nameOf: NameStatement): void {
  const kept = new Set<string>();
  const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
  const sent = (...given: readonly unknown[]) => {
    const [text, values, ...rest] = given;
    if (typeof text !== "string" || !Array.isArray(values) || values.length === 0) return query(...given);
    const name = nameOf(text);
    if (name === null || (kept.size === MAX_KEPT && !kept.has(name))) return query(...given);
    kept.add(name);
    return query({ name, text, values }, ...rest);
  };
  client.query = sent as typeof client.query; // The same function, of all its forms.
}

/**
 * Whether a connection is one with the server itself, by the number of the process that answers. A pooler gives another one at the login, and
 * each transaction to another session, where what is kept is missing.
 */
export function isDirect(client: ClientBase, processId: unknown): boolean {
  return client instanceof Client && "processID" in client && client.processID === processId;
}
