import assert from "node:assert/strict";
import { test } from "node:test";
import { listingOf, readDocumentsAddress } from "./documents-address.ts";

test("an address is read without what it cannot mean, and says what is listed", () => {
  const address = { find: 7, state: "failed", sort: "-updated", columns: ["year", "year", 3, ""], from: 50 };
  const read = readDocumentsAddress(address);
  assert.deepEqual(read, { find: "7", state: "failed", sort: "-updated", columns: ["year"], from: 50 });
  assert.deepEqual(listingOf(read), {
    ...{ find: "7", from: 50, state: "failed" },
    ...{ sort: "updated_at", order: "desc" },
  });
  const wrong = { find: {}, state: "done", sort: "size", columns: "year", from: -1 };
  assert.deepEqual(readDocumentsAddress(wrong), {});
  assert.deepEqual(listingOf({}), { find: "", from: 0 });
  assert.deepEqual(listingOf({ sort: "-name" }), { find: "", from: 0, sort: "source_doc_id", order: "desc" });
});
