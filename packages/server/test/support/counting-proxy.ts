/** Between the service and PostgreSQL: counts the times that a client waits for the server, shows its statements, and cuts connections. */
import assert from "node:assert/strict";
import { createServer, connect as dial, type Socket } from "node:net";

export interface Traffic {
  /** Answers of the server that a client waited for: what it sends before it has the answer to what it sent last adds none. */
  readonly roundTrips: number;
  readonly statements: readonly string[];
}

export interface CountingProxy {
  readonly url: string;
  /** What went through while `run` ran. */
  count(run: () => Promise<unknown>): Promise<Traffic>;
  /** Cuts the connection of the statement after `left` others, before the server has it or before the client has its answer. */
  cutAt(left: number, end: Cut): void;
  /** Whether that statement has not come. It is not waited for any more. */
  stopWaiting(): boolean;
  close(): void;
}

export type Cut = "before" | "after";

const [QUERY, PARSE, BIND, SYNC] = ["Q", "P", "B", "S"].map((name) => name.charCodeAt(0));
const READY_FOR_QUERY = "Z".charCodeAt(0);
/** Of a message: its type and its length, which does not include the type. */
const HEAD_BYTES = 5;

export async function startCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  let statements: string[] = [];
  let next: { left: number; readonly end: Cut } | null = null;
  const server = createServer((client) => {
    const upstream = dial(Number(target.port), target.hostname);
    const parsed = new Map<string, string>();
    let unanswered = 0;
    let cut: Cut | null = null;
    const take = (statement: string) => {
      statements.push(statement);
      if (next === null || next.left-- > 0) return;
      cut = next.end;
      next = null;
    };
    const fromClient = createMessageReader(true, (type, body) => {
      if (type === QUERY) take(textAt(body, 0));
      // The name of the statement comes first; one that the server has kept is only bound.
      if (type === PARSE) parsed.set(textAt(body, 0), textAt(body, body.indexOf(0) + 1));
      if (type === BIND) take(parsed.get(textAt(body, body.indexOf(0) + 1)) ?? "");
      if (type !== QUERY && type !== SYNC) return;
      if (unanswered++ === 0) roundTrips++;
    });
    const fromServer = createMessageReader(false, (type) => {
      if (type === READY_FOR_QUERY) unanswered = Math.max(0, unanswered - 1);
    });
    for (const [from, to, read] of [
      [client, upstream, fromClient],
      [upstream, client, fromServer],
    ] as const) {
      sockets.add(from);
      from.on("data", (data: Buffer) => {
        read(data);
        if (cut === "before" || (cut === "after" && from === upstream)) {
          client.destroy();
          upstream.destroy();
        } else to.write(data);
      });
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    async count(run) {
      roundTrips = 0;
      statements = [];
      await run();
      return { roundTrips, statements };
    },
    cutAt(left, end) {
      next = { left, end };
    },
    stopWaiting() {
      const isWaiting = next !== null;
      next = null;
      return isWaiting;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function textAt(body: Buffer, from: number): string {
  return body.toString("utf8", from, body.indexOf(0, from));
}

/** Cuts what a side sends into messages. A client's first one has no type. */
function createMessageReader(isClient: boolean, read: (type: number, body: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let isFirst = isClient;
  return (data: Buffer): void => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = isFirst ? HEAD_BYTES - 1 : HEAD_BYTES;
      if (rest.length < head) return;
      const end = rest.readUInt32BE(head - 4) + head - 4;
      if (rest.length < end) return;
      if (!isFirst) read(rest[0] ?? 0, rest.subarray(head, end));
      isFirst = false;
      rest = rest.subarray(end);
    }
  };
}
