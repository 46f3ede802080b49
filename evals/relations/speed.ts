/**
 * Measures how many sentences a second one core reads under an ontology, beyond the embedding that search needs anyway: the
 * CPU time of tagging, mentions, types, statements and relations, with the vectors of single words, without those of sentences.
 *
 *   node evals/relations/speed.ts <tekgen folder> <model cache> [RESULT.json]
 *
 * CPU time, not the clock's, so that other work on the machine does not count. The first pass fills the memory of words and the
 * compiler's; the second, over other sentences, is what is told.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EncodedText } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { createPassageReader } from "../../packages/server/src/engine/ingest/extract/read-passage.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import { sentences } from "../../packages/server/src/engine/text/sentences.ts";
import { round } from "./folds.ts";
import { openModels } from "./readings.ts";
import {
  isFirstHalf,
  pickExamples,
  readOntologies,
  readRows,
  type TekgenRow,
  toOntologyJson,
} from "./tekgen.ts";

const SENTENCES_OF_EACH = 150;

async function main([folder = "", cache = "", result]: readonly string[]): Promise<void> {
  const models = await openModels(cache);
  const rows = readRows(join(folder, "test.jsonl"));
  const ontologies = readOntologies(join(folder, "ontologies"));
  const measured = [];
  for (const examples of [0, 5]) {
    const passes = [];
    for (const isFirst of [true, false]) {
      const total = { sentences: 0, cpuMs: 0 };
      for (const [ontology, raw] of ontologies) {
        const own = rows.filter((row) => row.ontology === ontology && isFirstHalf(row.id) === isFirst);
        const taught = pickExamples(
          rows.filter((row) => row.ontology === ontology && isFirstHalf(row.id)),
          examples,
        );
        const json = toOntologyJson(raw, taught);
        const read = await readAll(own.slice(0, SENTENCES_OF_EACH), { models, json });
        total.sentences += read.sentences;
        total.cpuMs += read.cpuMs;
      }
      passes.push({
        ...total,
        cpuMs: Math.round(total.cpuMs),
        perSecond: Math.round((1000 * total.sentences) / total.cpuMs),
      });
    }
    measured.push({
      examples,
      first: passes[0],
      second: passes[1],
      msEach: round((passes[1]?.cpuMs ?? 0) / (passes[1]?.sentences ?? 1)),
    });
    process.stdout.write(`${JSON.stringify(measured.at(-1))}\n`);
  }
  await models.close();
  const command = "node evals/relations/speed.ts FOLDER MODELS RESULT.json";
  if (result !== undefined) writeFileSync(result, `${JSON.stringify({ command, measured }, null, 2)}\n`);
}

interface Reading {
  readonly models: Awaited<ReturnType<typeof openModels>>;
  readonly json: string;
}

async function readAll(rows: readonly TekgenRow[], { models, json }: Reading) {
  const encoded = new Map<string, EncodedText>();
  for (const { text } of rows)
    for (const { start, end } of sentences(text)) {
      const sentence = text.slice(start, end);
      encoded.set(sentence, await models.encode(sentence));
    }
  const encode = async (text: string) => encoded.get(text) ?? models.encode(text);
  const reader = createPassageReader({ embed: models.embed, tag: models.tag, encode });
  const requests = rows.map(({ text }) => toRequest(text, json));
  const [first] = requests;
  if (first !== undefined) await reader.read(first);
  const before = process.cpuUsage();
  for (const request of requests) await reader.read(request);
  const { user, system } = process.cpuUsage(before);
  return {
    sentences: requests.reduce((sum, one) => sum + one.sentences.length, 0),
    cpuMs: (user + system) / 1000,
  };
}

function toRequest(text: string, schemaJson: string) {
  const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
  const { sentences: spans, mentions, title } = outlineDocument(text, {})(chunk);
  const ontology = { ontologyId: schemaJson, schemaJson };
  return { text, start: 0, sentences: spans, mentions, documentSubject: title, ontology };
}

await main(process.argv.slice(2));
