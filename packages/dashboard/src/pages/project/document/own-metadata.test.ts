import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataLabel } from "./own-metadata.ts";

test("what the service reads from a file has a label as all others, what users wrote stays as it is", () => {
  const shown = ["date", "author", "ocr_pages"];
  assert.deepEqual(
    shown.map((key) => metadataLabel(key, shown)),
    ["Date", "author", "Pages with recognised text"],
  );
  assert.equal(metadataLabel("date", ["date", "Date"]), "date", "another key has that name");
});
