import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { get } from "node:http";
import { networkInterfaces } from "node:os";
import { after, before, describe, mock, test } from "node:test";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, zstdDecompress } from "node:zlib";
import { API_PREFIX, type EndpointName, endpoints } from "@kcs/contract";
import { assertFault, type EndpointInput, endpointPath, type Reply } from "../support/http-client.ts";
import { createProject, ingest, ingestAll, longText, waitForJob } from "../support/ingestion.ts";
import { describeOnEach, type TestService, useRestarts, useService } from "../support/service.ts";

const NOTE = { text: "The bell rings twice.", source_doc_id: "note" };
const CLASS = "<urn:s:Ship> a <http://www.w3.org/2002/07/owl#Class> .";
const SCHEMA = { ontology: { hierarchy: [{ level: 0, node_types: { Bell: {} } }], edge_types: [] } };

function send(service: TestService, name: EndpointName, input: EndpointInput, key: string): Promise<Reply> {
  const { owner } = service;
  const headers = { "idempotency-key": key };
  return owner.call(endpoints[name].method, endpointPath(name, input), { body: input.body, headers });
}

describeOnEach((setting) => {
  const use = useService(setting);

  describe("an Idempotency-Key", () => {
    /** Everything that makes something, and two bodies for it. */
    const creating: readonly {
      readonly name: EndpointName;
      readonly bodies: readonly [unknown, unknown];
      readonly count: (service: TestService, project_id: string) => Promise<number>;
    }[] = [
      {
        name: "createProject",
        bodies: [
          { name: "One", vector_only: true },
          { name: "Two", vector_only: true },
        ],
        count: async ({ owner }) => (await owner.succeed("listProjects")).projects.length,
      },
      {
        name: "createOntology",
        bodies: [
          { name: "One", schema: SCHEMA },
          { name: "Two", schema: SCHEMA },
        ],
        count: async ({ owner }) => (await owner.succeed("listOntologies")).ontologies.length,
      },
      {
        name: "importOntology",
        bodies: [
          { name: "One", content: CLASS },
          { name: "Two", content: CLASS },
        ],
        count: async ({ owner }) => (await owner.succeed("listOntologies")).ontologies.length,
      },
      {
        name: "ingest",
        bodies: [NOTE, { ...NOTE, text: "Another." }],
        count: async ({ owner }, project_id) =>
          (await owner.succeed("listJobs", { params: { project_id } })).total,
      },
      {
        name: "ingestBatch",
        // Large enough to be read by another thread.
        bodies: [
          { documents: [NOTE, { text: longText(3_000, "large"), source_doc_id: "large" }] },
          { documents: [NOTE, { text: longText(3_000, "other"), source_doc_id: "large" }] },
        ],
        count: async ({ owner }, project_id) =>
          (await owner.succeed("listJobs", { params: { project_id } })).total,
      },
      {
        name: "createCorrections",
        bodies: ["One", "Two"].map((name) => ({
          corrections: [{ kind: "rename", entity: { type: "Bell", name: "Bell" }, name }],
        })) as [unknown, unknown], // As many as there are names.
        count: async ({ owner }, project_id) =>
          (await owner.succeed("listCorrections", { params: { project_id } })).total,
      },
      {
        name: "createWebhook",
        bodies: [{ url: "https://hooks.example/one" }, { url: "https://hooks.example/two" }],
        count: async ({ owner }) => (await owner.succeed("listWebhooks")).webhooks.length,
      },
    ];

    for (const { name, bodies, count } of creating) {
      test(`lets ${name} be sent again: once done, each time answered alike`, async () => {
        const service = use();
        const project_id = await createProject(service.owner);
        const key = `again-${name}`;
        const input = (body: unknown) => ({ params: { project_id }, body });
        const before = await count(service, project_id);
        const first = await send(service, name, input(bodies[0]), key);
        assert.equal(first.status, endpoints[name].success, first.text);
        assert.equal(first.headers["idempotency-replayed"], undefined);
        const made = await count(service, project_id);
        assert.ok(made > before);
        const again = await send(service, name, input(bodies[0]), key);
        assert.deepEqual([again.status, again.text], [first.status, first.text]);
        assert.equal(again.headers["idempotency-replayed"], "true");
        assert.equal(again.headers["content-type"], first.headers["content-type"]);
        assertFault(
          await send(service, name, input(bodies[1]), key),
          409,
          /^Idempotency-Key: was used for another request in the last 24 hours\./,
        );
        assert.equal(await count(service, project_id), made);
        const other = await send(service, name, input(bodies[0]), `${key}-new`);
        assert.notEqual(other.text, first.text);
        await service.owner.succeed("deleteProject", { params: { project_id } });
      });
    }

    test("lets a retry be sent again", async () => {
      const service = use();
      const { owner } = service;
      const project_id = await createProject(owner);
      await ingest(owner, project_id, { text: longText(2_000, "before"), source_doc_id: "a" });
      const job_id = await ingest(owner, project_id, { ...NOTE, source_doc_id: "a" });
      const params = { project_id, job_id };
      await owner.succeed("cancelJob", { params });
      const refused = await send(service, "retryJob", { params }, "retry");
      assertFault(refused, 409, /is no longer kept/);
      // A refusal leaves the key free.
      const project = { name: "After a refusal", vector_only: true };
      assert.equal((await send(service, "createProject", { body: project }, "retry")).status, 200);
    });

    test("is refused in another form, and while a request with it is under way", async () => {
      const service = use();
      const body = { name: "Form", vector_only: true };
      for (const key of ["", " ", "two words", "x".repeat(256), "ä"]) {
        const headers = { "idempotency-key": key };
        const reply = await service.owner.call("POST", "/projects", { body, headers });
        assertFault(reply, 400, "Idempotency-Key: expected 1 to 255 visible ASCII characters");
      }
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => send(service, "createProject", { body }, "at-once")),
      );
      const done = replies.filter(({ status }) => status === 200);
      assert.equal(new Set(done.map(({ text }) => text)).size, 1);
      for (const reply of replies.filter(({ status }) => status !== 200)) {
        assertFault(reply, 409, /^Idempotency-Key: a request with this key is being carried out/);
        assert.equal(reply.headers["retry-after"], "1");
      }
      assert.equal(done.filter(({ headers }) => headers["idempotency-replayed"] === undefined).length, 1);
    });
  });

  describe("reads", () => {
    test("have a validator, and are not sent again to who has them", async () => {
      const { owner } = use();
      const project_id = await createProject(owner, "Validated");
      await ingestAll(owner, project_id, [NOTE]);
      for (const path of [
        "/projects",
        `/projects/${project_id}`,
        `/projects/${project_id}/jobs`,
        "/ontologies",
      ]) {
        const first = await owner.call("GET", path);
        const etag = String(first.headers.etag);
        assert.match(etag, /^W\/"[\w-]{27}"$/);
        assert.equal(first.headers["cache-control"], "private, no-cache");
        for (const known of [etag, etag.slice(2), `"x", ${etag}`, "*"]) {
          const again = await owner.call("GET", path, { headers: { "if-none-match": known } });
          assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag]);
          assert.match(String(again.headers["x-request-id"]), /^req_/);
        }
        const head = await owner.call("HEAD", path, { headers: { "if-none-match": etag } });
        assert.equal(head.status, 304);
        const other = await owner.call("GET", path, { headers: { "if-none-match": 'W/"other"' } });
        assert.deepEqual([other.status, other.text], [200, first.text]);
      }
      const path = `/projects/${project_id}/jobs`;
      const { etag } = (await owner.call("GET", path)).headers;
      await ingestAll(owner, project_id, [{ ...NOTE, source_doc_id: "more" }]);
      const changed = await owner.call("GET", path, { headers: { "if-none-match": String(etag) } });
      assert.equal(changed.status, 200);
      const forbidden = await use().stranger.call("GET", path, { headers: { "if-none-match": "*" } });
      assertFault(forbidden, 403, "User is not authorized for this project");
    });
  });

  describe("answers", () => {
    test("are compressed for who asks, and are the same in each coding", async () => {
      const service = use();
      const project_id = await createProject(service.owner, "Compressed");
      const documents = Array.from({ length: 12 }, (_, at) => ({ ...NOTE, source_doc_id: `${at}` }));
      await ingestAll(service.owner, project_id, documents);
      const url = `${service.baseUrl}${API_PREFIX}/projects/${project_id}/jobs`;
      const plain = await fetchBytes(url, service.home.ownerKey, {});
      assert.equal(plain.headers["content-encoding"], undefined);
      const decoders = { gzip: gunzip, br: brotliDecompress, zstd: zstdDecompress } as const;
      for (const coding of ["gzip", "br", "zstd"] as const) {
        const packed = await fetchBytes(url, service.home.ownerKey, { "accept-encoding": coding });
        assert.equal(packed.headers["content-encoding"], coding);
        assert.equal(packed.headers.vary, "accept-encoding");
        assert.equal(packed.headers.etag, plain.headers.etag);
        assert.equal(Number(packed.headers["content-length"]), packed.bytes.length);
        assert.ok(packed.bytes.length < plain.bytes.length / 2);
        const bytes = await promisify<Buffer, Buffer>(decoders[coding])(packed.bytes);
        assert.equal(sha256(bytes), sha256(plain.bytes));
      }
      const small = await fetchBytes(`${url}?limit=1`, service.home.ownerKey, { "accept-encoding": "gzip" });
      assert.equal(small.headers["content-encoding"], undefined);
    });
  });

  describe("with settings", () => {
    // The clock stands still until a test moves it.
    before(() => mock.timers.enable({ apis: ["Date"], now: Date.now() }));
    after(() => mock.timers.reset());
    const TOKEN = "a-token-for-the-scraper";
    const ORIGIN = "https://app.example";
    const env = {
      KCS_INGEST_PER_MINUTE: "3",
      KCS_CORS_ORIGINS: ORIGIN,
      KCS_METRICS_TOKEN: TOKEN,
      KCS_HOST: "0.0.0.0",
    };
    const own = useRestarts(setting, env);

    describe("the rate of ingests", () => {
      test("is told with each of them, and with the refusal", async () => {
        const { stranger } = own.use();
        const project_id = await createProject(stranger);
        const told = async (name: EndpointName, body: unknown) => {
          const reply = await stranger.endpoint(name, { params: { project_id }, body });
          assert.equal(reply.headers["ratelimit-policy"], '"ingest";q=3;w=60', reply.text);
          return [reply.status, reply.headers["ratelimit"]];
        };
        assert.deepEqual(await told("ingest", NOTE), [200, '"ingest";r=2;t=60']);
        mock.timers.tick(20_000);
        assert.deepEqual(await told("ingestBatch", { documents: [NOTE] }), [200, '"ingest";r=1;t=40']);
        assert.deepEqual(await told("ingest", NOTE), [200, '"ingest";r=0;t=40']);
        assert.deepEqual(await told("ingest", NOTE), [429, '"ingest";r=0;t=40']);
        mock.timers.tick(40_000);
        assert.deepEqual(await told("ingest", NOTE), [200, '"ingest";r=0;t=20']);
        const bad = await stranger.endpoint("ingest", { params: { project_id }, body: {} });
        assert.deepEqual([bad.status, bad.headers["ratelimit"]], [400, undefined]);
      });

      test("is not told where there is none", async () => {
        const { owner } = use();
        const project_id = await createProject(owner);
        const reply = await owner.endpoint("ingest", { params: { project_id }, body: NOTE });
        assert.equal(reply.headers["ratelimit"], undefined);
      });

      test("is not reduced by a repetition", async () => {
        const service = own.use();
        const project_id = await createProject(service.owner);
        const input = { params: { project_id }, body: NOTE };
        const first = await send(service, "ingest", input, "rated");
        const again = await send(service, "ingest", input, "rated");
        assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
        const others: number[] = [];
        for (const key of ["second", "third", "fourth"])
          others.push((await send(service, "ingest", input, key)).status);
        assert.deepEqual(others, [200, 200, 429]);
        await waitForJob(service.owner, project_id, (first.json as { job_id: string }).job_id); // A job was accepted.
      });
    });

    test("pages of an allowed origin may send and read the fields that go with all this", async () => {
      const { owner, nobody } = own.use();
      const asked = "authorization,content-type,idempotency-key,if-none-match,last-event-id";
      const preflight = await nobody.root("OPTIONS", `${API_PREFIX}/projects`, {
        headers: {
          origin: ORIGIN,
          "access-control-request-method": "POST",
          "access-control-request-headers": asked,
        },
      });
      const allowed = String(preflight.headers["access-control-allow-headers"]);
      for (const name of asked.split(",")) assert.ok(allowed.includes(name), name);
      const reply = await owner.call("GET", "/projects", { headers: { origin: ORIGIN } });
      const exposed = String(reply.headers["access-control-expose-headers"]);
      for (const name of [
        "retry-after",
        "x-request-id",
        "etag",
        "idempotency-replayed",
        "ratelimit",
        "ratelimit-policy",
      ])
        assert.ok(exposed.includes(name), name);
      assert.equal(reply.headers["access-control-allow-origin"], ORIGIN);
    });

    describe("metrics", () => {
      const statusOfAbsoluteForm = (baseUrl: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const { hostname, port } = new URL(baseUrl);
          get({ hostname, port, path: "http://knowledge.example/metrics" }, (response) => {
            response.resume();
            resolve(response.statusCode);
          }).on("error", reject);
        });
      const through = { "x-forwarded-for": "203.0.113.7" };
      const signsOfProxies = [
        through,
        { forwarded: "for=203.0.113.7" },
        { "x-real-ip": "203.0.113.7" },
        { via: "1.1 edge" },
        { "x-forwarded-proto": "https" },
        { "cf-connecting-ip": "203.0.113.7" },
        { "fly-client-ip": "203.0.113.7" },
        { "client-ip": "203.0.113.7" },
        { "akamai-origin-hop": "1" },
        { "wl-proxy-client-ip": "203.0.113.7" },
        { "x-varnish": "32770" },
        { "x-remote-addr": "203.0.113.7" },
        { host: "knowledge.example" },
        { host: "localhost.evil.example:8080" },
      ];

      test("are for this machine where no token is configured", async () => {
        const { nobody } = use();
        assert.equal((await nobody.root("GET", "/metrics")).status, 200);
        for (const headers of signsOfProxies) {
          assertFault(await nobody.root("GET", "/metrics", { headers }), 403, /KCS_METRICS_TOKEN/);
        }
        const scraper = { "user-agent": "Prometheus/3", "x-prometheus-scrape-timeout-seconds": "10" };
        assert.equal((await nobody.root("GET", "/metrics", { headers: scraper })).status, 200);
        for (const host of ["localhost:8080", "127.0.0.1", "[::1]:8080"]) {
          assert.equal((await nobody.root("GET", "/metrics", { headers: { host } })).status, 200, host);
        }
        // Only a proxy's client names the service in the request line.
        assert.equal(await statusOfAbsoluteForm(use().baseUrl), 403);
      });

      test("are for this machine, and with a token for whoever sends it", async () => {
        const { nobody, home } = own.use();
        const scrape = (authorization?: string) =>
          nobody.root("GET", "/metrics", { headers: { ...through, authorization } });
        for (const wrong of [undefined, "Bearer wrong", TOKEN, `Basic ${TOKEN}`, `Bearer ${home.ownerKey}`]) {
          const reply = await scrape(wrong);
          assertFault(reply, 401, "Invalid metrics token");
          assert.equal(reply.headers["www-authenticate"], "Bearer");
        }
        const reply = await scrape(`Bearer ${TOKEN}`);
        assert.equal(reply.status, 200);
        assert.match(reply.text, /^# TYPE kcs_projects gauge$/m);
        const direct = { host: "localhost" };
        assert.equal((await nobody.root("GET", "/metrics", { headers: direct })).status, 200);
      });

      test("want the token on every address of this machine but the loopback", async (context) => {
        const outer = Object.values(networkInterfaces())
          .flat()
          .find((address) => address?.family === "IPv4" && !address.internal)?.address;
        if (outer === undefined) return context.skip("this machine has no other address");
        const url = `${own.use().baseUrl.replace("0.0.0.0", outer)}/metrics`;
        assert.equal((await fetch(url)).status, 401);
        assert.equal((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status, 200);
      });
    });

    test("an Idempotency-Key is the account's own, and holds across a restart", async () => {
      const body = { name: "Kept", vector_only: true };
      const first = await send(own.use(), "createProject", { body }, "kept");
      const theirs = await own.use().stranger.call("POST", "/projects", {
        body: { ...body, name: "Theirs" },
        headers: { "idempotency-key": "kept" },
      });
      assert.equal(theirs.status, 200);
      assert.notEqual(theirs.text, first.text);
      const again = await send(await own.restart(), "createProject", { body }, "kept");
      assert.deepEqual([again.text, again.headers["idempotency-replayed"]], [first.text, "true"]);
    });
  });
});

function fetchBytes(url: string, key: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ bytes: Buffer; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}`, ...headers }, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("end", () => resolve({ bytes: Buffer.concat(parts), headers: incoming.headers }));
      incoming.on("error", reject);
    }).on("error", reject);
  });
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
