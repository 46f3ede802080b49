import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentOf } from "./attachment.ts";

test("a file has the name that people gave, in which no program sees a folder", () => {
  assert.equal(
    attachmentOf("Häfen: 1/2", ".ttl"),
    "attachment; filename=\"H_fen_ 1_2.ttl\"; filename*=UTF-8''H%C3%A4fen_%201_2.ttl",
  );
  assert.match(attachmentOf(" ", ".csv"), /filename="export\.csv"/);
});
