import assert from "node:assert/strict";
import { test } from "node:test";
import { textFileName } from "./text-file-name.ts";

test("a text is saved as a text, whatever it was made from", () => {
  assert.equal(textFileName("manuals/pump.pdf", true), "pump.pdf.txt");
  assert.equal(textFileName("letter.docx", true), "letter.docx.txt");
  assert.equal(textFileName("notes.md", true), "notes.md.txt");
  assert.equal(textFileName("notes.md", false), "notes.md");
  assert.equal(textFileName("LOG.TXT", true), "LOG.TXT");
  assert.equal(textFileName("https://example.com/", true), "example.com.txt");
  assert.equal(textFileName("///", false), "text.txt");
});
