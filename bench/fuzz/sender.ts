/** Random requests in a fixed order, sent over several connections, and what came back. */
import fc from "fast-check";
import {
  assertDescribed,
  type Case,
  casesOf,
  type Known,
  operations,
  STREAMS,
  UNKNOWN_KEY,
} from "../../packages/server/test/fuzz/requests.ts";
import { type Client, createClient, type Reply } from "../../packages/server/test/support/http-client.ts";
import { createRandom } from "../soak/random.ts";
import type { Tally } from "../soak/tally.ts";

export interface FuzzRequest {
  readonly operation: (typeof operations)[number];
  readonly sent: Case;
}

/** How often each status came, by the operation's id. */
export type Statuses = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Sender {
  /** Resolves when all are answered. */
  send(requests: readonly FuzzRequest[]): Promise<void>;
  /** Milliseconds of each answered request so far. */
  readonly timesMs: readonly number[];
  statuses(): Statuses;
  /** Of all operations together. */
  totals(): Readonly<Record<string, number>>;
  close(): void;
}

const CONNECTIONS = 8;

/** As many for each operation, in random order; the same for the same seed and ids. */
export function makeRequests(options: {
  readonly count: number;
  readonly seed: number;
  readonly known: Known;
}): readonly FuzzRequest[] {
  const { count, seed, known } = options;
  const chosen = operations.filter(({ operation }) => !STREAMS.includes(operation.operationId));
  const numRuns = Math.ceil(count / chosen.length);
  const requests = chosen.flatMap((one, at) => {
    const cases = fc.sample(casesOf(one.path, one.operation, known), { seed: seed + at, numRuns });
    return cases.map((sent) => ({ operation: one, sent }));
  });
  const random = createRandom(seed);
  const placed = requests.map((request) => ({ request, place: random.fraction() }));
  return placed
    .sort((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ request }) => request);
}

export function createSender(
  service: { readonly baseUrl: string; readonly owner: Client },
  tally: Tally,
): Sender {
  const unknown = createClient(service.baseUrl, UNKNOWN_KEY);
  const nobody = createClient(service.baseUrl, "");
  // Sign-up is closed by default, so that no second account exists.
  const clients: Readonly<Record<Case["key"], Client>> = {
    owner: service.owner,
    stranger: unknown,
    unknown,
    none: nobody,
  };
  const statuses = new Map<string, Map<string, number>>();
  const timesMs: number[] = [];

  function record({ operation }: FuzzRequest, status: string): void {
    const { operationId } = operation.operation;
    const counts = statuses.get(operationId) ?? new Map<string, number>();
    statuses.set(operationId, counts.set(status, (counts.get(status) ?? 0) + 1));
  }

  async function sendOne(request: FuzzRequest): Promise<void> {
    const { operation, sent } = request;
    const { raw, headers } = sent;
    const began = performance.now();
    let reply: Reply;
    try {
      reply = await clients[sent.key].root(operation.method, sent.path, {
        headers,
        ...(raw !== undefined && { raw }),
      });
    } catch (error) {
      record(request, "no answer");
      tally.violate("dropped", `${operation.method} ${JSON.stringify(sent).slice(0, 600)} → ${error}`);
      return;
    }
    timesMs.push(performance.now() - began);
    record(request, String(reply.status));
    try {
      assertDescribed(operation.operation, reply, sent);
    } catch (error) {
      tally.violate(reply.status >= 500 ? "500 or above" : "undescribed", `${operation.method} ${error}`);
    }
  }

  return {
    timesMs,
    async send(requests) {
      let next = 0;
      const connection = async () => {
        for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
          await sendOne(request);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    },
    statuses: () =>
      Object.fromEntries(
        [...statuses].sort().map(([name, counts]) => [name, Object.fromEntries([...counts].sort())]),
      ),
    totals() {
      const totals: Record<string, number> = {};
      for (const [status, count] of [...statuses.values()].flatMap((counts) => [...counts])) {
        totals[status] = (totals[status] ?? 0) + count;
      }
      return totals;
    },
    close() {
      for (const client of [unknown, nobody]) client.close();
    },
  };
}
