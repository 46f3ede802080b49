import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChunkKey } from "../../../domain/document.ts";
import type { Mention, PassageKnowledge, Subject } from "../../../domain/graph.ts";
import type { AboutPassage } from "../../../ports/graph-store.ts";
import { endsOf } from "../../text/names/normal-form.ts";
import {
  compareScored,
  type GraphReader,
  type HybridScores,
  idOf,
  type ScoredChunk,
} from "./graph-reader.ts";
import { rankByGraph } from "./rank.ts";

/** In three dimensions: the question, the rest of the question, and neither. */
const QUESTION = Float32Array.of(1, 0, 0);

interface WrittenPassage {
  readonly id: number;
  readonly position?: number;
  readonly sourceDocId?: string;
  readonly about: readonly string[];
  readonly kind?: Subject["kind"];
  /** Names of each sentence, and its cosine with the question. */
  readonly sentences: readonly { readonly names: readonly string[]; readonly nearness: number }[];
  readonly score: number;
}

function knowledgeOf({ about, kind = "title", sentences }: WrittenPassage): PassageKnowledge {
  const rows = sentences.flatMap(({ nearness }) => [nearness, 0, Math.sqrt(1 - nearness ** 2)]);
  return {
    subjects: about.map((name) => ({ name, kind })),
    sentences: sentences.map((_, at) => ({ start: at * 10, end: at * 10 + 9 })),
    sentenceVectors: Int8Array.from(rows, (value) => Math.round(value * 127)),
    mentions: sentences.flatMap(({ names }, sentence) =>
      names.map((name): Mention => ({ name, sentence, start: 0, end: 1, isVariant: false })),
    ),
    statements: [],
  };
}

function createWorld(passages: readonly WrittenPassage[]) {
  const calls: string[] = [];
  const chunkOf = ({ id, position = 0, sourceDocId = `d${id}`, score }: WrittenPassage): ScoredChunk => {
    return { versionId: id, position, sourceDocId, lexical: score, dense: score, score };
  };
  const find = (key: ChunkKey) => passages.find((passage) => idOf(chunkOf(passage)) === idOf(key));
  const reader: GraphReader = {
    async findAbout(names, maxPerName) {
      calls.push("findAbout");
      assert.ok(names.length <= 500);
      return new Map(
        names.flatMap((name) => {
          const found = passages
            .filter(({ about }) => about.includes(name))
            .map(
              ({ id, position = 0, kind = "title" }): AboutPassage => ({
                versionId: id,
                position,
                name,
                kind,
              }),
            );
          const documents = new Set(found.map(({ versionId }) => versionId)).size;
          return documents === 0
            ? []
            : [[name, { documents, passages: found.slice(0, maxPerName) }] as const];
        }),
      );
    },
    async findByEnds(ends) {
      calls.push("findByEnds");
      const names = [...new Set(passages.flatMap(({ about }) => about))].sort();
      return new Map(ends.map((end) => [end, names.filter((name) => endsOf(name) === end)]));
    },
    async readPassages(keys) {
      calls.push("readPassages");
      return keys
        .map((key) => find(key))
        .map((passage) => (passage === undefined ? null : knowledgeOf(passage)));
    },
  };
  const best = passages
    .filter(({ score }) => score > 0.1)
    .map(chunkOf)
    .sort(compareScored)
    .slice(0, 100);
  const scores: HybridScores = {
    best,
    async scoresOf(keys) {
      calls.push("scoresOf");
      return keys.map((key) => find(key)).map((passage) => (passage === undefined ? null : chunkOf(passage)));
    },
  };
  let embedded = 0;
  const ask = (text: string) => {
    const embed = async () => {
      embedded++;
      return Float32Array.of(1, 0, 0);
    };
    return rankByGraph({ text, vector: QUESTION, reader, scores, embed });
  };
  return { ask, best, calls, embeddedTexts: () => embedded };
}

const sentence = (nearness: number, ...names: string[]) => ({ names, nearness });

/** Ten passages that only share words with the question. */
const crowd = Array.from({ length: 10 }, (_, at): WrittenPassage => {
  return {
    id: 100 + at,
    about: [`crowd ${at}`],
    sentences: [sentence(0.3, `crowd ${at}`)],
    score: 0.5 - at / 100,
  };
});

const bridge: readonly WrittenPassage[] = [
  {
    id: 1,
    about: ["silver gate"],
    sentences: [sentence(0.8, "silver gate", "ada holm"), sentence(0.1, "brona")],
    score: 0.6,
  },
  { id: 2, about: ["ada holm"], sentences: [sentence(0.4, "ada holm")], score: 0.05 },
  { id: 3, about: ["brona"], sentences: [sentence(0.4, "brona")], score: 0.05 },
  ...crowd,
];

