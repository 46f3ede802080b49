import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Answer, AnswerReader, AnswerStep, Question, RankedChunk } from "../../../domain/query.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import { keepPerDocument } from "../../index/per-document.ts";
import { createTestAnswerer, createTestModel, readNothing } from "./test-answerer.ts";
import { answer, ask, ENOUGH, HOP, PLAN, TEXTS } from "./test-questions.ts";

/** Every step's name is taken from a passage that an earlier step found and that counts there. */
function assertTraced(found: Answer | null): readonly AnswerStep[] {
  const steps = found?.steps ?? [];
  for (const [at, { name }] of steps.entries()) {
    if (name === null) continue;
    const { from } = name;
    const earlier = steps.slice(0, at).flatMap((step) => step.found);
    assert.ok(
      earlier.some(({ versionId, position }) => versionId === from.versionId && position === from.position),
    );
    const text = TEXTS[from.versionId - 1] ?? "";
    assert.equal(text.slice(from.start, from.end), from.sentence);
    assert.ok(from.sentence.includes(name.name), from.sentence);
  }
  return steps;
}

describe("the steps of an answer", () => {
  test("are listed on request: the question, then each name with its sentence and what it found", async () => {
    const plain = await answer(ask(HOP), { answerer: createTestAnswerer(TEXTS) });
    assert.ok(plain !== null && !("steps" in plain));
    const listed = await answer(ask(HOP, { listSteps: true }), { answerer: createTestAnswerer(TEXTS) });
    const { steps: _, ...rest } = listed ?? {};
    assert.deepEqual(rest, plain);
    const [first, ...further] = assertTraced(listed);
    assert.deepEqual([first?.query, first?.name], [HOP, null]);
    assert.ok((first?.found.length ?? 0) > 3);
    const founder = further.find(({ name }) => name?.key === "odile brandt");
    assert.equal(founder?.query, "Odile Brandt: Where was the founder of born?");
    assert.match(
      founder.name?.from.sentence ?? "",
      /^Larkspur Mill is a weaving mill that was founded by Odile/,
    );
    assert.equal(founder.name?.from.sourceDocId, "Larkspur Mill");
    assert.deepEqual(founder.found[0], { versionId: 2, position: 0 });
  });

  test("start from passages that count, whatever the question", async () => {
    const words = fc.constantFrom(
      ..."Larkspur Mill Odile Brandt Kestrel Bay Maud Pell founder born market hemp of which who ?".split(
        " ",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 10 }), async (parts) => {
        const question = ask(parts.join(" "), { listSteps: true });
        assertTraced(await answer(question, { answerer: createTestAnswerer(TEXTS) }));
      }),
      { numRuns: 60 },
    );
  });

  test("follow no name of a passage that lacks the name which led to it", async () => {
    const inner = createTestAnswerer(TEXTS);
    const stranger = TEXTS.findIndex((text) => text.startsWith("Ebbford"));
    const misled: Answerer = {
      ...readNothing,
      async answer(question) {
        const found = await inner.answer(question);
        if (found === null || !question.query.startsWith("Odile Brandt: ")) return found;
        const text = TEXTS[stranger] ?? "";
        const place = { versionId: stranger + 1, position: 0, sourceDocId: "Ebbford Tower", start: 0 };
        const chunk = { ...place, end: text.length, text, similarity: 1 };
        const others = found.chunks.map((each) => ({ ...each, similarity: each.similarity / 10 }));
        return { ...found, chunks: [chunk, ...others] };
      },
    };
    const found = await answer(ask(HOP, { listSteps: true }), { answerer: misled });
    const steps = assertTraced(found);
    assert.ok(steps.some(({ name }) => name?.key === "odile brandt"));
    const further = steps.filter(({ query }) => /^[^:]+: Odile Brandt: /.test(query));
    assert.ok(further.every(({ name }) => name?.from.sourceDocId !== "Ebbford Tower"));
  });

  test("are the question alone where nothing answers it, and with a model its searches without a name", async () => {
    const inner = createTestAnswerer(TEXTS);
    const denying: Answerer = {
      ...readNothing,
      async answer(question) {
        const found = await inner.answer(question);
        return found && { ...found, isDenied: true };
      },
    };
    const denied = await answer(ask(HOP, { listSteps: true }), { answerer: denying });
    assert.deepEqual(
      denied?.steps?.map(({ query }) => query),
      [HOP],
    );
    const model = createTestModel(({ task }) =>
      task === "planning" ? PLAN : task === "judging" ? ENOUGH : { text: "In Kestrel Bay." },
    );
    const planned = await answer(ask(HOP, { listSteps: true }), { answerer: inner, model });
    assert.deepEqual(
      planned?.steps?.map(({ query, name }) => [query, name]),
      [
        [HOP, null],
        ["founder of Larkspur Mill", null],
      ],
    );
  });

  test("begin with the whole question, also where later steps read only its beginning", async () => {
    const long = `${HOP} ${"of a word here, ".repeat(700)}`;
    const found = await answer(ask(long, { listSteps: true }), { answerer: createTestAnswerer(TEXTS) });
    assert.equal(found?.steps?.[0]?.query, long);
  });
});

