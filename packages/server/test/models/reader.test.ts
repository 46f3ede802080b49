/** The bundled reader of questions and passages: what it tells of a few invented ones, whatever processor computes it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type ClosableReader, openMiniLmReader } from "../../src/adapters/models/minilm-reader.ts";

const header = "Ferry";
const text =
  "The ferry to Marrow Island leaves at seven in the morning. A return ticket costs twelve crowns.";

describe("the bundled reader", () => {
  let cacheDir: string;
  let reader: ClosableReader;
  before(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "kcs-reader-"));
    reader = await openMiniLmReader(cacheDir);
  });
  after(async () => {
    await reader.close();
    await rm(cacheDir, { recursive: true, force: true });
  });

  test("tells a passage that answers from one that only speaks of the same, and where the answer is", async () => {
    const spanOf = async (question: string) => {
      const { logit, span } = await reader.read(question, { header, text });
      return { logit, words: span === null ? "" : text.slice(span.start, span.end) };
    };
    const time = await spanOf("When does the ferry to Marrow Island leave?");
    const price = await spanOf("How much is a return ticket?");
    assert.match(time.words, /seven/);
    assert.match(price.words, /twelve/);
    const near = await spanOf("Who is the captain of the ferry to Marrow Island?");
    const other = await spanOf("What is the boiling point of ethanol?");
    for (const answered of [time, price])
      for (const { logit } of [near, other])
        assert.ok(answered.logit > logit + 1, `${answered.logit} ${logit}`);
  });

  test("takes texts of any length and kind, and is the same each time", async () => {
    for (const given of ["", "\ud800", "漢字", "x".repeat(50_000), `${text} `.repeat(500)]) {
      const { logit, span } = await reader.read(given, { header: given, text: given });
      assert.ok(Number.isFinite(logit));
      assert.ok(span === null || (span.start >= 0 && span.end <= given.length && span.start <= span.end));
    }
    const twice = await Promise.all([1, 2].map(() => reader.read("How much?", { header, text })));
    assert.deepEqual(twice[0], twice[1]);
  });
});
