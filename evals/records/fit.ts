/**
 * Learns the weights of pairs of columns and of the types of columns (extract/records/column-weights.ts) from the files with an odd number.
 *
 *   node evals/records/fit.ts FOLDER
 *
 * Prints precision and recall of pairs with each file held out, and the weights that are learned from all of them.
 */
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { convertFile } from "../../packages/server/src/adapters/files/convert-file.ts";
import { openMiniLmEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { openMiniLmFacts } from "../../packages/server/src/adapters/models/minilm-facts.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { indexedText } from "../../packages/server/src/domain/document.ts";
import { DEFAULT_CONFIDENCE_LIMITS } from "../../packages/server/src/domain/graph.ts";
import { type OntologySchema, parseOntology } from "../../packages/server/src/domain/ontology-schema.ts";
import { chunkDocument } from "../../packages/server/src/engine/ingest/chunk.ts";
import { DEFAULT_CHUNKING } from "../../packages/server/src/engine/ingest/defaults.ts";
import type { Passage } from "../../packages/server/src/engine/ingest/extract/facts/passage.ts";
import { createReadText } from "../../packages/server/src/engine/ingest/extract/learned/create-reading.ts";
import {
  choosePairs,
  describeColumnPairs,
  PAIR_FEATURES,
  type ScoredPair,
  type TypedTable,
} from "../../packages/server/src/engine/ingest/extract/records/column-pairs.ts";
import {
  describeColumnTypes,
  TYPE_FEATURES,
} from "../../packages/server/src/engine/ingest/extract/records/column-types.ts";
import { findTables } from "../../packages/server/src/engine/ingest/extract/records/find-records.ts";
import { createColumnReader } from "../../packages/server/src/engine/ingest/extract/records/record-links.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import { fold } from "../answers/judge.ts";
import { listFiles, type NamedFact, readGold } from "./gold.ts";

const STEPS = 600;
const RATE = 0.05;
const DECAY = 8;
const MAX_TOKENS = 256;
const LEAST_SCORES = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** A table of a chunk, with what its file states. */
interface Table extends TypedTable {
  readonly file: string;
  readonly schema: OntologySchema;
  readonly gold: readonly NamedFact[];
}

interface Row {
  readonly file: string;
  readonly features: readonly number[];
  readonly isTrue: boolean;
}

interface PairRow extends Row {
  readonly pair: Omit<ScoredPair, "score">;
  readonly what: string;
  /** Rows of the table that have both values. */
  readonly rows: number;
}

type Models = Awaited<ReturnType<typeof openModels>>;

async function openModels() {
  const cacheDir = fileURLToPath(new URL("../../node_modules/.cache/kcs-models", import.meta.url));
  await mkdir(cacheDir, { recursive: true });
  const model = await openMiniLmEmbedder(cacheDir);
  const facts = await openMiniLmFacts(cacheDir);
  return { model, facts, tag: createTagger() };
}

async function textOfFile(path: string): Promise<string> {
  if (!/\.(?:csv|tsv)$/.test(path)) return readFile(path, "utf8");
  const limits = { maxTextBytes: 1e8 } as Parameters<typeof convertFile>[0]["limits"]; // Those of archives are not used.
  const membersFolder = await mkdtemp(join(tmpdir(), "kcs-fit-"));
  const converted = await convertFile({
    name: basename(path),
    path,
    membersFolder,
    ocrLanguages: [],
    limits,
  });
  return converted.kind === "archive" ? "" : converted.text;
}

async function readTables(
  folder: string,
  file: string,
  { model, facts, tag }: Models,
): Promise<readonly Table[]> {
  const stem = file.replace(/\.[^.]+$/, "");
  const { ontology, facts: gold } = await readGold(stem);
  const schema = parseOntology(JSON.stringify(ontology.schema));
  const text = await textOfFile(join(folder, file));
  const readText = await createReadText(schema, { model: facts, embed: model.embed });
  const readColumns = await createColumnReader(schema, model.embed);
  const outline = outlineDocument(text, {});
  const options = {
    ...DEFAULT_CHUNKING,
    maxTokens: MAX_TOKENS,
    countTokens: (part: string) => model.countTokens(part),
  };
  const tables: Table[] = [];
  for (const chunk of chunkDocument(text, options)) {
    const embedded = indexedText(chunk);
    const encoded = await model.encode(embedded);
    const reading = await readText(encoded, chunk.start - (embedded.length - chunk.text.length));
    const sentences = outline(chunk).sentences.map((span, index) => {
      const tokens = tag(chunk.text, { start: span.start - chunk.start, end: span.end - chunk.start });
      const placed = tokens.map((one) => ({
        ...one,
        start: one.start + chunk.start,
        end: one.end + chunk.start,
      }));
      return { ...span, index, tokens: placed, mentions: [], statements: [], encoded };
    });
    const textOf = ({ start, end }: { readonly start: number; readonly end: number }) =>
      chunk.text.slice(start - chunk.start, end - chunk.start);
    const place = { start: chunk.start, end: chunk.end, whole: encoded, offset: chunk.start };
    const around = { heading: "", table: chunk.table ?? null, documentSubject: null, documentDate: null };
    const rest = { limits: DEFAULT_CONFIDENCE_LIMITS, names: [], antecedent: null };
    const passage: Passage = { ...place, ...around, ...rest, textOf, sentences };
    for (const table of findTables(chunk.text, passage.table)) {
      const read = await readColumns(table, passage, (name) => reading.typesOf(name));
      tables.push({ ...read, ...describeColumnTypes(read.columns, read), file: stem, schema, gold });
    }
  }
  return tables;
}

/** Each column with each type: true where most of its names are ends of that type. */
function typeRows({ file, schema, gold, columns, types }: Table): readonly Row[] {
  const edgeOf = new Map(schema.edgeTypes.map((edge) => [edge.name, edge]));
  const names = schema.nodeTypes.map(() => new Set<string>());
  const indexOf = new Map(schema.nodeTypes.map(({ name }, at) => [name, at]));
  for (const { source, type, target } of gold) {
    const { sourceTypes = [], targetTypes = [] } = edgeOf.get(type) ?? {};
    for (const [name, allowed] of [
      [source, sourceTypes],
      [target, targetTypes],
    ] as const)
      for (const each of allowed)
        for (const spelling of name.split("|")) names[indexOf.get(each) ?? -1]?.add(fold(spelling));
  }
  return columns.flatMap(({ values }, at) => {
    const told = values.fields.flatMap((field) => field?.entities.slice(0, 1) ?? []);
    return (types[at]?.features ?? []).map((features, type) => {
      const right = told.filter(({ name }) => names[type]?.has(fold(name)) === true).length;
      return { file, features, isTrue: 2 * right > told.length };
    });
  });
}

function pairRows(table: Table, weights: Fitted): readonly PairRow[] {
  const { file, schema, gold, columns } = table;
  const types = table.types.map(({ features, logits }) => {
    return {
      features,
      logits: features.length === 0 ? logits : features.map((each) => logitOf(weights, each)),
    };
  });
  const isStated = stated(gold);
  const namesOf = (column: number, row: number) => columns[column]?.values.fields[row]?.entities ?? [];
  return [...describeColumnPairs({ ...table, types })].flatMap((pair): readonly PairRow[] => {
    const edge = schema.edgeTypes[pair.edge]?.name ?? "";
    let [rows, right] = [0, 0];
    for (const row of columns[pair.source]?.values.fields.keys() ?? []) {
      const [from, to] = [namesOf(pair.source, row), namesOf(pair.target, row)];
      if (from.length === 0 || to.length === 0) continue;
      rows++;
      if (from.some((one) => to.some((other) => isStated(one.name, edge, other.name)))) right++;
    }
    const what = `${columns[pair.source]?.key} ${edge} ${columns[pair.target]?.key}`;
    return rows === 0 ? [] : [{ file, what, pair, features: pair.features, rows, isTrue: 2 * right > rows }];
  });
}

function stated(gold: readonly NamedFact[]) {
  const known = new Set(
    gold.flatMap(({ source, type, target }) =>
      source
        .split("|")
        .flatMap((one) => target.split("|").map((other) => [fold(one), type, fold(other)].join("\n"))),
    ),
  );
  return (source: string, edge: string, target: string) =>
    known.has([fold(source), edge, fold(target)].join("\n"));
}

interface Fitted {
  readonly bias: number;
  readonly weights: readonly number[];
}

/**
 * Logistic regression by Adam on standardised features, with the standardisation folded into the weights. Files with more rows do not weigh as much more.
 * The first features are evidence: their weights are not negative. With an evenness of 1 each file weighs the same.
 */
function learn(rows: readonly Row[], evidence: number, evenness = 0.5): Fitted {
  const size = rows[0]?.features.length ?? 0;
  const columns = Array.from({ length: size }, (_, k) => rows.map(({ features }) => features[k]!));
  const counts = Map.groupBy(rows, ({ file }) => file);
  const shares = rows.map(({ file }) => (counts.get(file)?.length ?? 1) ** -evenness);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const mean = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / rows.length);
  const deviation = columns.map(
    (column, k) =>
      Math.sqrt(column.reduce((sum, value) => sum + (value - mean[k]!) ** 2, 0) / rows.length) || 1,
  );
  const inputs = rows.map(({ features }) => [
    1,
    ...features.map((value, k) => (value - mean[k]!) / deviation[k]!),
  ]);
  const weights = new Float64Array(size + 1);
  const [first, second] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = new Float64Array(size + 1);
    for (const [at, input] of inputs.entries()) {
      const logit = input.reduce((sum, value, k) => sum + value * weights[k]!, 0);
      const error = (1 / (1 + Math.exp(-logit)) - Number(rows[at]!.isTrue)) * shares[at]!;
      for (let k = 0; k <= size; k++) gradient[k]! += error * input[k]!;
    }
    for (let k = 0; k <= size; k++) {
      const slope = gradient[k]! / total + (k === 0 ? 0 : (DECAY * weights[k]!) / rows.length);
      first[k] = 0.9 * first[k]! + 0.1 * slope;
      second[k] = 0.999 * second[k]! + 0.001 * slope * slope;
      weights[k]! -=
        (RATE * (first[k]! / (1 - 0.9 ** step))) / (Math.sqrt(second[k]! / (1 - 0.999 ** step)) + 1e-8);
      if (k > 0 && k <= evidence) weights[k] = Math.max(0, weights[k]!);
    }
  }
  const folded = columns.map((_, k) => weights[k + 1]! / deviation[k]!);
  return {
    bias: weights[0]! - folded.reduce((sum, weight, k) => sum + weight * mean[k]!, 0),
    weights: folded,
  };
}