describe("with a limit for each document", () => {
  /** The texts as chunks of two documents, by turns; like the search, it never returns more of a document than requested. */
  function ofTwoDocuments(): Answerer & { readonly asked: Question[] } {
    const asked: Question[] = [];
    return {
      asked,
      ...readNothing,
      async answer(question) {
        asked.push(question);
        const found = await createTestAnswerer(TEXTS).answer({ ...question, topK: 100 });
        const chunks = (found?.chunks ?? []).map((chunk) => ({
          ...chunk,
          sourceDocId: `d${chunk.versionId % 2}`,
        }));
        const kept = keepPerDocument(chunks, question.maxPerDocument ?? null).slice(0, question.topK);
        return found && { ...found, chunks: kept };
      },
    };
  }
  const countOf = (found: Answer | null) =>
    Math.max(
      ...Map.groupBy(found?.chunks ?? [], ({ sourceDocId }) => sourceDocId)
        .values()
        .map((own) => own.length),
    );

  test("every step has it, and so has the merged list", async () => {
    const answerer = ofTwoDocuments();
    const found = await answer(ask(HOP, { topK: 6, maxPerDocument: 1 }), { answerer });
    assert.deepEqual([found?.chunks.length, countOf(found)], [2, 1]);
    assert.ok(answerer.asked.length > 2);
    assert.ok(answerer.asked.every(({ maxPerDocument, topK }) => maxPerDocument === 1 && topK >= 1));
    const wide = ofTwoDocuments();
    await answer(ask(HOP, { topK: 40, maxPerDocument: 30 }), { answerer: wide });
    assert.ok(wide.asked.every(({ maxPerDocument, topK }) => (maxPerDocument ?? 0) <= topK));
  });

  test("a passage that a model finds useful stays, and the prompt has no more of a document", async () => {
    const answerer = ofTwoDocuments();
    const useful = "Larkspur Mill\n";
    const model = createTestModel(({ task, prompt }) => {
      if (task === "planning") return PLAN;
      if (task === "answering") {
        assert.equal(prompt.match(/<passage /g)?.length, 2);
        return { text: "In Kestrel Bay." };
      }
      const number = new RegExp(`<passage number="(\\d+)"[^>]*>\n${useful}`).exec(prompt)?.[1];
      assert.ok(number !== undefined);
      // Each of these searches finds another passage of the same document best.
      const searches = ["Kestrel Bay", "Kestrel Bay harbour", "Kestrel Bay market"];
      const isSecond = prompt.includes("- Kestrel Bay market");
      return { value: { useful: [Number(number)], enough: isSecond, searches } };
    });
    const sent: (readonly RankedChunk[])[] = [];
    const reader: AnswerReader = { found: (chunks) => void sent.push(chunks), wrote: () => undefined };
    const found = await answer(ask(HOP, { topK: 6, maxPerDocument: 1 }), { answerer, model, reader });
    assert.deepEqual([found?.chunks.length, countOf(found)], [2, 1]);
    assert.deepEqual(sent, [found?.chunks]);
    assert.ok(found?.chunks[0]?.text.startsWith(useful));
    assert.ok(model.requests.some(({ task }) => task === "answering"));
  });
});
