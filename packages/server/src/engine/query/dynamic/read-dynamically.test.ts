import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { errors } from "../../../domain/errors.ts";
import type { PassageRead, RankedChunk } from "../../../domain/query.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import { createTestAnswerer, createTestModel, readNothing } from "./test-answerer.ts";
import { answer, ask, ENOUGH, HOP, PLAN, TEXTS } from "./test-questions.ts";

const readAs = (
  chunks: readonly RankedChunk[],
  logit: number,
  place: PassageRead["place"] = null,
): readonly PassageRead[] => chunks.map(({ versionId, position }) => ({ versionId, position, logit, place }));

const busy = () => Promise.reject(errors.unavailable("Not now.", { retryAfterSeconds: 1 }));

describe("with query threads", () => {
  test("they compose the summary and find the names that are followed", async () => {
    const read: unknown[] = [];
    const answerer: Answerer = {
      ...createTestAnswerer(TEXTS),
      async compose(question, { chunks }) {
        read.push([question.query, chunks.length > 0]);
        return { text: "Composed there.", isDenied: false, quotes: [] };
      },
      async findNames(_question, { query, chunks }) {
        read.push([query, chunks.length > 0]);
        return [];
      },
    };
    const found = await answer(ask(HOP), { answerer });
    assert.deepEqual([found?.summary, found?.strategyUsed], ["Composed there.", "dynamic_builtin_fact"]);
    assert.deepEqual(read, [
      [HOP, true],
      [HOP, true],
    ]);
  });

  test("that are too busy, the summary is that of the question itself, no name is followed, and the strategy says so", async () => {
    const texts = createTestAnswerer(TEXTS);
    const plain = await texts.answer(ask(HOP));
    const uncomposed = await answer(ask(HOP), { answerer: { ...texts, compose: busy } });
    assert.equal(uncomposed?.strategyUsed, "dynamic_builtin_multi_hop_unread");
    assert.equal(uncomposed.summary, plain?.summary);
    const unfollowed = await answer(ask(HOP), { answerer: { ...texts, findNames: busy } });
    assert.equal(unfollowed?.strategyUsed, "dynamic_builtin_fact_unread");
    const broken = { ...texts, compose: () => Promise.reject(new Error("broken")) };
    await assert.rejects(answer(ask(HOP), { answerer: broken }), /broken/);
  });

  test("a summary by a language model needs none of them; where it fails they compose one", async () => {
    const reply = (text: string) =>
      createTestModel(({ task }) => (task === "planning" ? PLAN : task === "judging" ? ENOUGH : { text }));
    const answerer: Answerer = { ...createTestAnswerer(TEXTS), compose: busy, findNames: busy };
    const written = await answer(ask(HOP), { answerer, model: reply("Odile Brandt founded it.") });
    assert.equal(written?.strategyUsed, "dynamic_multi_hop");
    const failed = await answer(ask(HOP), { answerer, model: reply(" [3] ") });
    assert.equal(failed?.strategyUsed, "dynamic_multi_hop_fallback_unread");
    const compose = async () => ({ text: "Composed there.", isDenied: false, quotes: [] });
    const composing = { ...answerer, compose };
    const composed = await answer(ask(HOP), { answerer: composing, model: reply(" [3] ") });
    assert.deepEqual(
      [composed?.summary, composed?.strategyUsed],
      ["Composed there.", "dynamic_multi_hop_fallback"],
    );
  });
});

