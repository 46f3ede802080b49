import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { createResolve } from "./resolve-name.ts";

/** A DNS server that answers `known` with 192.0.2.7 and says nothing of other names. */
async function startDns(context: TestContext, known: string): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const name = known
      .split(".")
      .map((label) => String.fromCharCode(label.length) + label)
      .join("");
    const isKnown = query.includes(Buffer.from(`${name}\0`));
    if (!isKnown) return;
    const asksForA = query.readUInt16BE(12 + name.length + 1) === 1;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2); // A response without an error.
    header.writeUInt16BE(asksForA ? 1 : 0, 6);
    header.writeUInt16BE(0, 10);
    const question = query.subarray(12, 12 + name.length + 5);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    socket.send(Buffer.concat([header, question, ...(asksForA ? [answer] : [])]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  context.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

test("names whose server does not answer do not delay others", async (context) => {
  const server = await startDns(context, "fast.example");
  const resolve = createResolve({ usesLocalNames: false, servers: [server], timeoutMs: 300 });
  const settled: string[] = [];
  const slow = Array.from({ length: 40 }, async (_, at) => {
    await assert.rejects(resolve(`slow${at}.example`), { code: "ETIMEOUT" });
    settled.push("slow");
  });
  assert.deepEqual(await resolve("fast.example"), [{ address: "192.0.2.7", family: 4 }]);
  settled.push("fast");
  await Promise.all(slow);
  assert.equal(settled[0], "fast");
});

test("names of this machine are looked up only where they may be used", async (context) => {
  const server = await startDns(context, "fast.example");
  const options = { servers: [server], timeoutMs: 100 };
  const found = await createResolve({ usesLocalNames: true, ...options })("localhost");
  assert.ok(found.some(({ address }) => address === "127.0.0.1" || address === "::1"));
  await assert.rejects(createResolve({ usesLocalNames: false, ...options })("localhost"));
});
