import assert from "node:assert/strict";
import { test } from "node:test";
import { translatePostgresError } from "./postgres-errors.ts";

test("what callers read of an outage names no host and no port", () => {
  for (const [code, message] of [
    ["ECONNREFUSED", "connect ECONNREFUSED 10.1.2.3:5432"],
    ["08006", "connection to the remote node kcs@10.1.2.3:5432 failed"],
  ] as const) {
    const translated = translatePostgresError(Object.assign(new Error(message), { code }));
    assert.ok(translated instanceof Error);
    assert.match(translated.message, new RegExp(`did not answer .${code}.`));
    assert.doesNotMatch(translated.message, /10\.1|5432/);
  }
});
