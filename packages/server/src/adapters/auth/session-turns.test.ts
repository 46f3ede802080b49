import assert from "node:assert/strict";
import { test } from "node:test";
import { createSessionTurns } from "./session-turns.ts";

const url = (path: string) => new Request(`http://service.test/api/auth${path}`);

test("a burst of one address delays another's request by a few, and a sign-in not at all", async () => {
  const { run } = createSessionTurns();
  const order: string[] = [];
  const send = (path: string, address: string) =>
    run(url(path), address, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${address} ${path}`);
    });
  const burst = Array.from({ length: 150 }, () => send("/api-key/list", "192.0.2.1"));
  await Promise.all([...burst, send("/get-session", "192.0.2.2"), send("/sign-in/email", "192.0.2.3")]);
  assert.ok(order.indexOf("192.0.2.2 /get-session") < 8, order.slice(0, 20).join(", "));
  assert.ok(order.indexOf("192.0.2.3 /sign-in/email") < 8, order.slice(0, 20).join(", "));
});

test("an address has a bounded number of requests waiting", async () => {
  const { run } = createSessionTurns();
  const answers = await Promise.allSettled(
    Array.from({ length: 300 }, () => run(url("/api-key/list"), "192.0.2.1", async () => undefined)),
  );
  assert.equal(answers.filter(({ status }) => status === "rejected").length, 300 - 2 - 200);
});