function logitOf({ bias, weights }: Fitted, features: readonly number[]): number {
  return features.reduce((sum, value, k) => sum + value * weights[k]!, bias);
}

const scoreOf = (fitted: Fitted, { features }: Row) => 1 / (1 + Math.exp(-logitOf(fitted, features)));

function learnAll(tables: readonly Table[]) {
  const types = learn(tables.flatMap(typeRows), TYPE_FEATURES.indexOf("neutral"));
  return {
    types,
    pairs: learn(
      tables.flatMap((table) => pairRows(table, types)),
      PAIR_FEATURES.indexOf("rivals"),
    ),
  };
}

/** Platt's map of held out scores (extract/confidence.ts); each file weighs the same. */
function calibrate(held: readonly Held[]) {
  const rows = held.map(({ row, score }) => ({
    file: row.file,
    features: [Math.log(score / (1 - score))],
    isTrue: row.isTrue,
  }));
  const { bias: offset, weights } = learn(rows, 1, 1);
  return { slope: weights[0], offset };
}

interface Held {
  readonly row: PairRow;
  readonly score: number;
}

function report(held: readonly Held[], shows: boolean): void {
  const count = (told: readonly Held[]) => told.reduce((sum, { row }) => sum + row.rows, 0);
  const isTrue = ({ row }: Held) => row.isTrue;
  const wanted = count(held.filter(isTrue));
  process.stdout.write(
    `${held.length} pairs, ${held.filter(isTrue).length} of them stated, ${wanted} rows\n`,
  );
  for (const least of LEAST_SCORES) {
    const told = held.filter(({ score }) => score >= least);
    const right = count(told.filter(isTrue));
    const [precision, recall] = [right / count(told), right / wanted].map((share) => share.toFixed(3));
    process.stdout.write(`from ${least}: precision ${precision}, recall ${recall}\n`);
  }
  process.stdout.write(
    `confidence: ${JSON.stringify(calibrate(held.filter(({ score }) => score > 0.05)))}\n`,
  );
  if (!shows) return;
  for (const [what, told] of Map.groupBy(held, ({ row }) => `${row.file.slice(0, 12)}: ${row.what}`)) {
    const score = told.reduce((sum, one) => sum + one.score, 0) / told.length;
    const share = told.filter(isTrue).length / told.length;
    if (score > 0.3 || share > 0.3)
      process.stdout.write(`${score.toFixed(2)} stated ${share.toFixed(2)} of ${told.length}: ${what}\n`);
  }
}

