import assert from "node:assert/strict";
import { test } from "node:test";
import { BadRequestError, type Client, createClient } from "@kcs/sdk";
import { type Answer, fakeFetch, fault, json } from "../../../sdk/test/fake-fetch.ts";
import type { FoundDocument } from "./find-documents.ts";
import type { Entry, Journal } from "./journal.ts";
import { findOpenJobs, sendDocuments } from "./send.ts";

const refusal = { status: 400, detail: "no", requestId: null, retryAfterSeconds: null };

const document = (id: string): FoundDocument => ({
  ...{ id, bytes: 1, hash: "of the look" },
  read: async () => ({ source_doc_id: id, text: id, metadata: {} }),
});

test("what the service accepted of a batch is recorded, although a later part of it fails", async () => {
  const written: string[] = [];
  const journal: Partial<Journal> = {
    find: () => undefined,
    forget: async () => undefined,
    // Those without a job are written before the answer.
    write: async (entries: readonly (readonly [string, Entry])[]) =>
      void written.push(...entries.flatMap(([id, { job }]) => (job === "" ? [] : [id]))),
  };
  const accept = (ids: readonly string[]) => {
    if (ids.includes("invalid")) throw new BadRequestError(refusal);
    if (ids.includes("late")) throw new Error("the connection was lost");
    return ids.map((id) => ({ job_id: `job of ${id}` }));
  };
  const client = {
    documents: {
      ingestBatch: async (_: string, bodies: readonly { source_doc_id: string }[]) => ({
        jobs: accept(bodies.map((body) => body.source_doc_id)),
      }),
      ingest: async (_: string, body: { source_doc_id: string }) => accept([body.source_doc_id])[0],
    },
  } as unknown as Client; // Has the methods that are called.
  const sending = sendDocuments(["a", "b", "invalid", "late"].map(document), [], {
    ...{ client, projectId: "p", maxBatchDocuments: 10, wait: false },
    journal: journal as Journal, // Likewise.
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  await assert.rejects(sending, /the connection was lost/);
  assert.deepEqual(written, ["a", "b"]);
});

test("a job is lost when the service does not have it, not when a page of a proxy says so", async () => {
  const sent = ["a", { hash: "h", job: "job_a", state: "sent" }] as const;
  const journal: Partial<Journal> = { open: () => [sent] };
  const find = (answer: Answer) => {
    const { fetch } = fakeFetch(() => json({ jobs: [] }), answer);
    const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "kcs_x", fetch });
    const options = { projectId: "p", signal: new AbortController().signal };
    return findOpenJobs(client, { ...options, journal: journal as Journal }); // Has the method that is called.
  };
  assert.deepEqual(await find(fault(404, "Job job_a not found")), { known: [], lost: ["a"] });
  const page = () => new Response("404 page not found", { status: 404 });
  await assert.rejects(find(page), /Something between answered/);
});
