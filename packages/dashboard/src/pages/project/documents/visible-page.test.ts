import assert from "node:assert/strict";
import { test } from "node:test";
import { documentsPerPage, pageLimit } from "../../../api/document-pages.ts";
import { visiblePage } from "./visible-page.ts";

const documents = Array.from({ length: 195 }, (_, at) => ({ source_doc_id: `doc ${at}` }));

test("after all of a page is deleted it has the next documents, and the count is without the deleted ones", () => {
  const hidden = new Set(documents.slice(0, documentsPerPage).map(({ source_doc_id: id }) => id));
  const listed = { documents: documents.slice(0, pageLimit(hidden.size)), total: documents.length };
  const { rows, total } = visiblePage(listed, hidden);
  assert.deepEqual([rows.length, rows[0]?.source_doc_id, total], [50, "doc 50", 145]);
});

test("a page without deletions is as the service lists it", () => {
  const listed = { documents: documents.slice(0, pageLimit(0)), total: documents.length };
  assert.deepEqual(visiblePage(listed, new Set()), { rows: listed.documents, total: 195 });
});