function print(name: string, features: readonly string[], { bias, weights }: Fitted): void {
  process.stdout.write(
    `${name}: bias ${bias.toFixed(2)}\n[${weights.map((weight) => weight.toFixed(2)).join(", ")}]\n`,
  );
  process.stdout.write(
    `${features.map((feature, k) => `${feature} ${weights[k]?.toFixed(2)}`).join(", ")}\n`,
  );
}

async function main(folder: string | undefined, shows: boolean): Promise<void> {
  if (folder === undefined) throw new Error("The folder with the files is missing.");
  silenceRuntime();
  const models = await openModels();
  const tables: Table[] = [];
  for (const file of await listFiles(folder))
    if (Number.parseInt(file, 10) % 2 === 1) tables.push(...(await readTables(folder, file, models)));
  await models.model.close();
  await models.facts.close();
  const held = [...new Set(tables.map(({ file }) => file))].flatMap((file) => {
    const fitted = learnAll(tables.filter((table) => table.file !== file));
    return tables
      .filter((table) => table.file === file)
      .flatMap((table) => {
        const scored = pairRows(table, fitted.types).map((row) => {
          return { ...row.pair, row, score: scoreOf(fitted.pairs, row) };
        });
        const chosen = new Set(choosePairs(scored));
        return scored.map((each) => ({ row: each.row, score: chosen.has(each) ? each.score : 0 }));
      });
  });
  report(held, shows);
  const { types, pairs } = learnAll(tables);
  print("types", TYPE_FEATURES, types);
  print("pairs", PAIR_FEATURES, pairs);
}

const given = process.argv.slice(2);
await main(
  given.find((each) => !each.startsWith("--")),
  given.includes("--show"),
);
