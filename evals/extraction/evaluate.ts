/**
 * How well the built-in engine reads invented texts of the kinds that users stumbled over: cases.txt, read as ingestion reads them.
 *
 *   node evals/extraction/evaluate.ts MODELS [RESULT.json] [--faults]
 *
 * MODELS is the folder where the bundled model is kept, made where there is none. Half of the cases were tuned on; those of the
 * other half are of the same kinds with other names and words, and their faults were not looked at. `--faults` shows those of the tuned half.
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { openMiniLmEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { openMiniLmFacts } from "../../packages/server/src/adapters/models/minilm-facts.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { createPassageReader } from "../../packages/server/src/engine/ingest/extract/read-passage.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import type { PassageReader } from "../../packages/server/src/ports/passage-reader.ts";
import { type Case, readCases, relationshipKey } from "./cases.ts";

interface Judged {
  readonly entities: Counts;
  readonly relationships: Counts;
  readonly faults: readonly string[];
}

interface Counts {
  readonly found: number;
  readonly right: number;
  readonly wanted: number;
}

async function read(
  reader: PassageReader,
  { text, ontology }: Case,
  schemas: Readonly<Record<string, unknown>>,
) {
  const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
  const { sentences, mentions, title } = outlineDocument(text, {})(chunk);
  const schema = schemas[ontology];
  if (schema === undefined && ontology !== "open") throw new Error(`No ontology: ${ontology}`);
  const { facts } = await reader.read({
    ...{ text, start: 0, sentences, mentions, documentSubject: title },
    ontology: schema === undefined ? null : { ontologyId: ontology, schemaJson: JSON.stringify(schema) },
  });
  return facts;
}

async function judge(
  reader: PassageReader,
  one: Case,
  schemas: Readonly<Record<string, unknown>>,
): Promise<Judged> {
  const facts = await read(reader, one, schemas);
  const entities = new Map(facts.entities.map((entity) => [`${entity.type} ${entity.key}`, entity]));
  const found = [...entities.values()].filter(({ type, key }) => !one.mayHave.has(`${type} ${key}`));
  const isRight = ({ type, key }: { readonly type: string; readonly key: string }) =>
    one.entities.get(key)?.includes(type) === true;
  const missed = [...one.entities].filter(
    ([key, types]) => !found.some((entity) => entity.key === key && types.includes(entity.type)),
  );
  const said = new Set(
    facts.relationships.map(({ source, type, target }) => relationshipKey(source.key, type, target.key)),
  );
  const wanted = one.relationships;
  return {
    entities: {
      found: found.length,
      right: one.entities.size - missed.length,
      wanted: one.entities.size,
    },
    relationships: {
      found: said.size,
      right: [...said].filter((key) => wanted.has(key)).length,
      wanted: wanted.size,
    },
    faults: [
      ...found.filter((entity) => !isRight(entity)).map(({ type, name }) => `+ ${type}: ${name}`),
      ...missed.map(([key, types]) => `- ${types.join("|")}: ${key}`),
      ...[...said].filter((key) => !wanted.has(key)).map((key) => `+ ${key}`),
      ...[...wanted].filter((key) => !said.has(key)).map((key) => `- ${key}`),
    ],
  };
}

const round = (value: number) => Math.round(value * 1000) / 1000;

function rates(counts: readonly Counts[]) {
  const sum = (pick: (one: Counts) => number) => counts.reduce((total, one) => total + pick(one), 0);
  const [found, right, wanted] = [sum((one) => one.found), sum((one) => one.right), sum((one) => one.wanted)];
  const precision = found === 0 ? 1 : right / found;
  const recall = wanted === 0 ? 1 : right / wanted;
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision: round(precision), recall: round(recall), f1: round(f1), ...{ found, right, wanted } };
}

function summary(judged: readonly Judged[]) {
  return {
    cases: judged.length,
    withoutFault: judged.filter(({ faults }) => faults.length === 0).length,
    entities: rates(judged.map(({ entities }) => entities)),
    relationships: rates(judged.map(({ relationships }) => relationships)),
  };
}

async function main(given: readonly string[]): Promise<void> {
  const [cacheDir, resultFile] = given.filter((argument) => !argument.startsWith("--"));
  if (cacheDir === undefined)
    throw new Error("Usage: node evals/extraction/evaluate.ts MODELS [RESULT.json] [--faults]");
  const cases = await readCases();
  const schemas = JSON.parse(
    await readFile(new URL("./ontologies.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, unknown>>; // Our own file.
  await mkdir(cacheDir, { recursive: true });
  silenceRuntime();
  const model = await openMiniLmEmbedder(cacheDir);
  const facts = await openMiniLmFacts(cacheDir);
  const reader = createPassageReader({ ...model, facts, tag: createTagger() });
  const judged: { readonly one: Case; readonly judged: Judged }[] = [];
  for (const one of cases) judged.push({ one, judged: await judge(reader, one, schemas) });
  await facts.close();
  await model.close();
  if (given.includes("--faults"))
    for (const { one, judged: own } of judged)
      if (one.half === "tune" && own.faults.length > 0)
        process.stdout.write(
          `${one.kind}, ${one.ontology}: ${one.text.slice(0, 160)}\n  ${own.faults.join("\n  ")}\n`,
        );
  const half = (name: Case["half"]) => judged.filter(({ one }) => one.half === name);
  const byKind = Object.fromEntries(
    [...Map.groupBy(half("report"), ({ one }) => one.kind)].map(([kind, own]) => {
      const { cases, withoutFault, entities, relationships } = summary(own.map((each) => each.judged));
      return [kind, { cases, withoutFault, entities: entities.f1, relationships: relationships.f1 }];
    }),
  );
  const report = {
    command: "node evals/extraction/evaluate.ts MODELS RESULT.json",
    commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
    tuned: summary(half("tune").map((each) => each.judged)),
    reported: { ...summary(half("report").map((each) => each.judged)), byKind },
  };
  process.stdout.write(`${JSON.stringify({ tuned: report.tuned, reported: report.reported }, null, 1)}\n`);
  if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
}

await main(process.argv.slice(2));
