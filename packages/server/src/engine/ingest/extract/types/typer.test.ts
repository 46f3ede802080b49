import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, test } from "node:test";
import { type ClosableEmbedder, openMiniLmEmbedder } from "../../../../adapters/models/minilm-embedder.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { createCoarseTyper } from "./coarse-type.ts";
import { describeTypes } from "./type-profile.ts";
import type { TypeDescription, Typer } from "./type-scores.ts";
import { createTyper } from "./typer.ts";
import { decodeWeights, readWeights, WEIGHT_BYTES } from "./weights.ts";

const type = (name: string, more: Partial<TypeDescription> = {}): TypeDescription => ({
  name,
  description: "",
  examples: [],
  aliases: [],
  ...more,
});

test("of thousands of types the names are embedded, and of the other texts no more than a thousand", async () => {
  const calls = async (count: number) => {
    let runs = 0;
    const embed = async () => {
      runs++;
      return new Float32Array(8).fill(1);
    };
    const more = { description: "A kind of thing.", aliases: ["one", "two", "three"] };
    await describeTypes(
      Array.from({ length: count }, (_, at) => type(`Kind${at}`, more)),
      { embed },
    );
    return runs;
  };
  const anchors = await calls(0);
  assert.deepEqual(
    [await calls(100), await calls(500), await calls(2_000)].map((runs) => runs - anchors),
    [100 * 5, 500 * 3, 2_000],
  );
});

describe("the typer", () => {
  const tag = createTagger();
  let cacheDir: string;
  let model: ClosableEmbedder;
  let typer: Typer;
  before(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "typer-"));
    model = await openMiniLmEmbedder(cacheDir);
    typer = await createTyper([type("Person"), type("Company"), type("City")], { embed: model.embed });
  });
  after(async () => {
    await model.close();
    await rm(cacheDir, { recursive: true, force: true });
  });

  async function read(text: string, offset = 0) {
    const tokens = tag(" ".repeat(offset) + text, { start: offset, end: offset + text.length });
    const mentions = findEntityMentions(tokens);
    return { tokens, mentions, states: await model.encode(text), offset };
  }

  async function typesIn(text: string, by: Typer): Promise<Readonly<Record<string, string>>> {
    const sentence = await read(text);
    return Object.fromEntries(
      by.score(sentence).flatMap(({ types, none }, at) => {
        const { start, end } = sentence.mentions[at]!;
        return none > 0.6 ? [] : [[text.slice(start, end), by.types[types.indexOf(Math.max(...types))]!]];
      }),
    );
  }

  it("tells people, companies and cities apart", async () => {
    const found = await typesIn("Maria Gonzalez joined Siemens in Hamburg after her studies.", typer);
    assert.equal(found["Maria Gonzalez"], "Person");
    assert.equal(found["Siemens"], "Company");
    assert.equal(found["Hamburg"], "City");
  });

  it("gives shares that add up to one, for every mention", async () => {
    const sentence = await read(
      "In 1998 Maria Gonzalez bought a small house near Porto for 40 million dollars.",
    );
    const scores = typer.score(sentence);
    assert.equal(scores.length, sentence.mentions.length);
    for (const { none, types } of scores) {
      const sum = types.reduce((total, share) => total + share, none);
      assert.ok(Math.abs(sum - 1) < 1e-5 && none >= 0 && types.every((share) => share >= 0));
    }
  });

  it("scores a mention the same whichever others are asked for with it", async () => {
    const sentence = await read(
      "After her studies Maria Gonzalez of Porto soon joined Siemens in old Hamburg.",
    );
    const all = typer.score(sentence);
    for (const [at, mention] of sentence.mentions.entries()) {
      // Other tokens, because the words of a sentence are read once.
      const [alone] = typer.score({ ...sentence, tokens: [...sentence.tokens], mentions: [mention] });
      const { none, types } = all[at]!;
      assert.ok(Math.abs((alone?.none ?? 0) - none) < 1e-5);
      assert.ok(types.every((share, type) => Math.abs((alone?.types[type] ?? 0) - share) < 1e-5));
    }
  });

  it("scores a sentence the same wherever it stands in a document", async () => {
    const text = "Maria Gonzalez joined Siemens in Hamburg.";
    const [here, there] = [await read(text), await read(text, 40)];
    assert.deepEqual(typer.score(there), typer.score(here));
  });

  it("follows the examples that a type lists", async () => {
    const text = "They were fond of Blorvex all their lives.";
    const by = (examples: readonly string[]) =>
      createTyper([type("Ritual", { examples }), type("Dish")], { embed: model.embed });
    const [plain, taught] = [await by([]), await by(["Blorvex"])];
    const sentence = await read(text);
    const place = sentence.mentions.findIndex(({ start, end }) => text.slice(start, end) === "Blorvex");
    const share = (by: Typer) => by.score(sentence)[place]?.types[0] ?? 0;
    assert.ok(share(taught) > share(plain) * 2 && share(taught) > 0.5, `${share(plain)} → ${share(taught)}`);
  });

  it("reads more than the model does, and nothing at all", async () => {
    const long = await read("Maria met Jonas. ".repeat(110));
    assert.equal(typer.score(long).length, long.mentions.length);
    assert.ok(typer.score(long).every(({ none }) => none >= 0 && none <= 1));
    assert.deepEqual(typer.score(await read("")), []);
  });

  it("has only none for an ontology without types", async () => {
    const none = await createTyper([], { embed: model.embed });
    assert.deepEqual(
      none.score(await read("Maria met Jonas.")).map((score) => score.none),
      (await read("Maria met Jonas.")).mentions.map(() => 1),
    );
  });

  it("knows broad types without an ontology", async () => {
    const text = "On 3 June 1997 the Norwegian singer Maria Gonzalez moved to Hamburg.";
    const sentence = await read(text);
    const scores = (await createCoarseTyper({ embed: model.embed }))(sentence);
    const found = Object.fromEntries(
      sentence.mentions.map(({ start, end }, at) => [text.slice(start, end), scores[at]?.type]),
    );
    assert.equal(found["Maria Gonzalez"], "Person");
    assert.equal(found["Hamburg"], "Location");
  });
});

describe("the typing weights", () => {
  it("are refused when the file has another size", () => {
    assert.throws(() => decodeWeights(new Uint8Array(WEIGHT_BYTES - 1)), RangeError);
  });

  it("are numbers, and small enough to keep", () => {
    assert.ok(WEIGHT_BYTES <= 200_000);
    for (const values of Object.values(readWeights())) assert.ok(values.every(Number.isFinite));
  });
});
