/** The bundled model that reads facts, as it is shipped, on texts and ontologies that it was not taught with. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type ClosableEmbedder, openMiniLmEmbedder } from "../../src/adapters/models/minilm-embedder.ts";
import { type ClosableFactModel, openMiniLmFacts } from "../../src/adapters/models/minilm-facts.ts";
import { parseOntology } from "../../src/domain/ontology-schema.ts";
import { createReadText, type ReadText } from "../../src/engine/ingest/extract/learned/create-reading.ts";

const SCHEMA = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [
        {
          level: 0,
          node_types: {
            Person: { description: "a human being" },
            Bakery: { description: "a firm that bakes bread" },
            Town: { description: "a town or village" },
          },
        },
      ],
      edge_types: [
        {
          ...{ name: "FOUNDED", description: "the person set the bakery up" },
          ...{ source_types: ["Person"], target_types: ["Bakery"] },
        },
        {
          ...{ name: "LOCATED_IN", description: "the bakery has its shop there" },
          ...{ source_types: ["Bakery"], target_types: ["Town"] },
        },
      ],
    },
  }),
);
const TEXT = "Odile Karras opened Kestrel Loaves in the spring of 1987; its ovens stand in Brackwell.";
const spanOf = (words: string) => ({ start: TEXT.indexOf(words), end: TEXT.indexOf(words) + words.length });

describe("the bundled model of facts", () => {
  let cacheDir: string;
  let embedder: ClosableEmbedder;
  let model: ClosableFactModel;
  let readText: ReadText;
  before(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "facts-"));
    embedder = await openMiniLmEmbedder(cacheDir);
    model = await openMiniLmFacts(cacheDir);
    readText = await createReadText(SCHEMA, { model, embed: embedder.embed });
  });
  after(async () => {
    await Promise.all([embedder.close(), model.close()]);
    await rm(cacheDir, { recursive: true, force: true });
  });

  it("finds names, and gives them their types", async () => {
    const { names, typesOf } = await readText(await embedder.encode(TEXT), 0);
    const found = names.map(({ start, end }) => TEXT.slice(start, end));
    for (const name of ["Odile Karras", "Kestrel Loaves", "Brackwell"]) assert.ok(found.includes(name), name);
    const types = ["Odile Karras", "Kestrel Loaves", "Brackwell"].map((name) => {
      const shares = typesOf(spanOf(name)) ?? assert.fail();
      return shares.indexOf(Math.max(...shares));
    });
    assert.deepEqual(types, [0, 1, 2]);
  });

  it("prefers what is stated to its reverse", async () => {
    const { pairOf } = await readText(await embedder.encode(TEXT), 0);
    const founded = (source: string, target: string) =>
      pairOf(spanOf(source), spanOf(target))?.logits[0] ?? assert.fail();
    assert.ok(founded("Odile Karras", "Kestrel Loaves") > founded("Kestrel Loaves", "Odile Karras"));
    assert.ok(founded("Odile Karras", "Kestrel Loaves") > founded("Odile Karras", "Brackwell"));
  });

  it("reads the same text alike each time, whatever was read in between", async () => {
    const read = async () => [
      ...((await readText(await embedder.encode(TEXT), 0)).typesOf(spanOf("Brackwell")) ?? []),
    ];
    const first = await read();
    await readText(await embedder.encode("Something else."), 0);
    assert.deepEqual(await read(), first);
  });

  it("reads an empty text", async () => {
    assert.deepEqual((await readText(await embedder.encode(""), 0)).names, []);
  });
});