test("a passage that only a path leads to ranks above those that share words with the question", async () => {
  const { ranked, linked, paths } = await createWorld(bridge).ask(
    "Where was the director of Silver Gate born?",
  );
  assert.deepEqual(
    ranked.slice(0, 2).map(({ sourceDocId }) => sourceDocId),
    ["d1", "d2"],
  );
  assert.deepEqual(
    linked.map(({ name }) => name),
    ["silver gate"],
  );
  const [path] = paths.filter(({ target }) => target.versionId === 2);
  assert.deepEqual(
    { seed: path?.seed, name: path?.name, sentence: path?.sentence },
    { seed: { versionId: 1, position: 0 }, name: "ada holm", sentence: { start: 0, end: 9 } },
  );
});

test("a path through a sentence nearer to the question ranks its target higher", async () => {
  const { ranked } = await createWorld(bridge).ask("Where was the director of Silver Gate born?");
  const order = ranked.map(({ sourceDocId }) => sourceDocId);
  assert.ok(order.indexOf("d2") < order.indexOf("d3"));
});

test("a path from a passage that is about no name of the question weighs as much as its hybrid score", async () => {
  const { paths } = await createWorld([
    ...bridge,
    { id: 4, about: ["tin roof"], sentences: [sentence(0.8, "odd lund")], score: 0.3 },
    { id: 5, about: ["odd lund"], sentences: [sentence(0.1, "odd lund")], score: 0.05 },
  ]).ask("Where was the director of Silver Gate born?");
  const path = paths.find(({ name }) => name === "odd lund");
  assert.ok(Math.abs((path?.score ?? 0) - 0.5) < 0.02, `${path?.score}`);
});

test("a passage about another form of a name of the question counts for 0.6 of one about the name", async () => {
  const { paths } = await createWorld([
    { id: 1, about: ["ada maria holm"], sentences: [sentence(0.8, "odd lund")], score: 0.25 },
    { id: 2, about: ["odd lund"], sentences: [sentence(0.1, "odd lund")], score: 0.05 },
    ...crowd,
  ]).ask("Where did Ada Holm live?");
  const path = paths.find(({ name }) => name === "odd lund");
  assert.ok(Math.abs((path?.score ?? 0) - (0.25 / 0.5 + 0.6)) < 0.02, `${path?.score}`);
});

test("a question that links no name gets the hybrid list with its scores", async () => {
  const world = createWorld(bridge);
  const { ranked, linked, paths } = await world.ask("where do directors come from?");
  assert.deepEqual(
    ranked.map((chunk) => [chunk.sourceDocId, chunk.rank]),
    world.best.map((chunk) => [chunk.sourceDocId, chunk.score]),
  );
  assert.deepEqual([linked, paths], [[], []]);
  assert.equal(world.embeddedTexts(), 0);
});

test("a comparison of two names ranks the passages about both first", async () => {
  const world = createWorld([
    { id: 1, about: ["silver gate"], sentences: [sentence(0.5, "silver gate")], score: 0.3 },
    { id: 2, about: ["iron door"], sentences: [sentence(0.5, "iron door")], score: 0.2 },
    ...crowd,
  ]);
  const { ranked } = await world.ask("Which is older, Silver Gate or Iron Door?");
  assert.deepEqual(
    ranked
      .slice(0, 2)
      .map(({ sourceDocId }) => sourceDocId)
      .sort(),
    ["d1", "d2"],
  );
});

test("a lower-case question links titles of several words", async () => {
  const { linked, ranked } = await createWorld(bridge).ask("where was the director of silver gate born?");
  assert.deepEqual(
    linked.map(({ name }) => name),
    ["silver gate"],
  );
  assert.equal(ranked[1]?.sourceDocId, "d2");
});

test("another form of a name is followed if no passage is about the name itself", async () => {
  const world = createWorld([
    { id: 1, about: ["silver gate"], sentences: [sentence(0.8, "silver gate", "ada holm")], score: 0.6 },
    { id: 2, about: ["ada maria holm"], sentences: [sentence(0.4, "ada maria holm")], score: 0.05 },
    ...crowd,
  ]);
  const { paths } = await world.ask("Where was the director of Silver Gate born?");
  assert.ok(paths.some(({ name, target }) => name === "ada holm" && target.versionId === 2));
});

