/** A PDF of 3,000 pages as a book has them, in the default limits, from its upload to answers that name its pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makePdf } from "../files/make-pdf.ts";
import { upload } from "../support/files.ts";
import { readSuccess } from "../support/http-client.ts";
import { createProject, longText, waitForJob } from "../support/ingestion.ts";
import { describeOnEach, useService } from "../support/service.ts";

const PAGES = 3_000;
const LINES = 4;
/** More than a chunk has. */
const CHUNK_PAGES = 8;
/** Longer than beside other tests it should take. */
const LIMIT_MS = 14 * 60_000;
/** Each names its page, so that an answer tells whether the page is the right one. */
const nameOf = (page: number) => `quay-${page}`;

/** No two pages are alike. */
function makeBook(): Buffer {
  const lines = longText(PAGES * (LINES - 1), "the harbour").split(". ");
  return makePdf(
    Array.from({ length: PAGES }, (_, page) => {
      const told = lines.slice(page * (LINES - 1), (page + 1) * (LINES - 1)).map((line) => `${line}.`);
      const named = `The keeper of page ${page + 1} lives at ${nameOf(page + 1)}.`;
      return [named, ...told].map((text, line) => ({ text, at: [50, 700 - line * 14] as const }));
    }),
  );
}

describeOnEach((setting) => {
  const use = useService(setting, {});

  test("a PDF of 3,000 pages is ingested whole, and answers name its pages", {
    timeout: LIMIT_MS,
  }, async (context) => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const params = { project_id };
    const id = "book.pdf";
    const book = makeBook();
    const { jobs } = readSuccess(
      "uploadFiles",
      await upload(owner, project_id, [{ path: id, content: book }]),
    );
    const began = performance.now();
    const job = await waitForJob(owner, project_id, jobs[0]?.job_id ?? "", LIMIT_MS);
    assert.equal(job.status, "completed", job.error_message ?? "");
    const document = await owner.succeed("getDocument", { params: { ...params, source_doc_id: id } });
    const { text } = document;
    assert.ok(text !== null && document.chunks.length === job.chunks_processed);
    const starts = Array.from({ length: PAGES }, (_, page) =>
      text.indexOf(`The keeper of page ${page + 1} lives`),
    );
    assert.ok(starts.every((start, at) => start > (starts[at - 1] ?? -1)));
    for (const { start, page } of document.chunks) {
      const expected = Math.max(1, starts.findLastIndex((first) => first <= start) + 1);
      assert.equal(page, expected, `the chunk at ${start}`);
    }
    assert.ok((document.chunks.at(-1)?.end ?? 0) > (starts.at(-1) ?? Number.NaN));
    const body = { query: nameOf(PAGES), top_k: 3, include: ["provenance"] };
    const { results } = await owner.succeed("query", { params, body });
    const found = results.chunks.find(({ text }) => text.includes(`${nameOf(PAGES)}.`));
    // Its chunk begins some short pages before.
    assert.ok((found?.page ?? 0) > PAGES - CHUNK_PAGES, String(found?.page));
    context.diagnostic(
      `${job.chunks_processed} chunks in ${Math.round((performance.now() - began) / 1_000)} s`,
    );
  });
});
