/** What answers in the place of PostgreSQL, and is none, or asks for a login that the service does not know. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import {
  translateConnectError,
  translatePostgresError,
} from "../../src/adapters/database/postgres-errors.ts";
import { createPool } from "../../src/adapters/database/postgres-pool.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";

/** With what is sent for what the client says next. */
const answers: readonly (readonly [what: string, ...bytes: Buffer[]])[] = [
  ["a login by GSSAPI", Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 7])],
  ["another protocol", Buffer.from("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")],
  ["bytes without a meaning", Buffer.alloc(64, 0x5a)],
  [
    "a login by SCRAM, where the setting has no password",
    message("R", "\0\0\0\x0aSCRAM-SHA-256\0\0"),
    message("R", "\0\0\0\x0br=x,s=eA==,i=4096"),
  ],
  ["an error, and stays open", message("E", "SFATAL\0C57P03\0Mstarting up\0\0")],
  ["an error that is cut off", message("E", "SFATAL\0C57P03")],
  ["a notice that is cut off", message("N", "SWARNING\0")],
];

function message(type: "E" | "N" | "R", body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

for (const [what, ...bytes] of answers)
  test(`a server that answers with ${what} cannot be used, is left, and ends nothing else`, async (context) => {
    const ends: Promise<unknown>[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      ends.push(once(socket, "close"));
      const next = bytes.values();
      socket.on("data", () => socket.write(next.next().value ?? ""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const times = {
      connectMs: 1_000,
      turnMs: 1_000,
      watch: { suspiciousMs: 900, checkMs: 300, probeMs: 300, graceMs: 300 },
    };
    const pool = createPool(`postgres://a@127.0.0.1:${address.port}/c`, 1, { times });
    context.after(async () => {
      await pool.end();
      server.close();
    });
    await assert.rejects(
      pool.query("select 1"),
      (error) => translatePostgresError(translateConnectError(error)) instanceof StoreUnavailableError,
    );
    await Promise.all(ends);
  });
