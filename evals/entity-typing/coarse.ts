/**
 * Measures the types that a project without an ontology gives to names: exact span and broad class, as ingestion reads them.
 *
 *   node evals/entity-typing/coarse.ts FILE.jsonl … [--confusions] [--result RESULT.json]
 *
 * Lines are those of `evaluate.ts`. A label counts as the class it is a kind of; what is of none (fields, genres, dates, awards) or of
 * several is left out, found or not. Prints a line of JSON for each file.
 */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { openMiniLmEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { createPassageReader } from "../../packages/server/src/engine/ingest/extract/read-passage.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import type { PassageReader } from "../../packages/server/src/ports/passage-reader.ts";
import type { Labelled } from "./labels.ts";

const labelsOf = {
  Person: "person researcher writer musicalartist politician scientist",
  Organization: "organisation organization corporation group university band politicalparty",
  Location: "location country astronomicalobject",
  Event: "event election conference",
  Work: "book poem album song creative_work",
  Product: "product",
} as const;

type Class = keyof typeof labelsOf;

const classOf: ReadonlyMap<string, Class> = new Map(
  (Object.keys(labelsOf) as Class[]).flatMap((type) =>
    labelsOf[type].split(" ").map((label) => [label, type] as const),
  ),
);

interface Counts {
  gold: number;
  found: number;
  right: number;
  rightSpans: number;
  /** "class of the label > class given", of right spans. */
  readonly confusions: Map<string, string[]>;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

async function readEntities(reader: PassageReader, text: string): Promise<readonly Found[]> {
  const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
  const { sentences, mentions } = outlineDocument(text, {})(chunk);
  const { facts } = await reader.read({
    text,
    start: 0,
    sentences,
    mentions,
    documentSubject: null,
    ontology: null,
  });
  return facts.entities;
}

function count(counts: Counts, { text, entities }: Labelled, found: readonly Found[]): void {
  const isLeftOut = entities.filter(({ label }) => !classOf.has(label.replace(" ", "_")));
  const at = new Map(found.map((one) => [`${one.start}:${one.end}`, one.type]));
  for (const { start, end, label } of entities) {
    const wanted = classOf.get(label.replace(" ", "_"));
    if (wanted === undefined) continue;
    counts.gold++;
    const type = at.get(`${start}:${end}`);
    if (type !== undefined) counts.rightSpans++;
    if (type === wanted) counts.right++;
    else {
      const key = `${wanted} > ${type ?? "-"}`;
      const names = counts.confusions.get(key) ?? [];
      counts.confusions.set(key, [...names, text.slice(start, end)]);
    }
  }
  counts.found += found.filter(
    (one) => !isLeftOut.some(({ start, end }) => start < one.end && one.start < end),
  ).length;
}

async function measureFile(file: string, reader: PassageReader) {
  const data = await readFile(file, "utf8");
  const counts: Counts = { gold: 0, found: 0, right: 0, rightSpans: 0, confusions: new Map() };
  for (const line of data.trim().split("\n")) {
    const labelled = JSON.parse(line) as Labelled;
    count(counts, labelled, await readEntities(reader, labelled.text));
  }
  const percent = (part: number, whole: number) => Number(((100 * part) / Math.max(1, whole)).toFixed(1));
  const { gold, found, right, rightSpans, confusions } = counts;
  return {
    scores: {
      file: basename(file),
      sha256: createHash("sha256").update(data).digest("hex"),
      entities: gold,
      precision: percent(right, found),
      recall: percent(right, gold),
      f1: percent(2 * right, found + gold),
      spanF1: percent(2 * rightSpans, found + gold),
      classOfRightSpan: percent(right, rightSpans),
    },
    confusions,
  };
}

function printConfusions(confusions: Counts["confusions"]): void {
  for (const [key, names] of [...confusions].sort((a, b) => b[1].length - a[1].length).slice(0, 16))
    process.stdout.write(`  ${names.length} ${key}: ${[...new Set(names)].slice(0, 14).join(" ; ")}\n`);
}

silenceRuntime();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { confusions: { type: "boolean" }, result: { type: "string" } },
});
const cacheDir = await mkdtemp(join(tmpdir(), "coarse-typing-"));
const model = await openMiniLmEmbedder(cacheDir);
try {
  const reader = createPassageReader({ embed: model.embed, encode: model.encode, tag: createTagger() });
  const measured = [];
  for (const file of positionals) {
    const { scores, confusions } = await measureFile(file, reader);
    process.stdout.write(`${JSON.stringify(scores)}\n`);
    if (values.confusions === true) printConfusions(confusions);
    measured.push(scores);
  }
  if (values.result !== undefined) {
    const command = "node evals/entity-typing/coarse.ts FILE.jsonl …";
    await writeFile(values.result, `${JSON.stringify({ command, measured }, null, 2)}\n`);
  }
} finally {
  await model.close();
  await rm(cacheDir, { recursive: true, force: true });
}
