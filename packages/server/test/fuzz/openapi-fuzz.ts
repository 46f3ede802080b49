/** Random requests made from the OpenAPI document: whatever is sent, the document describes the answer. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { endpoints } from "@kcs/contract";
import fc from "fast-check";
import { type Client, createClient } from "../support/http-client.ts";
import { type Setting, useService } from "../support/service.ts";
import {
  assertDescribed,
  type Case,
  casesOf,
  operations,
  prepareKnown,
  STREAMS,
  UNKNOWN_KEY,
} from "./requests.ts";

const SEED = 20_310_505;
const TIME_PER_OPERATION_MS = 4_000;

/** Sends `runs` requests to each operation; call it in a `describe`. */
export function fuzzOperations(setting: Setting, runs: number): void {
  const use = useService(setting, {});
  const clients = new Map<Case["key"], Client>();
  const known = new Map<string, readonly string[]>();

  before(async () => {
    const { owner, stranger, nobody, baseUrl } = use();
    clients.set("owner", owner).set("stranger", stranger).set("none", nobody);
    clients.set("unknown", createClient(baseUrl, UNKNOWN_KEY));
    for (const [name, ids] of await prepareKnown(owner)) known.set(name, ids);
  });

  for (const { path, method, operation } of operations.filter(
    (one) => !STREAMS.includes(one.operation.operationId),
  )) {
    test(`${method} ${path} answers as the document says, whatever it is sent`, {
      timeout: 60_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(casesOf(path, operation, known), async (sent) => {
          const client = clients.get(sent.key);
          assert.ok(client);
          const { raw, headers } = sent;
          const reply = await client.root(method, sent.path, { headers, ...(raw !== undefined && { raw }) });
          assertDescribed(operation, reply, sent);
        }),
        { seed: SEED, numRuns: runs, interruptAfterTimeLimit: TIME_PER_OPERATION_MS, endOnFailure: true },
      );
    });
  }

  test("nothing that was sent has hurt the service", async () => {
    const { nobody, logged } = use();
    assert.equal((await nobody.root("GET", "/ready")).status, 200);
    const bugs = logged.filter(({ event }) => event === "request_failed");
    assert.deepEqual(bugs, []);
  });

  test("every operation but the streams was reached", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(new Set(names), new Set(Object.keys(endpoints)));
    for (const name of STREAMS) assert.ok(names.includes(name));
  });
}
