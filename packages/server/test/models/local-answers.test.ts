/** The models `*-answers` in `fixtures` against what the reference pipeline reads with them; see make_answer_models.py there. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openLocalAnswerFinder } from "../../src/adapters/models/local/answer-finder.ts";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));
const TOLERANCE = 1e-4;

interface Expected {
  /** For each text the number of the text that is asked. */
  readonly asked: readonly number[];
  /** Start, end, score, score of no answer. null: the text is empty. */
  readonly answers: readonly (readonly [number, number, number, number] | null)[];
  readonly windows: readonly (string | null)[];
}

const texts = JSON.parse(await readFile(join(FIXTURES, "texts.json"), "utf8")) as readonly string[];
const names = (await readdir(FIXTURES)).filter((name) => name.endsWith("-answers"));

async function openFixture(name: string) {
  const finder = await openLocalAnswerFinder(await identifyModel(await describeModel(FIXTURES, name)));
  const file = await readFile(join(FIXTURES, name, "expected.json"), "utf8");
  return { finder, expected: JSON.parse(file) as Expected };
}

describe("a local model that answers questions", () => {
  test("is there in three architectures", () => assert.equal(names.length, 3));

  for (const name of names) {
    test(`${name} reads the windows of the reference`, async () => {
      const { finder, expected } = await openFixture(name);
      let longest = 0;
      for (const [at, text] of texts.entries()) {
        if (text === "") continue;
        const question = texts[expected.asked[at]!]!;
        const windows = await finder.tokenize(question, text);
        longest = Math.max(longest, windows.length);
        // A text without tokens is not read; the reference reads one window without a passage.
        if (windows.length === 0) continue;
        const hash = createHash("sha256").update(JSON.stringify(windows)).digest("hex").slice(0, 12);
        assert.equal(hash, expected.windows[at], JSON.stringify([question, text]));
      }
      assert.ok(longest > 10, `${longest} windows at most`);
      await finder.close();
    });

    test(`${name} finds the answers of the reference, with its scores`, async () => {
      const { finder, expected } = await openFixture(name);
      for (const [at, text] of texts.entries()) {
        const question = texts[expected.asked[at]!]!;
        const { spans, noAnswerScore } = await finder.find(question, text);
        const [start, end, score, none] = expected.answers[at] ?? [0, 0, 0, 1];
        const where = `${JSON.stringify([question, text])}: ${JSON.stringify(spans.slice(0, 2))}`;
        assert.ok(Math.abs(noAnswerScore - none) < TOLERANCE, `${where}, none ${noAnswerScore}, not ${none}`);
        const found = spans[0]?.score ?? 0;
        assert.ok(Math.abs(found - score) < TOLERANCE, `${where}, not ${score}`);
        // Where two answers score the same, either may come first.
        const others = spans.filter((span) => span.score > found - TOLERANCE);
        if (score > 0)
          assert.ok(
            others.some((span) => span.start === start && span.end === end),
            `${where}, not ${start}–${end}`,
          );
      }
      await finder.close();
    });
  }

  test("reads a question that leaves no room, and finds nothing in a blank passage", async () => {
    const { finder } = await openFixture("bert-answers");
    const windows = await finder.tokenize(
      "who lit the lamp ".repeat(100),
      "The lighthouse at Orrin Point. ".repeat(40),
    );
    assert.ok(windows.length > 1 && windows.every(({ length }) => length <= 96), `${windows.length}`);
    const found = await finder.find("who lit the lamp ".repeat(100), "Maud Pell lit the lamp.");
    assert.ok(found.spans.length > 0);
    assert.deepEqual(await finder.find("who?", " \n"), { spans: [], noAnswerScore: 1 });
    await finder.close();
  });
});
