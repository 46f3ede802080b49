import assert from "node:assert/strict";
import { get } from "node:http";
import { describe, test } from "node:test";
import { type EndpointName, endpoints } from "@kcs/contract";
import { assertFault, endpointPath, type Reply } from "../support/http-client.ts";
import { createProject, ingest } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const MISSING = "prj_00000000000000000000000000000000";
const APP = "https://app.example";
const names = Object.keys(endpoints) as EndpointName[]; // The keys of a constant.
const posts = names.filter((name) => endpoints[name].method === "POST");
/** A form of files is no JSON, and its project is looked up before any of it is read. */
const jsonPosts = posts.filter((name) => name !== "uploadFiles");

describeOnEach((setting) => {
  const use = useService(setting, { KCS_MAX_TEXT_BYTES: "2000", KCS_CORS_ORIGINS: APP });
  const large = String(1024 ** 3);

  describe("the order of checks", () => {
    test("without a good key every endpoint answers 401 before any of the body has come", async () => {
      for (const name of posts) {
        const headers = { "content-length": large, "content-type": "text/plain" };
        const reply = await use().nobody.call("POST", endpointPath(name), { headers, headOnly: true });
        assertFault(reply, 401, "Invalid API key");
        assert.equal(reply.headers["www-authenticate"], "Bearer");
      }
    });

    test("a declared length that no body may have answers 413 before any of it has come", async () => {
      for (const name of jsonPosts) {
        const headers = { "content-length": large, "content-type": "application/json" };
        const reply = await use().owner.call("POST", endpointPath(name), { headers, headOnly: true });
        assertFault(reply, 413, /^body: is too large/);
      }
    });

    test("a body of another media type, or of none, answers 415, whatever is in it", async () => {
      for (const name of jsonPosts) {
        for (const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
          undefined,
        ]) {
          const options = { raw: "{", headers: { "content-type": type } };
          const reply = await use().owner.call("POST", endpointPath(name), options);
          assertFault(reply, 415, "Content-Type: expected application/json");
        }
      }
    });

    test("a compressed body and one in another character set answer 415, and say which", async () => {
      const send = (headers: Record<string, string>) =>
        use().owner.call("POST", "/projects", { raw: "{", headers });
      const json = { "content-type": "application/json" };
      assertFault(
        await send({ ...json, "content-encoding": "gzip" }),
        415,
        "Content-Encoding: got gzip, expected none",
      );
      assertFault(
        await send({ ...json, "transfer-encoding": "gzip, chunked" }),
        415,
        "Transfer-Encoding: got gzip, chunked, expected chunked",
      );
      assertFault(
        await send({ "content-type": "application/json; charset=iso-8859-1" }),
        415,
        "Content-Type: got charset iso-8859-1, expected utf-8",
      );
      const utf8 = await send({ "content-type": 'application/json; charset="UTF-8"' });
      assert.equal(utf8.status, 400, "which is read");
    });

    test("malformed JSON is told before an unknown project", async () => {
      for (const name of jsonPosts) {
        for (const raw of ["{", '{"a":1,}', "nul", '"\u0001"', "{} {}"]) {
          const reply = await use().owner.call("POST", endpointPath(name), { raw });
          assertFault(reply, 400, /^body: is not valid JSON/);
        }
        const raw = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
        assertFault(
          await use().owner.call("POST", endpointPath(name), { raw }),
          400,
          /^body: is not valid UTF-8/,
        );
      }
    });

    test("an unknown project is told before the faults of a body, and so is a forbidden one", async () => {
      const { owner, stranger } = use();
      const project_id = await createProject(owner);
      for (const name of ["ingest", "ingestBatch", "query"] as const) {
        const missing = await owner.endpoint(name, { params: { project_id: MISSING }, body: { text: 5 } });
        assertFault(missing, 404, `Project ${MISSING} not found`);
        const forbidden = await stranger.endpoint(name, { params: { project_id }, body: { text: 5 } });
        assertFault(forbidden, 403, "You don't have access to this project");
      }
      const path = (id: string) => `/projects/${id}/jobs?limit=0`;
      assertFault(await owner.call("GET", path(MISSING)), 404, `Project ${MISSING} not found`);
      const detail = "User is not authorized for this project";
      assertFault(await stranger.call("GET", path(project_id)), 403, detail);
    });

    test("a text beyond the limit in UTF-8 bytes answers 413, one at the limit is taken", async () => {
      const { owner } = use();
      const params = { project_id: await createProject(owner) };
      const document = (text: string) => ({ text, source_doc_id: "d" });
      await owner.succeed("ingest", { params, body: document("é".repeat(1000)) });
      const reply = await owner.endpoint("ingest", { params, body: document(`${"é".repeat(1000)}.`) });
      assertFault(reply, 413, /^text: has 2001 bytes, expected a string of 1 to 2000 bytes in UTF-8/);
      const documents = [document("fits"), document("x".repeat(2001))];
      const batch = await owner.endpoint("ingestBatch", { params, body: { documents } });
      assertFault(batch, 413, /^documents\[1\]\.text: has 2001 bytes/);
      const both = await owner.endpoint("ingest", { params, body: { text: "x".repeat(2001) } });
      assertFault(both, 400, /^text: has 2001 bytes.+; source_doc_id: missing/);
    });
  });

  test("a body of null is refused also where the body may be left out", async () => {
    const { owner, nobody } = use();
    const path = `/projects/${await createProject(owner)}/reembed`;
    const isNull = "body: got null, expected a JSON object";
    assertFault(await owner.call("POST", path, { raw: "null" }), 400, isNull);
    assert.equal((await owner.call("POST", path)).status, 202);
    assertFault(
      await nobody.root("POST", "/api/auth/sign-out", { raw: "null" }),
      400,
      "body: expected a JSON object",
    );
  });

  describe("paths and methods", () => {
    test("a wrong method on a known path answers 405 and says which are right", async () => {
      const { owner, nobody } = use();
      const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
      for (const path of new Set(names.map((name) => endpoints[name].path))) {
        const right: string[] = names
          .map((name) => endpoints[name])
          .filter((one) => one.path === path)
          .map((one) => one.method);
        const concrete = path.replace(/\{\w+\}/g, "some");
        for (const method of methods.filter((each) => !right.includes(each))) {
          const reply = await owner.call(method, concrete, {
            raw: "{",
            headers: { "content-type": "text/plain" },
          });
          assertFault(reply, 405, new RegExp(`^${method} is not allowed here`));
          const allowed = (reply.headers.allow ?? "").split(", ").filter((each) => each !== "HEAD");
          assert.deepEqual(new Set(allowed), new Set(right), `${method} ${concrete}`);
          assertFault(await nobody.call(method, concrete), 401, "Invalid API key");
        }
      }
    });

    test("a method that no route takes answers 405 on a known path, whatever its body", async () => {
      const { owner } = use();
      const paths: readonly (readonly [path: string, allow: string])[] = [
        ["/api/v1/projects", "POST, GET, HEAD"],
        ["/api/v1/projects/some/query", "POST"],
        ["/api/v1/ontologies/lint", "POST"],
        ["/api/v1/ontologies/some", "GET, HEAD, DELETE, PUT"],
        ["/mcp", "POST"],
        ["/api/auth/sign-in/email", "POST"],
        ["/health", "GET, HEAD"],
        ["/openapi.json", "GET, HEAD"],
        ["/projects/some/page", "GET, HEAD"],
      ];
      const bodies = [{}, { raw: "{}" }, { raw: "[1", headers: { "content-type": "text/plain" } }];
      for (const [path, allow] of paths) {
        for (const method of ["QUERY", "PROPFIND"]) {
          for (const body of bodies) {
            const reply = await owner.root(method, path, body);
            assertFault(reply, 405, `${method} is not allowed here. Use ${allow}.`);
            assert.equal(reply.headers.allow, allow);
            assert.match(String(reply.headers["x-request-id"]), /^req_/);
          }
        }
      }
      for (const path of ["/elsewhere", "/api/v1/nothing", "/openapi_json", "/assets/no/such.js"])
        assertFault(await owner.root("GET", path), 404, `No such endpoint: GET ${path}`);
      for (const path of ["/elsewhere", "/api/v1/nothing"])
        assertFault(await owner.root("QUERY", path), 404, `No such endpoint: QUERY ${path}`);
    });

    test("an unknown path answers 404, below the API only to who has a key", async () => {
      const { owner, nobody } = use();
      for (const path of ["/", "/nothing", "/projects/a/b", "/projects/a/jobs/b/c", "/Projects"]) {
        assertFault(await owner.call("GET", path), 404, /^No such endpoint: GET \/api\/v1/);
        assertFault(await nobody.call("GET", path), 401, "Invalid API key");
      }
      for (const path of ["/elsewhere", "/api", "/api/v2/projects", "/favicon.ico"]) {
        assertFault(await nobody.root("GET", path), 404, /^No such endpoint: GET \//);
      }
    });

    test("what is shown of an unknown path is its path without the query", async () => {
      const reply = await use().owner.call("GET", "/nothing?token=private");
      assertFault(reply, 404, "No such endpoint: GET /api/v1/nothing");
    });

    test("HEAD answers as GET does, without a body", async () => {
      const { owner, nobody } = use();
      const projectId = await createProject(owner);
      const cases = [
        ["/projects", 200],
        [`/projects/${projectId}`, 200],
        [`/projects/${MISSING}`, 404],
        ["/ontologies", 200],
      ] as const;
      for (const [path, status] of cases) {
        const reply = await owner.call("HEAD", path);
        assert.deepEqual([reply.status, reply.text], [status, ""]);
      }
      assert.equal((await nobody.call("HEAD", "/projects")).status, 401);
    });

    test("an id of any length and any characters that does not exist is the documented 404", async () => {
      const { owner } = use();
      const ids = [
        "x",
        "a b",
        "a/b",
        "../..",
        "%",
        "\0",
        "ü".repeat(40),
        "💡",
        "prj_".repeat(20),
        "'; drop",
        "x".repeat(12_000),
      ];
      const project_id = await createProject(owner);
      for (const id of ids) {
        const params = { project_id: id, job_id: id, ontology_id: id };
        assertFault(await owner.endpoint("getProject", { params }), 404, `Project ${id} not found`);
        assertFault(await owner.endpoint("getOntology", { params }), 404, "Ontology not found");
        assertFault(
          await owner.endpoint("getJob", { params: { ...params, project_id } }),
          404,
          "Job not found",
        );
      }
    });

    test("a path that is not percent-encoded UTF-8 answers 400", async () => {
      for (const path of ["/projects/%", "/projects/%zz", "/projects/%ff%fe", "/projects/%ed%a0%80"]) {
        assertFault(await use().owner.call("GET", path), 400, /^path: /);
      }
    });

    test("an escaped letter in a path is the letter", async () => {
      const { owner } = use();
      const projectId = await createProject(owner);
      const escaped = projectId.replace("p", "%70");
      assert.equal((await owner.call("GET", `/projects/${escaped}`)).status, 200);
    });
  });

  describe("headers", () => {
    const everyReply = async (): Promise<readonly Reply[]> => {
      const { owner, nobody } = use();
      const missing = { params: { project_id: MISSING } };
      return [
        await owner.call("GET", "/projects"),
        await owner.endpoint("getProject", missing),
        await owner.call("PUT", "/projects"),
        await owner.call("GET", "/nothing"),
        await owner.call("POST", "/projects", { raw: "{" }),
        await nobody.call("GET", "/projects"),
        await nobody.root("GET", "/nothing"),
        await nobody.root("GET", "/health"),
        await owner.call("GET", "/projects/%ff"),
      ];
    };

    test("every answer carries the security headers and a request id", async () => {
      for (const { headers } of await everyReply()) {
        assert.equal(headers["x-content-type-options"], "nosniff");
        assert.match(String(headers["content-security-policy"]), /default-src 'none'/);
        assert.match(String(headers["x-request-id"]), /^req_[0-9a-f]{32}$/);
        assert.equal(headers["x-powered-by"], undefined);
      }
    });

    test("a harmless request id of the client is kept, any other is replaced", async () => {
      const idFor = async (id: string) => {
        const reply = await use().owner.call("GET", "/projects", { headers: { "x-request-id": id } });
        return reply.headers["x-request-id"];
      };
      assert.equal(await idFor("trace-1.a_B"), "trace-1.a_B");
      for (const id of ["two words", "x".repeat(129), '"quoted"'])
        assert.match(String(await idFor(id)), /^req_/);
    });

    test("an origin that is listed may read answers, but never with credentials; others may not", async () => {
      const { owner } = use();
      const listed = await owner.call("GET", "/projects", { headers: { origin: APP } });
      assert.equal(listed.headers["access-control-allow-origin"], APP);
      assert.equal(listed.headers["access-control-allow-credentials"], undefined);
      for (const origin of ["https://evil.example", "null", `${APP}.evil.example`, "http://app.example"]) {
        const other = await owner.call("GET", "/projects", { headers: { origin } });
        assert.notEqual(other.headers["access-control-allow-origin"], origin);
        assert.notEqual(other.headers["access-control-allow-origin"], "*");
        assert.equal(other.headers["access-control-allow-credentials"], undefined);
      }
      const preflight = await use().nobody.call("OPTIONS", "/projects", {
        headers: {
          origin: APP,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,content-type",
        },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers["access-control-allow-origin"], APP);
      assert.match(String(preflight.headers["access-control-allow-headers"]), /authorization/);
      assert.equal(preflight.headers["access-control-allow-credentials"], undefined);
    });

    test("the scheme of the authorization is read in any case, and only Bearer is taken", async () => {
      const { nobody, home } = use();
      const status = async (authorization: string) =>
        (await nobody.call("GET", "/projects", { headers: { authorization } })).status;
      for (const good of [`bearer ${home.ownerKey}`, `BEARER  ${home.ownerKey}`]) {
        assert.equal(await status(good), 200);
      }
      const bad = [home.ownerKey, "Bearer", "Bearer ", `Basic ${home.ownerKey}`, `Bearer ${home.ownerKey} x`];
      for (const value of [...bad, `Bearer ${home.ownerKey}x`, `Bearer ${"k".repeat(8000)}`]) {
        assert.equal(await status(value), 401, value.slice(0, 80));
      }
    });

    test("two Authorization headers are a malformed one, in either order", async () => {
      const { baseUrl, home } = use();
      const status = (first: string, second: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = ["Authorization", first, "Authorization", second, "Host", new URL(baseUrl).host];
          get(`${baseUrl}/api/v1/projects`, { headers }, (response) => {
            response.resume();
            resolve(response.statusCode);
          }).on("error", reject);
        });
      const good = `Bearer ${home.ownerKey}`;
      assert.equal(await status(good, "Bearer kcs_other"), 401);
      assert.equal(await status("Bearer kcs_other", good), 401);
      assert.equal(await status(good, good), 401);
    });
  });

  describe("ids", () => {
    test("ids carry 128 random bits", async () => {
      const { owner } = use();
      const schema = { ontology: { hierarchy: [{ level: 0, node_types: {} }], edge_types: [] } };
      const ids: string[] = [];
      for (let round = 0; round < 20; round++) {
        const projectId = await createProject(owner);
        const ontology = await owner.succeed("createOntology", { body: { name: "Ids", schema } });
        ids.push(projectId, ontology.id, await ingest(owner, projectId, { text: "Id.", source_doc_id: "i" }));
      }
      assert.equal(new Set(ids).size, 60);
      const digits = ids.map((id) => /^(?:prj|ont|job)_([0-9a-f]{32})$/.exec(id)?.[1] ?? "");
      for (let place = 0; place < 32; place++) {
        const seen = new Set(digits.map((text) => text[place]));
        assert.ok(seen.size > 6, `place ${place} has only ${[...seen].join(" ")}`);
      }
    });
  });

  test("health, readiness and metrics need no key and name no account", async () => {
    const { nobody, owner } = use();
    assert.equal((await nobody.root("GET", "/health")).status, 200);
    const processes = setting.database === "sqlite" ? {} : { processes: { running: 1, differ_in: [] } };
    assert.deepEqual((await nobody.root("GET", "/ready")).json, { status: "ready", ...processes });
    const projectId = await createProject(owner);
    await owner.succeed("getProject", { params: { project_id: projectId } });
    const metrics = await nobody.root("GET", "/metrics");
    assert.match(String(metrics.headers["content-type"]), /^text\/plain/);
    assert.match(metrics.text, /^# TYPE /m);
    assert.ok(!metrics.text.includes(projectId));
    assert.ok(metrics.text.includes('route="/api/v1/projects/:project_id"'));
  });
});