test("the target in a long document about a name is its best chunk", async () => {
  const parts = [0.05, 0.09, 0.06].map((score, position): WrittenPassage => {
    return { id: 2, position, about: ["ada holm"], sentences: [sentence(0.3, "ada holm")], score };
  });
  const { paths } = await createWorld([bridge[0]!, ...parts, ...crowd]).ask("Who directed Silver Gate?"); // The array is not empty.
  assert.deepEqual(
    paths.filter(({ name }) => name === "ada holm").map(({ target }) => target.position),
    [1],
  );
});

test("a name that many documents are about is not followed", async () => {
  const many = Array.from({ length: 30 }, (_, at): WrittenPassage => {
    return { id: 200 + at, about: ["ada holm"], sentences: [sentence(0.3, "ada holm")], score: 0.05 };
  });
  const { paths } = await createWorld([bridge[0]!, ...many, ...crowd]).ask("Who directed Silver Gate?"); // The array is not empty.
  assert.deepEqual(
    paths.filter(({ name }) => name === "ada holm"),
    [],
  );
});

test("a question costs few batched calls and one embedding, however many passages there are", async () => {
  const many = Array.from({ length: 400 }, (_, at): WrittenPassage => {
    const names = Array.from({ length: 6 }, (_each, next) => `name ${(at * 7 + next) % 400}`);
    return {
      id: 1000 + at,
      about: [`name ${at}`],
      sentences: [sentence((at % 10) / 10, ...names)],
      score: 0.2,
    };
  });
  const world = createWorld([...bridge, ...many]);
  await world.ask("Where was the director of Silver Gate born?");
  assert.ok(world.calls.length <= 12, world.calls.join(" "));
  assert.equal(world.embeddedTexts(), 1);
});

test("in any world chunks are distinct, scores are ordered between 0 and 1, and a repetition gives the same", async () => {
  const names = ["silver gate", "ada holm", "brona", "iron door", "long field"];
  const passage = fc.record({
    about: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
    kind: fc.constantFrom<Subject["kind"]>("title", "alias", "section", "opening"),
    sentences: fc.array(
      fc.record({
        names: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }),
        nearness: fc.double({ min: -1, max: 1, noNaN: true }),
      }),
      { maxLength: 3 },
    ),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const question = fc.constantFrom(
    "Who built Silver Gate?",
    "ada holm",
    "Silver Gate or Iron Door",
    "Brona Brona",
    "?",
    "",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(passage, { maxLength: 30 }), question, async (written, text) => {
      const world = createWorld(
        written.map((each, at) => ({ ...each, id: 1 + (at >> 1), position: at & 1 })),
      );
      const { ranked } = await world.ask(text);
      const found = new Set(ranked.map(idOf));
      assert.equal(found.size, ranked.length);
      for (const chunk of world.best) assert.ok(found.has(idOf(chunk)));
      for (const [at, { rank }] of ranked.entries()) {
        assert.ok(rank >= 0 && rank <= 1 && rank <= (ranked[at - 1]?.rank ?? 1));
      }
      assert.deepEqual((await world.ask(text)).ranked.map(idOf), ranked.map(idOf));
    }),
    { numRuns: 100 },
  );
});

test("the order of ingestion does not change the ranking", async () => {
  const names = ["silver gate", "ada holm", "iron door"];
  const ask = (versionOf: (document: number) => number) => {
    const written = Array.from({ length: 72 }, (_, document): WrittenPassage => {
      const other = names[(document + 1) % 3] ?? "";
      return {
        id: versionOf(document),
        sourceDocId: `d${document}`,
        about: [names[document % 3] ?? ""],
        sentences: [sentence(((document * 37) % 72) / 72, other, `guest ${document % 10}`)],
        score: 0.05 + (document % 7) / 100,
      };
    });
    const guests = Array.from({ length: 60 }, (_, guest): WrittenPassage => {
      return {
        id: 100 + versionOf(guest),
        sourceDocId: `g${guest}`,
        about: [`guest ${guest % 10}`],
        sentences: [sentence(((guest * 23) % 60) / 60)],
        score: 0.01,
      };
    });
    const inOrder = [...written, ...guests].sort((one, other) => one.id - other.id);
    return createWorld(inOrder).ask("What have Silver Gate and Ada Holm to do with Iron Door?");
  };
  const [first, second] = await Promise.all([
    ask((document) => 1 + document),
    ask((document) => 72 - document),
  ]);
  assert.equal(first.linked.length, 3);
  assert.deepEqual(
    second.ranked.map(({ sourceDocId }) => sourceDocId),
    first.ranked.map(({ sourceDocId }) => sourceDocId),
  );
});
