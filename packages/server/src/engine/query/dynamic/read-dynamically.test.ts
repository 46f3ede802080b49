import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { errors } from "../../../domain/errors.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import { createTestAnswerer, readNothing } from "./test-answerer.ts";
import { answer, ask, HOP, TEXTS } from "./test-questions.ts";

describe("with the bundled reader", () => {
  const texts = createTestAnswerer(TEXTS);
  const answerOf: Answerer["answer"] = async (question) => {
    const found = await texts.answer(question);
    return found && { ...found, chunks: found.chunks.map((chunk) => ({ ...chunk, cosine: 0.5 })) };
  };
  const readBy = (read: Answerer["read"]): Answerer => ({ answer: answerOf, read });

  test("it reads the best passages of all steps, once; where it finds no answer, the summary denies one", async () => {
    const read: (readonly string[])[] = [];
    const answerer = readBy(async (question, chunks) => {
      read.push([question.query, ...chunks.map(({ sourceDocId }) => sourceDocId)]);
      return { logit: -4, place: null };
    });
    const found = await answer(ask(HOP), { answerer });
    assert.equal(read.length, 1);
    assert.ok(read[0]?.includes(HOP) && read[0]?.includes("Odile Brandt"));
    assert.match(found?.summary ?? "", /^No passage that was found answers this\./);
    assert.equal(found?.isDenied, true);
  });

  test("the summary begins with the sentence that it found", async () => {
    const [, text = ""] = TEXTS;
    const start = text.indexOf("Kestrel");
    const place = { versionId: 2, start, end: start + "Kestrel Bay".length };
    const found = await answer(ask(HOP), { answerer: readBy(async () => ({ logit: 4, place })) });
    assert.match(found?.summary ?? "", /born in Kestrel Bay\./);
    assert.equal(found?.isDenied, false);
  });

  test("what the search alone denies stays denied, and its passages have the probability that they answer", async () => {
    const answerer: Answerer = {
      async answer(question) {
        const found = await answerOf(question);
        return found && { ...found, summary: "No passage answers.", isDenied: true };
      },
      read: async () => ({ logit: -4, place: null }),
    };
    const found = await answer(ask(HOP), { answerer });
    assert.equal(found?.summary, "No passage answers.");
    assert.ok((found?.chunks[0]?.similarity ?? 1) < 0.2);
  });

  test("where it cannot be used, the answer is the one without it and the strategy says so; other errors rise", async () => {
    const unread = await answer(ask(HOP), {
      answerer: readBy(() => Promise.reject(errors.unavailable("Not now.", { retryAfterSeconds: 1 }))),
    });
    const plain = await answer(ask(HOP), { answerer: readBy(readNothing) });
    assert.deepEqual(unread, { ...plain, strategyUsed: "dynamic_builtin_multi_hop_unread" });
    const broken = readBy(() => Promise.reject(new Error("broken")));
    await assert.rejects(answer(ask(HOP), { answerer: broken }), /broken/);
  });
});
