import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../../test/support/growth.ts";
import { createSummaryWriter, MAX_SUMMARY_UNITS } from "./check-summary.ts";

const PASSAGES = [
  {
    sourceDocId: "lighthouse",
    header: "The lighthouse at Orrin Point",
    text: "Work on the lighthouse began in 1841 under the engineer Maud Pell. The tower was finished on 3 May 1852. It stands 48 metres tall. Its lamp, article number FL-2040, cost 1,200 crowns.",
  },
  { sourceDocId: "ferry", text: "The ferry leaves the east quay of Kestrel Bay every hour from six." },
];

interface Setting {
  readonly query?: string;
  readonly cites?: boolean;
  readonly parts?: readonly string[];
  readonly passages?: typeof PASSAGES;
}

async function check(reply: string | null, setting: Setting = {}) {
  const { query = "When was the tower finished?", cites = true, parts = [], passages = PASSAGES } = setting;
  let passedOn = "";
  const onText = (text: string) => {
    passedOn += text;
  };
  const writer = await createSummaryWriter({ query, passages, cites, onText });
  for (const part of parts) writer.write(part);
  const written = writer.end(reply);
  assert.equal(passedOn, written.text);
  return written;
}

const missingIn = async (sentence: string, setting: Setting = {}) =>
  (await check(sentence, setting)).check.leftOut.map(({ missing }) => missing);

describe("a sentence is left out", () => {
  for (const [name, sentence, missing] of [
    ["with a year that no passage has", "The tower was finished in 1853.", "figure"],
    ["with a part of a number that a passage has", "The lamp cost 200 crowns.", "figure"],
    ["with a name that no passage has", "The lighthouse began under the engineer Odile Brandt.", "name"],
    ["with an article number that no passage has", "Its lamp has article number FL-B2.", "figure"],
    ["about what the question names and no passage", "The tower of Zorbax was finished.", "name"],
    ["of other words", "Keepers lived there with goats and geese through long winters.", "words"],
    ["without a word that could be found", "It is so.", "words"],
    ["of which the cited passage says nothing", "The tower was finished in 1852 [2].", "figure"],
  ] as const) {
    test(name, async () => assert.deepEqual(await missingIn(sentence), [missing]));
  }

  test("and the others stay, with their citations and paragraphs", async () => {
    const { text, check: counts } = await check(
      "The tower was finished on 3 May 1852. [1] Gustave Eiffel drew it [1].\n\nIt stands 48 metres tall.[1, 9] The ferry leaves from Kestrel Bay [2].",
    );
    assert.equal(
      text,
      "The tower was finished on 3 May 1852. [1]\n\nIt stands 48 metres tall. [1] The ferry leaves from Kestrel Bay [2].",
    );
    assert.deepEqual(counts, {
      sentences: 4,
      unsupported: 1,
      leftOut: [{ text: "Gustave Eiffel drew it.", missing: "name" }],
    });
  });

  test("and its text is bounded where it is told", async () => {
    const { check: counts } = await check(`Geese ${"and geese ".repeat(100)}. `.repeat(30));
    assert.equal(counts.leftOut.length, 16, "of 16,000 characters");
    assert.ok(counts.leftOut.every(({ text }) => text.length <= 300));
    const many = (await check("Geese. ".repeat(200))).check;
    assert.deepEqual([many.unsupported, many.leftOut.length], [200, 20]);
  });
});

describe("a sentence stays", () => {
  for (const [name, sentence] of [
    ["in the words of a passage", "The tower was finished on 3 May 1852."],
    ["in related words", "The height of the tower is 48 metres."],
    ["with a number in another grouping", "The lamp with article number FL-2040 cost 1.200 crowns."],
    ["with facts of two passages", "The tower stands 48 metres tall and the ferry leaves Kestrel Bay."],
    ["that begins with a capital that is no name", "Finished in 1852, the tower stands tall."],
    ["with a title before a name", "The engineer was Mrs Pell, and work began in 1841."],
    ["in a list", "1. The tower was finished in 1852."],
    [
      "in another language with the same figures",
      "Der Turm wurde am 3. Mai 1852 fertig und ist 48 Meter hoch.",
    ],
  ] as const) {
    test(name, async () => assert.deepEqual(await missingIn(sentence), []));
  }

  test("in German, where every noun has a capital", async () => {
    const passages = [
      { sourceDocId: "turm", text: "Der Turm ist 48 Meter hoch und wurde im Mai 1852 fertig." },
    ];
    assert.deepEqual(await missingIn("Die Höhe von dem Turm ist 48 Meter.", { passages }), []);
    assert.deepEqual(await missingIn("Die Höhe von dem Turm ist 49 Meter.", { passages }), ["figure"]);
  });

  test("that says that nothing answers, and may name what was asked for and nothing else", async () => {
    const query = "When did Zorbax move to Berlin in 1990?";
    assert.deepEqual(await missingIn("The passages do not say when Zorbax moved to Berlin.", { query }), []);
    assert.deepEqual(await missingIn("Die Passagen sagen nichts über Zorbax.", { query }), []);
    assert.deepEqual(
      await missingIn("No passage mentions Zorbax, but Otto Lind moved to Berlin.", { query }),
      ["name"],
    );
    assert.deepEqual(await missingIn("Zorbax moved to Berlin in 1990.", { query }), ["figure"]);
  });
});