describe("with the bundled reader", () => {
  const texts = createTestAnswerer(TEXTS);
  const answerOf: Answerer["answer"] = async (question) => {
    const found = await texts.answer(question);
    return (
      found && { ...found, chunks: found.chunks.map((chunk) => ({ ...chunk, cosine: 0.5, fused: 0.3 })) }
    );
  };
  const readBy = (read: Answerer["read"]): Answerer => ({ ...readNothing, answer: answerOf, read });

  test("it reads the best passages of all steps, each once; where it finds no answer, the summary denies one", async () => {
    const read: string[] = [];
    const answerer = readBy(async (question, chunks) => {
      if (question.query === HOP) read.push(...chunks.map(({ sourceDocId }) => sourceDocId));
      return readAs(chunks, -4);
    });
    const found = await answer(ask(HOP), { answerer });
    assert.ok(read.includes("Odile Brandt"));
    assert.equal(new Set(read).size, read.length);
    assert.match(found?.summary ?? "", /^No passage that was found answers this\./);
    assert.equal(found?.isDenied, true);
  });

  test("of something that the question only describes, it first reads what that is, then the answer", async () => {
    const asked: string[] = [];
    const answerer = readBy(async ({ query }, chunks) => {
      asked.push(query);
      return chunks.flatMap(({ versionId, position, text }) => {
        const word = query.startsWith("Who or what is") ? "Odile Brandt" : "Kestrel Bay";
        const start = text.indexOf(word);
        const place = { versionId, start, end: start + word.length };
        const isAnswer = query !== HOP && start >= 0 && text.includes("born") === query.includes("born");
        return [{ versionId, position, logit: isAnswer ? 2 : -4, place }];
      });
    });
    const found = await answer(ask(HOP, { listSteps: true }), { answerer });
    assert.ok(asked.includes("Where was Odile Brandt born?"));
    const followed = found?.steps?.find(({ query }) => query === "Where was Odile Brandt born?");
    assert.deepEqual(
      [followed?.name?.name, followed?.name?.from.sentence],
      ["Odile Brandt", "Larkspur Mill is a weaving mill that was founded by Odile Brandt in 1871."],
    );
    assert.match(found?.summary ?? "", /born in Kestrel Bay\./);
    assert.equal(found?.isDenied, false);
  });

  test("where what passages say of the described person is said of others alone, nothing answers", async () => {
    const married = [
      ...TEXTS.slice(0, 1),
      "Odile Brandt\nOdile Brandt kept bees. Her brother Noel Garrick was born in Kestrel Bay.",
    ];
    const answerer: Answerer = {
      ...createTestAnswerer(married),
      async read({ query }, chunks) {
        const word = query.startsWith("Who or what is") ? "Odile Brandt" : "Kestrel Bay";
        return chunks.flatMap(({ versionId, position, text, start }) => {
          const at = start + text.indexOf(word);
          const place = { versionId, start: at, end: at + word.length };
          return text.includes(word) ? [{ versionId, position, logit: 2, place }] : [];
        });
      },
    };
    assert.equal((await answer(ask(HOP), { answerer }))?.isDenied, true);
  });

  test("where it does not find what is described, the names in the passages are followed", async () => {
    const asked: string[] = [];
    const answerer = readBy(async ({ query }, chunks) => {
      asked.push(query);
      return readAs(chunks, -1);
    });
    const found = await answer(ask(HOP), { answerer });
    assert.deepEqual(
      asked.filter((query) => query !== HOP),
      ["Who or what is the founder of Larkspur Mill?"],
    );
    assert.equal(found?.strategyUsed, "dynamic_builtin_multi_hop");
  });

  test("no further search follows where the graph took part and one passage is sure to answer, unless the question compares or describes", async () => {
    const plain = readBy(async (_question, chunks) => readAs(chunks, 4));
    const answerer: Answerer = {
      ...plain,
      async answer(question) {
        const found = await plain.answer(question);
        return found && { ...found, strategyUsed: "hybrid_graph" };
      },
    };
    const further = await answer(ask("Who built the Ebbford Tower?", { listSteps: true }), {
      answerer: plain,
    });
    assert.ok((further?.steps?.length ?? 0) > 1);
    const simple = await answer(ask("Who built the Ebbford Tower?", { listSteps: true }), { answerer });
    assert.deepEqual([simple?.strategyUsed, simple?.steps?.length], ["dynamic_builtin_fact", 1]);
    for (const query of [HOP, "Who built Ebbford Tower or Larkspur Mill?"]) {
      const found = await answer(ask(query, { listSteps: true }), { answerer });
      assert.ok((found?.steps?.length ?? 0) > 1, query);
    }
  });

  test("a comparison by time has a verdict, below it both sentences", async () => {
    const answerer = {
      ...createTestAnswerer([...TEXTS, "Larkspur Mill was built in 1871."]),
      ...readNothing,
    };
    const found = await answer(ask("Which was built first, Ebbford Tower or Larkspur Mill?"), {
      answerer,
    });
    assert.equal(found?.strategyUsed, "dynamic_builtin_comparison");
    assert.deepEqual(found.summary.split("\n"), [
      "Going by these sentences, Ebbford Tower was built earlier: 1790 against 1871.",
      "Ebbford Tower was built in 1790 by Maud Pell.",
      "Larkspur Mill was built in 1871.",
    ]);
    assert.equal(found.isDenied, false);
  });

  test("another statement of the same event leaves the comparison without a verdict, and the passages are quoted", async () => {
    const compare = async (...texts: readonly string[]) => {
      const answerer = { ...createTestAnswerer(texts), ...readNothing };
      const question = ask("Which was rebuilt first, Orrin Mill or Kestrel Mill?");
      return (await answer(question, { answerer }))?.summary ?? "";
    };
    const [orrin, kestrel] = ["Orrin Mill was rebuilt in 1790.", "Kestrel Mill was rebuilt in 1850."];
    assert.match(await compare(orrin, kestrel), /^Going by these sentences, Orrin Mill was rebuilt earlier/);
    const again = await compare(`${orrin} It was rebuilt again in 1950 after a fire.`, kestrel);
    assert.match(again, /^Orrin Mill was rebuilt in 1790\./);
    assert.doesNotMatch(again, /Going by/);
  });

  const DIRECTED = [
    "Grey Sheds is a film directed by Ida Vell.",
    "Rope is a film directed by Tove Lank.",
    "Ida Vell (born 3 May 1950) is a director.",
    "Tove Lank (born 2 June 1948) is a director.",
  ];
  test("the director of each is found first where the comparison is of directors, in a sentence that has film and role", async () => {
    const query = "Which film whose director is younger, Grey Sheds or Rope?";
    for (const [texts, verdict] of [
      [
        DIRECTED,
        /^Going by these sentences, Grey Sheds, whose director Ida Vell is younger: 1950 against 1948\./,
      ],
      [DIRECTED.map((text) => text.replace("a film directed", "a film praised")), /^(?!.*against)/],
      [
        DIRECTED.map((text) =>
          text.replace(/film directed by (.*)\.$/, "film of $1 that somebody directed."),
        ),
        /^(?!.*against)/,
      ],
      [
        DIRECTED.map((text) => text.replace("directed by", "directed by somebody else, made by")),
        /^(?!.*against)/,
      ],
    ] as const) {
      const answerer = { ...createTestAnswerer(texts), ...readNothing };
      const found = await answer(ask(query), { answerer });
      assert.match(found?.summary ?? "", verdict);
    }
  });

  test("without one of the years, with equal ones, and where passages contradict each other, the passages are quoted", async () => {
    for (const texts of [
      [],
      ["Larkspur Mill was built in 1790."],
      ["The bridge beside\nLarkspur Mill was built in 1871."],
      ["Larkspur Mill was built in 1871.", "Larkspur Mill was built in 1769."],
    ]) {
      const answerer = { ...createTestAnswerer([...TEXTS, ...texts]), ...readNothing };
      const found = await answer(ask("Which was built first, Ebbford Tower or Larkspur Mill?"), { answerer });
      assert.doesNotMatch(found?.summary ?? "", /against/);
      assert.equal(found?.strategyUsed, "dynamic_builtin_comparison");
    }
  });

  test("where nothing can be read, what the scores of the first step tell decides, and nothing where they tell nothing", async () => {
    const unread = readBy(async () => []);
    const byScores = { reading: { answer: null, isComplete: true }, probability: 0.07 };
    const judged: Answerer = {
      ...unread,
      async answer(question) {
        const found = await unread.answer(question);
        return found && { ...found, byScores };
      },
    };
    const denied = await answer(ask(HOP), { answerer: judged });
    assert.match(denied?.summary ?? "", /^No passage that was found answers this\./);
    assert.equal(denied?.chunks[0]?.similarity, 0.07);
    const plain = await answer(ask(HOP), { answerer: unread });
    assert.doesNotMatch(plain?.summary ?? "", /^No passage/);
    assert.notEqual(plain?.chunks[0]?.similarity, 0.07);
  });

  test("the summary begins with the sentence that it found", async () => {
    const [, text = ""] = TEXTS;
    const start = text.indexOf("Kestrel");
    const place = { versionId: 2, start, end: start + "Kestrel Bay".length };
    const found = await answer(ask(HOP), {
      answerer: readBy(async (_question, chunks) => readAs(chunks, 0.1, place)),
    });
    assert.match(found?.summary ?? "", /born in Kestrel Bay\./);
    assert.equal(found?.isDenied, false);
  });

  test("what it found in a passage that no name of the question leads to does not begin the summary", async () => {
    const at = TEXTS.findIndex((text) => text.startsWith("Rope walks"));
    const start = TEXTS[at]?.indexOf("long sheds") ?? 0;
    const place = { versionId: at + 1, start, end: start + "long sheds".length };
    const found = await answer(ask(HOP), {
      answerer: readBy(async (_question, chunks) => readAs(chunks, 0.1, place)),
    });
    assert.match(found?.summary ?? "", /^Larkspur Mill is a weaving mill/);
    assert.equal(found?.isDenied, false);
  });

  test("what the search alone denies stays denied, and its passages have the probability that they answer", async () => {
    const answerer: Answerer = {
      ...readNothing,
      async answer(question) {
        const found = await answerOf(question);
        return found && { ...found, summary: "No passage answers.", isDenied: true };
      },
      read: async (_question, chunks) => readAs(chunks, -4),
    };
    const found = await answer(ask(HOP), { answerer });
    assert.equal(found?.summary, "No passage answers.");
    assert.ok((found?.chunks[0]?.similarity ?? 1) < 0.2);
  });

  test("where it cannot be used, the answer is the one without it and the strategy says so; other errors rise", async () => {
    const unread = await answer(ask(HOP), {
      answerer: readBy(busy),
    });
    const plain = await answer(ask(HOP), { answerer: readBy(readNothing.read) });
    assert.deepEqual(unread, { ...plain, strategyUsed: "dynamic_builtin_multi_hop_unread" });
    const broken = readBy(() => Promise.reject(new Error("broken")));
    await assert.rejects(answer(ask(HOP), { answerer: broken }), /broken/);
  });
});
