import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { ModelFault } from "../local/model-fault.ts";
import { createHubClient } from "./hub-client.ts";

/** Downloads from a server that answers as it is told, and counts the requests. */
async function download(context: TestContext, answer: (response: ServerResponse) => void): Promise<number> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    answer(response);
  }).listen(0, "127.0.0.1");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const client = createHubClient(
    { endpoint: `http://127.0.0.1:${port}`, token: null, offline: false },
    { wait: async () => undefined, silenceMs: 200 },
  );
  let received = 0;
  const receive = async (response: Response, onPiece: (bytes: number) => void) => {
    for await (const piece of response.body ?? []) {
      received += piece.byteLength;
      onPiece(piece.byteLength);
    }
    return false;
  };
  await assert.rejects(
    client.download("/file", receive, () => received),
    ModelFault,
  );
  return requests;
}

test("a hub that sends a byte now and then is given up after the retries", async (context) => {
  const timers: NodeJS.Timeout[] = [];
  context.after(() => timers.forEach(clearInterval));
  const requests = await download(context, (response) => {
    timers.push(setInterval(() => response.write("x"), 5));
  });
  assert.equal(requests, 6);
});

test("a hub that ends each answer after a byte is given up after the retries", async (context) => {
  assert.equal(await download(context, (response) => response.end("x")), 6);
});
