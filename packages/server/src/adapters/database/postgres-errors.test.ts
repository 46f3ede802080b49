import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnavailableError } from "../../ports/store.ts";
import { translateConnectError, translatePostgresError } from "./postgres-errors.ts";

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

test("whatever fails while a connection is made, or ends a session, is an outage", () => {
  const tls = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  const login = new Error("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string");
  for (const error of [tls, login, new Error("The server does not support SSL connections")]) {
    const translated = translateConnectError(error);
    assert.ok(translated instanceof StoreUnavailableError);
    assert.equal(translated.reason, "refused");
    assert.equal(translated.cause, error);
    assert.equal(translatePostgresError(error), error, "a statement's own error");
  }
  const ended = Object.assign(new Error("not accepting connections"), { code: "55000", severity: "FATAL" });
  assert.ok(translatePostgresError(ended) instanceof StoreUnavailableError);
});