test("keeps only citations of existing passages, and only if citations were requested", async () => {
  const text = "It stands 48 metres tall [1], [2, 9] and so [12].";
  assert.equal((await check(text)).text, "It stands 48 metres tall [1], [2] and so.");
  assert.equal((await check(text, { cites: false })).text, "It stands 48 metres tall, and so.");
  assert.equal((await check(" [1] ")).text, "");
  const endless = (await check("It stands 48 metres tall. ".repeat(150_000))).text;
  assert.ok(endless.endsWith("…"));
  assert.ok(endless.length <= MAX_SUMMARY_UNITS + 1);
});

test("of a reply of thousands of short sentences the first thousand are checked", async () => {
  for (const sentence of ["Geese. ", "a\n", "塔是。"]) {
    const { text, check: counts } = await check(sentence.repeat(2_000));
    assert.deepEqual([text, counts.sentences], ["", 1_000]);
  }
  const known = await check(`48 metres tall.\n${"a\n".repeat(1_500)}`);
  assert.deepEqual([known.text, known.check.sentences], ["48 metres tall.…", 1_000]);
});

test("of a reply that breaks off what was passed on stays, and nothing of an unfinished sentence", async () => {
  const parts = [
    "The tower was finished on 3 May 1852. ",
    `It stands 48 metres tall${" and tall".repeat(20)}`,
  ];
  assert.equal((await check(null, { parts })).text, "The tower was finished on 3 May 1852.");
  assert.equal((await check(null, { parts: ["The tower was finished"] })).text, "");
});

test("a sentence is passed on before the next one is complete", async () => {
  const passedOn: string[] = [];
  const onText = (text: string) => void passedOn.push(text);
  const writer = await createSummaryWriter({ query: "", passages: PASSAGES, cites: false, onText });
  writer.write("The tower was finished on 3 May 1852. ");
  assert.deepEqual(passedOn, []);
  writer.write(
    "It stands 48 metres tall, taller than every other tower that anybody ever saw at this coast or",
  );
  assert.deepEqual(passedOn, ["The tower was finished on 3 May 1852."]);
});

test("the summary does not depend on the parts in which it was written", async () => {
  const piece = fc.constantFrom(
    ..."The tower was finished on 3 May 1852|. |.|It stands 48 metres|[1]| [1, 2]|[|]|Dr|e.g|\n|\n\n|?|”|…|。|塔は|  |1|a|- |no|😀|Maud Pell|x".split(
      "|",
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(12), { maxLength: 80 }),
      async (pieces, sizes) => {
        const reply = pieces.join("").trim();
        const parts: string[] = [];
        let at = 0;
        for (const size of sizes) {
          parts.push(reply.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(await check(reply, { parts }), await check(reply));
        assert.ok((await check(reply)).text.isWellFormed());
      },
    ),
    { numRuns: 400 },
  );
});

test("a sentence that does not end costs as much in many parts as it is long", async () => {
  for (const part of [".", "a. ", "x"])
    await assertLinear(JSON.stringify(part), 3_000, async (parts) => {
      const writer = await createSummaryWriter({
        query: "Why?",
        passages: PASSAGES,
        cites: true,
        onText: () => undefined,
      });
      for (let at = 0; at < parts; at++) writer.write(part);
    });
});

test("of a reply of characters that stand for whole words less is checked", async () => {
  const { text, check: counts } = await check(
    `It stands 48 metres tall. ${`${"\ufdfa ".repeat(60)}. `.repeat(200)}`,
  );
  assert.equal(text, "It stands 48 metres tall.…");
  assert.ok(counts.sentences < 60, `${counts.sentences} sentences`);
  assert.equal((await check("\ufdfa".repeat(15_000))).check.sentences, 1);
});

test("each passage is read in a turn of its own", async () => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await check("It stands 48 metres tall.", { passages: Array.from({ length: 12 }, () => PASSAGES).flat() });
  clearImmediate(next);
  assert.ok(turns >= 24, `${turns} turns`);
});
