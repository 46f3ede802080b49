import assert from "node:assert/strict";
import { test } from "node:test";
import { fateOf } from "./job-fate.ts";

const document = {
  ...{ source_doc_id: "a", status: "failed" as const, job_id: "job_2", error_message: "Lost" },
  ...{
    chunks: 0,
    bytes: 1,
    metadata: {},
    created_at: "2031-04-09T10:00:00Z",
    updated_at: "2031-04-09T10:00:00Z",
  },
};
const end = { completed_at: "2031-04-09T09:59:00Z" };
const latest = { documents: [document], total: 1 };

test("a failed job is its document's last one, or was retried, or its document is deleted", () => {
  assert.equal(fateOf({ ...end, job_id: "job_2", source_doc_id: "a" }, latest), "failed");
  assert.equal(fateOf({ ...end, job_id: "job_1", source_doc_id: "a" }, latest), "retried");
  const late = { completed_at: "2031-04-09T10:00:01Z" };
  assert.equal(
    fateOf({ ...late, job_id: "job_1", source_doc_id: "a" }, latest),
    "retried",
    "they overlapped",
  );
  assert.equal(fateOf({ ...end, job_id: "job_1", source_doc_id: "b" }, latest), "deleted");
  const seen = { ...latest, documents: [{ ...document, status: "indexed" as const }] };
  assert.equal(fateOf({ ...end, job_id: "job_2", source_doc_id: "a" }, seen), "outdated");
});

test("of a document that is not among the latest ones nothing is known", () => {
  assert.equal(fateOf({ ...end, job_id: "job_1", source_doc_id: "b" }, { ...latest, total: 2 }), null);
  assert.equal(fateOf({ ...end, job_id: "job_1", source_doc_id: "b" }, undefined), null);
});

test("a failed job that read a document again is not taken for one that was retried", () => {
  const job = { job_id: "job_3", source_doc_id: "a", completed_at: "2031-04-09T11:00:00Z" };
  const read = { ...latest, documents: [{ ...document, status: "indexed" as const }] };
  assert.equal(fateOf(job, read), null);
  const waiting = { ...latest, documents: [{ ...document, status: "pending" as const }] };
  assert.equal(fateOf(job, waiting), "retried");
});
