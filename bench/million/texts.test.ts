import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writeDocument } from "../soak/prose.ts";
import { createRandom } from "../soak/random.ts";
import { openTexts } from "./texts.ts";

test("mixed documents name the chunks that they are mixed of, and no chunk occurs twice", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-texts-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const random = createRandom(3);
  const rows = Array.from({ length: 12 }, (_, at) => ({ _id: String(at), text: writeDocument(random, 60) }));
  await writeFile(join(folder, "a.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const { real, realChunks, unused, mix } = await openTexts(folder, 10);
  assert.ok(realChunks >= 10);
  const others = unused(1);
  assert.ok(!real.some(({ source_doc_id: id }) => id === others[0]?.source_doc_id));
  const mixed = [...mix()].slice(0, 40);
  const known = new Set(real.flatMap(({ texts }) => texts));
  for (const { chunks } of mixed) {
    for (const { text, one, other } of chunks) {
      assert.ok(!known.has(text));
      known.add(text);
      for (const number of [one, other])
        assert.ok(Number.isInteger(number) && number >= 0 && number < realChunks);
    }
  }
});
