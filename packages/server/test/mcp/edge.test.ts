import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { assertFault, type Reply } from "../support/http-client.ts";
import { createProject } from "../support/ingestion.ts";
import { describeOnEach, startSession, useService } from "../support/service.ts";
import { connect, REVISIONS } from "./connect.ts";

type Listed = Awaited<ReturnType<Client["listResources"]>>;

const PAGE = "https://app.example.com";
const ACCEPT = { accept: "application/json, text/event-stream" };
/** Of the error in a reply, which is JSON or an event with it. */
const codeOf = (text: string) => Number(/"code":(-\d+)/.exec(text)?.[1]);
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describeOnEach((setting) => {
  const use = useService(setting, { KCS_CORS_ORIGINS: PAGE });

  const post = (headers: Record<string, string | undefined> = {}, body: unknown = LIST): Promise<Reply> =>
    use().owner.root("POST", "/mcp", { headers: { ...ACCEPT, ...headers }, body });

  test("without a right key nobody gets in, whatever the protocol's revision", async () => {
    const { nobody, owner } = use();
    for (const authorization of [
      undefined,
      "Bearer kcs_wrong",
      "Basic a2NzOg==",
      `${await owner.readKey()}`,
    ]) {
      const reply = await nobody.root("POST", "/mcp", {
        headers: { ...ACCEPT, ...(authorization === undefined ? {} : { authorization }) },
        body: LIST,
      });
      assertFault(reply, 401, "Invalid API key");
      assert.equal(reply.headers["www-authenticate"], "Bearer");
    }
    for (const revision of REVISIONS) {
      await assert.rejects(connect(use(), "kcs_wrong", revision), /401|Unauthorized|Invalid API key/i);
    }
  });

  test("a session of the dashboard opens nothing here: pages act through it, programs have keys", async () => {
    const { nobody, baseUrl } = use();
    const origin = new URL(baseUrl).origin;
    const cookie = await startSession(nobody, origin);
    const headers = { ...ACCEPT, origin, cookie, "sec-fetch-site": "same-origin" };
    assert.equal((await nobody.call("POST", "/projects", { headers, body: { name: "Mine" } })).status, 200);
    assertFault(await nobody.root("POST", "/mcp", { headers, body: LIST }), 401, "Invalid API key");
  });

  test("only the service's own name and this machine's lead to it", async () => {
    for (const host of ["localhost", "127.0.0.1:9", "[::1]:8080", "LOCALHOST:80"]) {
      assert.equal((await post({ host })).status, 200, host);
    }
    for (const host of [
      "rebound.example",
      "127.0.0.1.rebound.example",
      "localhost.example:80",
      "a@localhost",
    ]) {
      assertFault(await post({ host }), 403, /^Host: got .* Set KCS_PUBLIC_URL/);
    }
  });

  test("pages call it from listed origins alone; programs send none", async () => {
    const listed = await post({ origin: PAGE });
    assert.equal(listed.status, 200);
    assert.equal(listed.headers["access-control-allow-origin"], PAGE);
    assert.equal((await post({ origin: use().baseUrl })).status, 200);
    for (const origin of ["https://other.example.com", "null", "http://localhost:1"]) {
      assertFault(await post({ origin }), 403, /^Origin: pages of .* KCS_CORS_ORIGINS/);
    }
    const preflight = await use().nobody.root("OPTIONS", "/mcp", {
      headers: {
        origin: PAGE,
        "access-control-request-method": "POST",
        "access-control-request-headers":
          "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name",
      },
    });
    assert.equal(preflight.status, 204);
    assert.match(String(preflight.headers["access-control-allow-headers"]), /mcp-protocol-version/);
  });

  test("nothing is kept between requests: no session is given, and none is asked for", async () => {
    const { owner } = use();
    const listed = await post();
    assert.equal(listed.status, 200);
    assert.equal(listed.headers["mcp-session-id"], undefined);
    assert.equal(listed.headers["cache-control"], "no-store");
    assert.match(listed.text, /"name":"query"/);
    for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD"]) {
      const { status, headers } = await owner.root(method, "/mcp", { headers: ACCEPT });
      assert.deepEqual([status, headers.allow], [405, "POST"], method);
    }
  });

  test("bodies are bounded, and what is no message is refused", async () => {
    const { owner } = use();
    const params = { name: "query", arguments: { query: "x".repeat(2 * 1024 * 1024) } };
    assertFault(await post({}, { ...LIST, method: "tools/call", params }), 413, /too large/);
    assertFault(await post({}, Array(9).fill(LIST)), 400, "body: has 9 messages, expected at most 8");
    const broken = await owner.root("POST", "/mcp", {
      headers: { ...ACCEPT, "content-type": "application/json" },
      raw: "{",
    });
    assertFault(broken, 400, /not valid JSON/);
    const form = { ...ACCEPT, "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await owner.root("POST", "/mcp", { headers: form, raw: "a=b" })).status, 415);
    for (const body of [1, "x", {}, [], [1], { jsonrpc: "2.0" }, { ...LIST, method: 5 }]) {
      const { status } = await post({}, body);
      assert.ok(status >= 400 && status < 500, `${JSON.stringify(body)} was answered ${status}`);
    }
  });

  test("a batch with one id for two requests is refused before any is carried out", async () => {
    const { stranger } = use();
    const project_id = await createProject(stranger, "Batches");
    const ingest = (id: number, source_doc_id: string) => {
      const args = { project_id, source_doc_id, text: "A text." };
      return { ...LIST, id, method: "tools/call", params: { name: "ingest_text", arguments: args } };
    };
    const headers = { authorization: `Bearer ${await stranger.readKey()}` };
    const listed = async () => (await stranger.succeed("listDocuments", { params: { project_id } })).total;
    const refused = await post(headers, [ingest(1, "a"), ingest(2, "b"), ingest(1, "c")]);
    assert.equal(refused.status, 400);
    assert.equal(codeOf(refused.text), -32_600);
    assert.match(refused.text, /two requests have the id 1, expected one for each/);
    assert.equal(await listed(), 0);
    const taken = await post(headers, [ingest(1, "a"), ingest(2, "b"), ingest(3, "c")]);
    assert.equal(taken.text.match(/"isError"/), null);
    assert.deepEqual([...taken.text.matchAll(/"id":(\d)/g)].map(([, id]) => id).sort(), ["1", "2", "3"]);
    assert.equal(await listed(), 3);
    await stranger.succeed("deleteProject", { params: { project_id } });
  });

  test("wrong parameters of a method are the caller's fault, in a short text", async () => {
    for (const [method, params, says] of [
      ["initialize", {}, "params.protocolVersion: Invalid input: expected string, received undefined; "],
      ["initialize", undefined, "params: Invalid input: expected object, received undefined"],
      ["tools/list", { cursor: 1 }, "params.cursor: Invalid input: expected string, received number"],
      ["tools/call", {}, "params.name: Invalid input: expected string, received undefined"],
      ["tools/call", { name: "query", arguments: 1 }, "params.arguments: Invalid input: "],
    ] as const) {
      const { text } = await post({}, { jsonrpc: "2.0", id: 1, method, params });
      assert.equal(codeOf(text), -32_602, `${method} ${text}`);
      assert.ok(text.includes(`"Invalid params for ${method}: ${says}`), text);
      assert.ok(text.length < 400, text);
    }
  });

  test("documents are resources: listed page by page over all projects, read under odd names, in pieces", async () => {
    const { stranger, owner } = use();
    const names = [
      "...",
      "a/b, c",
      "50%",
      "?x#y",
      "å 🙂",
      ...Array.from({ length: 110 }, (_, at) => `n${at}`),
    ];
    const [first, empty, second] = [
      await createProject(stranger, "First"),
      await createProject(stranger, "Empty"),
      await createProject(stranger, "Second"),
    ];
    const long = "The tower of glass 🙂. ".repeat(6_000);
    const send = (project_id: string, documents: readonly { text: string; source_doc_id: string }[]) =>
      stranger.succeed("ingestBatch", { params: { project_id }, body: { documents } });
    await send(
      first,
      names.map((source_doc_id) => ({ source_doc_id, text: `About ${source_doc_id}.` })),
    );
    await send(second, [{ source_doc_id: "long", text: long }]);
    const { client } = await connect(use(), await stranger.readKey());
    const uris: string[] = [];
    let [cursor, pages]: [string | undefined, number] = [undefined, 0];
    do {
      const page: Listed = await client.request({
        method: "resources/list",
        params: cursor === undefined ? {} : { cursor },
      });
      uris.push(...page.resources.map((resource) => resource.uri));
      assert.ok(page.resources.length <= 100);
      [cursor, pages] = [page.nextCursor, pages + 1];
    } while (cursor !== undefined);
    assert.equal(pages, 2);
    assert.equal(new Set(uris).size, names.length + 1);
    assert.ok(!uris.some((uri) => uri.includes(empty)));
    for (const name of names.slice(0, 6)) {
      const uri = `kcs://projects/${first}/documents/${encodeURIComponent(name)}`;
      assert.ok(uris.includes(uri));
      const { contents } = await client.readResource({ uri });
      assert.deepEqual(contents, [{ uri, mimeType: "text/plain", text: `About ${name}.` }]);
    }
    let [uri, read]: [string, string] = [`kcs://projects/${second}/documents/long`, ""];
    for (;;) {
      const { contents } = await client.readResource({ uri });
      const [piece, rest] = contents;
      assert.ok(piece !== undefined && "text" in piece && piece.text.length <= 100_000);
      read += piece.text;
      if (rest === undefined) break;
      assert.ok("text" in rest && rest.text.includes(rest.uri));
      uri = rest.uri;
    }
    assert.equal(read, long);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["kcs://projects/{project_id}/documents/{source_doc_id}{?start}"],
    );
    await assert.rejects(client.request({ method: "resources/list", params: { cursor: "x" } }), /cursor: /);
    for (const [method, params] of [
      ["resources/list", { cursor: {} }],
      ["resources/list", { cursor: null }],
      ["resources/templates/list", { cursor: 1 }],
      ["resources/read", { uri: {} }],
      ["resources/read", {}],
    ] as const) {
      const { text } = await post({}, { jsonrpc: "2.0", id: 1, method, params });
      assert.equal(codeOf(text), -32_602, `${method} ${text}`);
    }
    for (const other of [
      `kcs://projects/${first}/documents/none`,
      "kcs://projects/x/documents/y",
      "file:///etc/passwd",
    ]) {
      await assert.rejects(client.readResource({ uri: other }), /There is no document at /);
    }
    await client.close();
    const foreign = await connect(use(), await owner.readKey());
    await assert.rejects(foreign.client.readResource({ uri }), /access to this project/);
    const seen = await foreign.client.listResources();
    assert.deepEqual(
      seen.resources.filter((resource) => uris.includes(resource.uri)),
      [],
    );
    await foreign.client.close();
    for (const project_id of [first, second])
      await stranger.succeed("deleteProject", { params: { project_id } });
  });

  test("what is deleted between two pages of resources takes no other document out of the list", async () => {
    const { stranger } = use();
    const namesOf = (name: string) =>
      Array.from({ length: 110 }, (_, at) => `${name} ${String(at).padStart(3, "0")}`);
    const ids: string[] = [];
    for (const name of ["Old", "Middle", "New"]) {
      const project_id = await createProject(stranger, name);
      ids.push(project_id);
      const documents = namesOf(name).map((source_doc_id) => ({ source_doc_id, text: "A tower." }));
      await stranger.succeed("ingestBatch", { params: { project_id }, body: { documents } });
    }
    const [old = "", middle = "", newest = ""] = ids;
    const { client } = await connect(use(), await stranger.readKey());
    const namesAfter = async (cursor: string | undefined) => {
      const page: Listed = await client.request({
        method: "resources/list",
        params: cursor === undefined ? {} : { cursor },
      });
      return { names: page.resources.map(({ name }) => name), next: page.nextCursor };
    };
    const first = await namesAfter(undefined);
    const second = await namesAfter(first.next);
    assert.equal(second.names.at(-1), "Middle 089");
    for (const source_doc_id of ["Middle 003", "Middle 100"])
      await stranger.succeed("deleteDocument", { params: { project_id: middle, source_doc_id } });
    await stranger.succeed("deleteProject", { params: { project_id: newest } });
    const third = await namesAfter(second.next);
    const rest = [...namesOf("Middle").slice(90), ...namesOf("Old")].filter((name) => name !== "Middle 100");
    assert.deepEqual(third.names, rest.slice(0, 100));
    await stranger.succeed("deleteProject", { params: { project_id: middle } });
    const last = await namesAfter(third.next);
    assert.deepEqual([last.names, last.next], [rest.slice(100), undefined]);
    await client.close();
    await stranger.succeed("deleteProject", { params: { project_id: old } });
  });
});
