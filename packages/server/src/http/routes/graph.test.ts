import assert from "node:assert/strict";
import { once } from "node:events";
import { get } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import type { Entity } from "../../ports/graph-store.ts";
import type { GraphExport } from "../../services/graph/export.ts";
import type { Stated } from "../../services/graph/passages.ts";
import type { GraphService } from "../../services/graph.ts";
import { addRequestTurns } from "../request-turns.ts";
import { addGraphRoutes } from "./graph.ts";

const PATH = "/api/v1/projects/prj_1/graph/export";

let app: FastifyInstance;
let pages: number;
let entities: GraphExport["entities"];
let ended: PromiseWithResolvers<void>;
let revocation: AbortController;
let isAllowed: boolean;

const MANY_PAGES = 1_000;
/** Longer than the time in which pages are read below. */
const STALL_MS = 1_000;
const ENTITY: Entity = {
  entityId: "1",
  type: "Ship",
  name: "MV Tessel",
  aliases: [],
  keys: [],
  properties: [],
  chunks: 1,
  mentions: [],
};
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A graph of many pages, unless `entities` is replaced, which counts the pages that are read and records the end of the export. */
beforeEach(() => {
  pages = 0;
  isAllowed = true;
  ended = Promise.withResolvers<void>();
  revocation = new AbortController();
  async function* many(): AsyncGenerator<readonly []> {
    while (pages < MANY_PAGES) {
      pages += 1;
      await nextTurn();
      yield [];
    }
  }
  entities = many;
  const graph: GraphExport = {
    entities: () => entities(),
    relationships: many,
    statedEntities: () => stated(entities()),
    statedRelationships: () => stated(many()),
    namedRelationships: many,
    proposals: many,
    associations: many,
  };
  const service: Pick<GraphService, "export"> = {
    export: async (_caller, _projectId, choose) => ({
      name: "Ships",
      graph,
      chosen: choose(),
      end: ended.resolve,
      revoked: revocation.signal,
    }),
  };
  app = Fastify();
  app.decorateRequest("caller", null);
  addRequestTurns(app);
  app.addHook("onRequest", async (request) => {
    request.caller = { accountId: "acc_1", via: "api_key" };
  });
  const isStillAllowed = async () => isAllowed;
  // The tests do not call the other endpoints.
  addGraphRoutes(app, { graph: service as GraphService, isStillAllowed }, { stallMs: STALL_MS, checkMs: 0 });
});
afterEach(() => app.close());

test("HEAD of an export reads nothing of the graph", async () => {
  const reply = await app.inject({ method: "HEAD", url: PATH });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers["content-type"], "application/ld+json");
  assert.equal(reply.body, "");
  await ended.promise;
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  assert.equal(pages, 0);
});

test("an export ends when its client disconnects", async () => {
  const outgoing = get({ host: "127.0.0.1", port: await listen(), path: PATH });
  outgoing.on("error", () => undefined); // It is destroyed below.
  await once(outgoing, "response");
  assert.ok(pages > 0);
  outgoing.destroy();
  await ended.promise;
});

test("an export ends when its client takes nothing of it", async () => {
  entities = endless;
  const client = connect(await listen(), "127.0.0.1").pause();
  client.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await ended.promise;
  client.destroy();
});

test("an export whose place is revoked is cut off, however much of it was taken", async () => {
  entities = endless;
  const outgoing = get({ host: "127.0.0.1", port: await listen(), path: PATH });
  const [response] = await once(outgoing, "response");
  response.once("data", () => revocation.abort());
  await assert.rejects(once(response, "end"), { code: "ECONNRESET" });
  await ended.promise;
});

test("an export ends before its last line when the key is revoked", async () => {
  entities = endless;
  const outgoing = get({ host: "127.0.0.1", port: await listen(), path: PATH });
  const [response] = await once(outgoing, "response");
  response.once("data", () => {
    isAllowed = false;
  });
  await assert.rejects(once(response, "end"), { code: "ECONNRESET" });
  await ended.promise;
});

async function listen(): Promise<number> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

async function* stated<Item>(all: AsyncIterable<readonly Item[]>): AsyncGenerator<Stated<Item>> {
  for await (const items of all) yield { items, passages: new Map() };
}

async function* endless() {
  for (;;) yield [{ ...ENTITY, name: "a".repeat(1024 * 1024) }];
}
