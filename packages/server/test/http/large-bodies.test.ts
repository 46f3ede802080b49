/** Bodies that are read in another thread: nobody must be able to tell but by the time it takes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../support/http-client.ts";
import { createProject, placedChunks, waitForJob } from "../support/ingestion.ts";
import { createAccount, describeOnEach, useService } from "../support/service.ts";

/** More than is read at once; white space in JSON says nothing. */
const PADDING = " ".repeat(300 * 1024);
const NOTE = { text: "The lamp of Skarvik Head was lit in 1871. \0 é→𝄞", source_doc_id: "lamp" };
const padded = (value: unknown) => `${PADDING}${JSON.stringify(value)}`;

describeOnEach((setting) => {
  const use = useService(setting);

  test("what a large body says is what a small one says, to the last character", async () => {
    const { owner } = use();
    const params = { project_id: await createProject(owner) };
    const send = async (path: string, raw: string) => {
      const reply = await owner.call("POST", `/projects/${params.project_id}/${path}`, { raw });
      assert.equal(reply.status, 200, reply.text);
      const { jobs } = await owner.succeed("listJobs", { params });
      const job = await waitForJob(owner, params.project_id, jobs[0]?.job_id ?? "");
      assert.equal(job.status, "completed", job.error_message ?? "");
      return placedChunks(owner, params.project_id);
    };
    const chunks = await send("ingest", JSON.stringify(NOTE));
    assert.equal(chunks[0]?.text, NOTE.text);
    // The same text leaves the version as it is, which its hash decides: a chunk's id names the version.
    assert.deepEqual(await send("ingest", padded(NOTE)), chunks);
    assert.deepEqual(await send("ingest/batch", padded({ documents: [NOTE] })), chunks);
    const [replaced] = await send("ingest", padded({ ...NOTE, text: `${NOTE.text}.` }));
    assert.equal(replaced?.text, `${NOTE.text}.`);
  });

  test("fetch is told why a body of 50 MB was refused, though it had not sent all of it", async () => {
    const { owner, baseUrl } = use();
    const piece = new Uint8Array(1_000_000).fill(32);
    const streamed = () => {
      let left = 50;
      return new ReadableStream({
        pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()),
      });
    };
    const headers = { "content-type": "application/json" };
    const refused = async (key: string, body: Uint8Array<ArrayBuffer> | ReadableStream) => {
      const answer = await fetch(`${baseUrl}/api/v1/projects`, {
        ...{ method: "POST", body, headers: { ...headers, authorization: `Bearer ${key}` } },
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      });
      return [answer.status, await answer.json()];
    };
    for (const body of [() => new Uint8Array(50_000_000).fill(32), streamed]) {
      const tooLarge = [413, { detail: "body: is too large for this endpoint" }];
      assert.deepEqual(await refused(await owner.readKey(), body()), tooLarge);
      assert.deepEqual(await refused("kcs_nobody", body()), [401, { detail: "Invalid API key" }]);
    }
  });

  test("nothing of a body is accepted that ends more than a second after its key was deleted", async () => {
    const { nobody, baseUrl } = use();
    const { key, revokeKey } = await createAccount(nobody, baseUrl);
    const project_id = await createProject(createClient(baseUrl, key));
    async function* halves() {
      const [first, second] = [PADDING, JSON.stringify(NOTE)];
      yield Buffer.from(first);
      await revokeKey();
      await sleep(1_000); // The promise is about this second.
      yield Buffer.from(second);
    }
    const answer = await fetch(`${baseUrl}/api/v1/projects/${project_id}/ingest`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: ReadableStream.from(halves()),
      duplex: "half",
    });
    assert.deepEqual([answer.status, await answer.json()], [401, { detail: "Invalid API key" }]);
  });

  test("credentials, form, access and shape are checked in the same order, with the same answers", async () => {
    const { owner, stranger, nobody } = use();
    const path = `/projects/${await createProject(owner)}/ingest`;
    for (const [url, body] of [
      [path, { ...NOTE, text: 7 }],
      [path, { ...NOTE, text: `x${"y".repeat(11 << 20)}` }],
      [`${path}/batch`, { documents: [NOTE, { text: " " }] }],
      [`${path}/batch`, { documents: [] }],
    ] as const) {
      const small = await owner.call("POST", url, { raw: JSON.stringify(body) });
      const large = await owner.call("POST", url, { raw: padded(body) });
      assert.ok(small.status === 400 || small.status === 413, small.text);
      assert.deepEqual([large.status, large.json], [small.status, small.json]);
      assert.equal((await stranger.call("POST", url, { raw: padded(body) })).status, 403);
      assert.equal((await nobody.call("POST", url, { raw: padded(body) })).status, 401);
      for (const client of [owner, stranger]) {
        const cut = await client.call("POST", url, { raw: padded(body).slice(0, -1) });
        assert.deepEqual(
          [cut.status, cut.json],
          [400, { detail: "body: is not valid JSON, expected a JSON object" }],
        );
      }
    }
    const headers = { "content-encoding": "gzip" };
    assert.equal((await owner.call("POST", path, { raw: padded(NOTE), headers })).status, 415);
  });
});
