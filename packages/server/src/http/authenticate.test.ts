import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { type CurrentWork, UNKNOWN_CALLER } from "../ports/current-work.ts";
import { addActingAccount, addActingCaller, createAuthenticate } from "./authenticate.ts";

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
