import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import Fastify from "fastify";
import { refuseConnection, refuseExpectation, refuseTunnel } from "./refuse-connection.ts";

test("what reaches no route is answered as the service answers: with a detail and a request id", async (context) => {
  const app = Fastify({ clientErrorHandler: refuseConnection });
  app.server.on("connect", refuseTunnel).on("checkExpectation", refuseExpectation);
  await app.listen({ port: 0, host: "127.0.0.1" });
  context.after(() => app.close());
  const { port } = app.server.address() as AddressInfo; // It listens on a port.
  for (const [request, status] of [
    ["Hello\r\n\r\n", 400],
    ["CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    [`GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ["GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n", 417],
  ] as const) {
    const client = connect(port, "127.0.0.1");
    client.write(request);
    const answer = await text(client);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(answer, /\r\nx-request-id: req_\w{32}\r\n/);
    assert.match(answer, /\r\n\r\n\{"detail":"[^"]+.*\}$/);
  }
});
