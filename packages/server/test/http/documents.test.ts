import assert from "node:assert/strict";
import { test } from "node:test";
import { assertFault, type Client } from "../support/http-client.ts";
import {
  createProject,
  ingest,
  ingestAll,
  longText,
  placedChunks,
  waitForJob,
} from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

/** Ids that a path has to carry. */
const ODD_IDS = [
  "notes/2031/04.md",
  "?a=b&c#d",
  "50%",
  "å/ñ 🙂",
  "...",
  "../b",
  "a b+c",
  "%2F",
  "x".repeat(512),
];

describeOnEach((setting) => {
  const use = useService(setting);

  const listAll = async (owner: Client, project_id: string, query = {}) =>
    owner.succeed("listDocuments", { params: { project_id }, query });

  test("a document is listed, read with its text and chunks, and deleted, whatever its id", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const jobs = await ingestAll(
      owner,
      project_id,
      ODD_IDS.map((source_doc_id, at) => ({
        ...{ source_doc_id, text: `The ledger number ${at} is kept in the tower.` },
        metadata: { shelf: at },
      })),
    );
    const { documents, total } = await listAll(owner, project_id);
    assert.equal(total, ODD_IDS.length);
    assert.deepEqual(new Set(documents.map((document) => document.source_doc_id)), new Set(ODD_IDS));
    for (const [at, source_doc_id] of ODD_IDS.entries()) {
      const params = { project_id, source_doc_id };
      const { text, chunks, status, metadata, job_id, bytes } = await owner.succeed("getDocument", {
        params,
      });
      assert.deepEqual([status, metadata, job_id], ["indexed", { shelf: at }, jobs[at]?.job_id]);
      assert.equal(text, `The ledger number ${at} is kept in the tower.`);
      assert.ok(bytes > (text ?? "").length);
      assert.equal(chunks.length, 1);
      await owner.succeed("deleteDocument", { params });
      assertFault(await owner.endpoint("getDocument", { params }), 404, "Document not found");
      assertFault(await owner.endpoint("deleteDocument", { params }), 404, "Document not found");
    }
    assert.deepEqual(await placedChunks(owner, project_id), []);
    assert.equal((await listAll(owner, project_id)).total, 0);
  });

  test("lists are paged and searched; wrong parameters are told to who may see the project", async () => {
    const { owner, stranger } = use();
    const project_id = await createProject(owner);
    const documents = ["b", "a", "c", "ab"].map((source_doc_id) => ({
      source_doc_id,
      text: "A short note.",
    }));
    await ingestAll(owner, project_id, documents);
    const ids = async (query: Record<string, string | number>) => {
      const page = await listAll(owner, project_id, query);
      return [page.documents.map((document) => document.source_doc_id).join(" "), page.total];
    };
    assert.deepEqual(await ids({}), ["a ab b c", 4]);
    assert.deepEqual(await ids({ limit: 2, offset: 1 }), ["ab b", 4]);
    assert.deepEqual(await ids({ search: "B" }), ["ab b", 2]);
    assert.deepEqual(await ids({ offset: 100 }), ["", 4]);
    assert.deepEqual(await ids({ order: "desc", limit: 2 }), ["c b", 4]);
    await ingestAll(owner, project_id, [{ source_doc_id: "b", text: "A newer note." }]);
    const [newest] = await ids({ sort: "updated_at", order: "desc", limit: 1 });
    assert.equal(newest, "b");
    assert.deepEqual(await ids({ status: "indexed" }), ["a ab b c", 4]);
    assert.deepEqual(await ids({ status: "failed" }), ["", 0]);
    const refused = [
      [{ limit: 0 }, /^limit: got "0", expected an integer from 1 to 1000/],
      [{ limit: 1001 }, /^limit: /],
      [{ offset: -1 }, /^offset: /],
      [{ search: "x".repeat(201) }, /^search: has 201 characters, expected at most 200/],
      [{ search: "\0" }, /^search: /],
      [{ status: "done" }, /^status: expected one of indexed, replacing, pending, running, failed/],
      [{ sort: "size" }, /^sort: expected one of source_doc_id, updated_at/],
      [{ order: "up" }, /^order: expected one of asc, desc/],
    ] as const;
    for (const [query, detail] of refused) {
      const input = { params: { project_id }, query };
      assertFault(await owner.endpoint("listDocuments", input), 400, detail);
      assertFault(await stranger.endpoint("listDocuments", input), 403, /access/);
    }
  });

  test("what is there while a document is replaced, and after it could not be", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const params = { project_id, source_doc_id: "log" };
    await ingestAll(owner, project_id, [{ source_doc_id: "log", text: "The first entry." }]);
    const job_id = await ingest(owner, project_id, {
      source_doc_id: "log",
      text: longText(600, "the tower"),
    });
    const between = await owner.succeed("getDocument", { params });
    if (between.status !== "indexed") {
      assert.deepEqual(
        [between.status, between.text, between.job_id],
        ["replacing", "The first entry.", job_id],
      );
    }
    await waitForJob(owner, project_id, job_id);
    const after = await owner.succeed("getDocument", { params });
    assert.deepEqual([after.status, after.text], ["indexed", longText(600, "the tower")]);
    assert.ok(after.chunks.length > 20);
    assert.ok(after.created_at < after.updated_at);
  });

  test("deleting a document in the middle of its ingestion ends the job and leaves nothing", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const text = longText(2000, "the long watch");
    const first = await ingest(owner, project_id, { source_doc_id: "log", text });
    const second = await ingest(owner, project_id, { source_doc_id: "log", text: "Another." });
    await owner.succeed("deleteDocument", { params: { project_id, source_doc_id: "log" } });
    for (const id of [first, second]) {
      const job = await waitForJob(owner, project_id, id);
      assert.deepEqual([job.status, job.error_message], ["failed", "The document was deleted"]);
    }
    assert.deepEqual(await placedChunks(owner, project_id), []);
    await ingestAll(owner, project_id, [{ source_doc_id: "log", text: "A new beginning." }]);
    assert.deepEqual(
      (await placedChunks(owner, project_id)).map((chunk) => chunk.text),
      ["A new beginning."],
    );
  });

  test("a chunk that a query returns can be read with the text beside it", async () => {
    const { owner, stranger } = use();
    const project_id = await createProject(owner);
    const text = longText(80, "the quay");
    await ingestAll(owner, project_id, [{ source_doc_id: "quay", text }]);
    const { chunks } = await owner.succeed("getDocument", { params: { project_id, source_doc_id: "quay" } });
    const [first, second, third] = chunks;
    assert.ok(first && second && third);
    const params = { project_id, chunk_id: second.chunk_id };
    const chunk = await owner.succeed("getChunk", { params });
    assert.equal(chunk.text, text.slice(second.start, second.end));
    assert.equal(chunk.before, text.slice(first.start, first.end));
    assert.equal(chunk.after, text.slice(third.start, third.end));
    const theirs = await createProject(stranger);
    const foreign = { params: { ...params, project_id: theirs } };
    assertFault(await stranger.endpoint("getChunk", foreign), 404, "Chunk not found");
    for (const chunk_id of ["1", "1.", "0.0", "1.99", "01.0", "1.0 ", "x", "9".repeat(400)]) {
      const reply = await owner.endpoint("getChunk", { params: { project_id, chunk_id } });
      assertFault(reply, 404, "Chunk not found");
    }
  });
});
