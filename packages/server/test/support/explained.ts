/** What the store's operations send to a Citus cluster, and how many shards each statement touches. */
import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import type { Store } from "../../src/ports/store.ts";

interface Sent {
  readonly operation: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Recorder {
  /** Names the operation for what it sends. */
  wrap(store: Store): Store;
  readonly sent: ReadonlyMap<string, Sent>;
}

/** Records one statement of each form for each operation, of all connections of this process from now on. */
export function recordStatements(): Recorder {
  const operation = new AsyncLocalStorage<string>();
  const sent = new Map<string, Sent>();
  const { query } = pg.Client.prototype;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const isConfig = typeof first === "object" && first !== null && "text" in first;
    const text = String(isConfig ? first.text : first);
    const values = isConfig && "values" in first ? first.values : second;
    const name = operation.getStore();
    if (name !== undefined && /^\s*(?:select|insert|update|delete|with)\b/i.test(text)) {
      const form = formOf(text);
      if (!sent.has(`${name} ${form}`))
        sent.set(`${name} ${form}`, {
          operation: name,
          text,
          values: Array.isArray(values) ? [...values] : [],
        });
    }
    return Reflect.apply(query, this, args);
  };
  pg.Client.prototype.query = recording as typeof query; // With the same overloads.
  return {
    sent,
    wrap: (store) =>
      new Proxy(store, {
        get: (target, name: string) => {
          const method = Reflect.get(target, name);
          return typeof method === "function"
            ? (...args: unknown[]) => operation.run(name, () => Reflect.apply(method, target, args))
            : method;
        },
      }),
  };
}

/** Lists of one and of two values, and of any number of more, are three forms: PostgreSQL turns a list of one into a comparison, and a row of two alone is one key. */
function formOf(text: string): string {
  return text
    .replace(/\$\d+/g, "?")
    .replace(/(\(?(?:cast\(\? as \w+\)|\?)\)?(?:, )?)+/g, (list) =>
      "?".repeat(Math.min(3, list.split("?").length - 1)),
    );
}

/** Those of the statements that touch more than one shard, or cannot be planned, by operation, with the reason. */
export async function findScattered(
  url: string,
  statements: Iterable<Sent>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found = new Map<string, string[]>();
  try {
    for (const { operation, text, values } of statements) {
      const reason = await explain(client, text, values);
      if (reason !== null) found.set(operation, [...(found.get(operation) ?? []), `${reason}: ${text}`]);
    }
  } finally {
    await client.end();
  }
  return found;
}

/** null: it touches one shard at most. */
async function explain(client: pg.Client, text: string, values: readonly unknown[]): Promise<string | null> {
  try {
    // Citus plans an insertion of what a query finds only with its values.
    const whole = text.replace(/\$(\d+)/g, (_, at) => literalOf(client, values[Number(at) - 1]));
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${whole}`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    const counts = plan.matchAll(/Task Count: (\d+)/g).map(([, count]) => Number(count));
    const most = Math.max(0, ...counts);
    return most > 1 ? `${most} shards` : null;
  } catch (error) {
    return String(error);
  }
}

function literalOf(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'::bytea`;
  return typeof value === "number" ? String(value) : client.escapeLiteral(String(value));
}
