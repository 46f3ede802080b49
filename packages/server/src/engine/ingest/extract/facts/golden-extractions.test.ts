/**
 * What is read out of texts of different kinds, written down to be looked at: golden/extractions.md. After a change
 * that is meant, write it anew with KCS_WRITE_GOLDEN=1, and read what changed.
 */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type ClosableEmbedder, openMiniLmEmbedder } from "../../../../adapters/models/minilm-embedder.ts";
import { type ClosableFactModel, openMiniLmFacts } from "../../../../adapters/models/minilm-facts.ts";
import type { PassageReader } from "../../../../ports/passage-reader.ts";
import { outlineDocument } from "../../outline.ts";
import { createPassageReader } from "../read-passage.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { renderFacts } from "./golden/render-facts.ts";

interface Case {
  readonly title: string;
  readonly ontology: unknown;
  readonly text: string;
}

const cases = fileURLToPath(new URL("./golden/cases.json", import.meta.url));
const golden = fileURLToPath(new URL("./golden/extractions.md", import.meta.url));
const MODEL_CACHE = fileURLToPath(
  new URL("../../../../../../../node_modules/.cache/kcs-models", import.meta.url),
);

let model: ClosableEmbedder;
let factModel: ClosableFactModel;
let reader: PassageReader;
before(async () => {
  await mkdir(MODEL_CACHE, { recursive: true });
  model = await openMiniLmEmbedder(MODEL_CACHE);
  factModel = await openMiniLmFacts(MODEL_CACHE);
  const { embed, encode } = model;
  reader = createPassageReader({ embed, encode, tag: createTagger(), facts: factModel });
});
after(async () => {
  await factModel.close();
  await model.close();
});

async function extract({ title, ontology, text }: Case): Promise<string> {
  const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
  const outline = outlineDocument(text, {})(chunk);
  const { facts } = await reader.read({
    text,
    start: 0,
    sentences: outline.sentences,
    mentions: outline.mentions,
    documentSubject: outline.title,
    ontology: ontology === null ? null : { ontologyId: title, schemaJson: JSON.stringify({ ontology }) },
  });
  return renderFacts(title, text, facts);
}

test("texts of a dozen kinds give the extractions that were looked at", async () => {
  const all = JSON.parse(await readFile(cases, "utf8")) as readonly Case[]; // Ours, beside this file.
  const read: string[] = [];
  for (const one of all) read.push(await extract(one));
  const rendered = read.join("\n");
  if (process.env["KCS_WRITE_GOLDEN"] === "1") await writeFile(golden, rendered);
  assert.equal(rendered, await readFile(golden, "utf8"));
});
