import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import Fastify from "fastify";
import { ServiceError } from "../domain/errors.ts";
import { type CurrentWork, UNKNOWN_CALLER } from "../ports/current-work.ts";
import {
  addActingAccount,
  addActingCaller,
  addCheckAfterBody,
  createAuthenticate,
  createIsStillAllowed,
} from "./authenticate.ts";

test("the check of a key acts for an unknown caller, what follows for the key's account", async () => {
  const app = Fastify();
  app.decorateRequest("caller", null);
  let current: CurrentWork = { accountId: "", signal: null };
  const actors: string[] = [];
  const record = () => actors.push(current.accountId);
  const actAs = (work: CurrentWork, run: () => void) => {
    current = work;
    run();
  };
  addActingCaller(app, actAs);
  const authenticator = {
    async authenticateKey() {
      record();
      return { accountId: "mill", via: "api_key" } as const;
    },
    authenticateSession: async () => null,
    close: async () => undefined,
  };
  app.register((scope, _options, done) => {
    scope.addHook("onRequest", createAuthenticate({ authenticator, publicOrigin: "http://localhost" }));
    addActingAccount(scope, actAs);
    scope.addHook("preParsing", async () => void record());
    scope.post("/known", async () => record());
    done();
  });
  app.post("/unknown", async () => record());
  await app.inject({ method: "POST", url: "/known", headers: { authorization: "Bearer kcs_a" } });
  assert.deepEqual(actors.splice(0), [UNKNOWN_CALLER, "mill", "mill"]);
  await app.inject({ method: "POST", url: "/unknown" });
  assert.deepEqual(actors, [UNKNOWN_CALLER]);
  await app.close();
});

test("a key that is revoked while the body arrives is refused before the request is carried out", async (context) => {
  const app = Fastify();
  app.decorateRequest("caller", null);
  let [now, isRevoked, checks, carriedOut] = [0, false, 0, 0];
  const authenticator = {
    async authenticateKey() {
      checks++;
      return isRevoked ? null : ({ accountId: "mill", via: "api_key" } as const);
    },
    authenticateSession: async () => null,
    close: async () => undefined,
  };
  const credentials = { authenticator, publicOrigin: "http://localhost" };
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof ServiceError && error.kind === "unauthenticated" ? 401 : 500).send(),
  );
  app.register((scope, _options, done) => {
    scope.addHook("onRequest", createAuthenticate(credentials));
    addCheckAfterBody(scope, createIsStillAllowed(credentials), () => now);
    scope.post("/", async () => ++carriedOut);
    done();
  });
  context.after(() => app.close());
  const address = await app.listen({ port: 0, host: "127.0.0.1" });

  /** Sends half a body, and the rest after `meanwhile`. */
  async function post(meanwhile: () => void): Promise<number> {
    const begun = checks;
    async function* halves() {
      yield Buffer.from("[1,");
      while (checks === begun) await setImmediate();
      meanwhile();
      yield Buffer.from("2]");
    }
    const headers = { authorization: "Bearer kcs_a", "content-type": "application/json" };
    const body = ReadableStream.from(halves());
    return (await fetch(address, { method: "POST", headers, body, duplex: "half" })).status;
  }
  assert.deepEqual([await post(() => undefined), checks], [200, 1]);
  const wait = () => {
    now += 900;
  };
  assert.deepEqual([await post(wait), checks], [200, 3]);
  const revoke = () => {
    wait();
    isRevoked = true;
  };
  assert.deepEqual([await post(revoke), carriedOut], [401, 2]);
});
