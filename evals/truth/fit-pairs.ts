/**
 * Learns the weights of pairs of names (extract/pairs/pair-weights.ts) from the tuned half of the annotated sentences.
 *
 *   node evals/truth/fit-pairs.ts [--show]
 *
 * Prints precision and recall with each set held out, and the weights that are learned from all of them.
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type ClosableEmbedder,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { openMiniLmFacts } from "../../packages/server/src/adapters/models/minilm-facts.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import type { Span } from "../../packages/server/src/domain/graph.ts";
import { parseOntology } from "../../packages/server/src/domain/ontology-schema.ts";
import { createReadText } from "../../packages/server/src/engine/ingest/extract/learned/create-reading.ts";
import { withFoundNames } from "../../packages/server/src/engine/ingest/extract/learned/found-names.ts";
import { findEntityMentions } from "../../packages/server/src/engine/ingest/extract/mentions/find-entity-mentions.ts";
import { PAIR_FEATURES } from "../../packages/server/src/engine/ingest/extract/pairs/pair-features.ts";
import {
  choosePairs,
  createPairReader,
  isDoubted,
  type ScoredPair,
} from "../../packages/server/src/engine/ingest/extract/pairs/pair-reader.ts";
import { createWordVectors } from "../../packages/server/src/engine/ingest/extract/pairs/word-vectors.ts";
import { findTables } from "../../packages/server/src/engine/ingest/extract/records/find-records.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import type { TaggedToken } from "../../packages/server/src/engine/ingest/extract/statements/tagged-token.ts";
import { findUnsettledParts } from "../../packages/server/src/engine/ingest/extract/statements/unsettled-parts.ts";
import { createTyper } from "../../packages/server/src/engine/ingest/extract/types/typer.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import type { FactModel } from "../../packages/server/src/ports/fact-model.ts";
import { readAnnotated, schemaOf } from "./annotated.ts";
import { isNear, isSame } from "./names.ts";

const EXAMPLES = [0, 5] as const;
/** Of this many sentences of the other sets one is read under an ontology, too: nothing that it has a type for is stated there. */
const FOREIGN = 10;
const STEPS = 500;
const RATE = 0.05;
const DECAY = 3;

interface Row {
  readonly set: number;
  readonly pair: ScoredPair["pair"];
  readonly isStated: boolean;
  /** An end has a word too many or too few: neither right nor wrong. */
  readonly isNear: boolean;
}

interface ReadSentence {
  readonly set: number;
  readonly tokens: readonly TaggedToken[];
  readonly rows: readonly Row[];
}

async function main(): Promise<void> {
  silenceRuntime();
  const cacheDir = fileURLToPath(new URL("../../node_modules/.cache/kcs-models", import.meta.url));
  await mkdir(cacheDir, { recursive: true });
  const model = await openMiniLmEmbedder(cacheDir);
  const facts = await openMiniLmFacts(cacheDir);
  const models = { embed: model.embed, encode: model.encode, tag: createTagger(), facts };
  for (const examples of EXAMPLES) {
    const { sentences, wanted } = await readSentences(models, examples);
    report(sentences, wanted, examples);
  }
  await model.close();
  await facts.close();
}

type Models = Omit<Parameters<typeof createPairReader>[1], "typer" | "vectors" | "encode"> & {
  readonly facts: FactModel;
  readonly encode: ClosableEmbedder["encode"];
};

async function readSentences(models: Models, examples: number) {
  const sentences: ReadSentence[] = [];
  let wanted = 0;
  const sets = await readAnnotated();
  for (const [set, annotated] of sets.entries()) {
    if (annotated.part !== "tuned") continue;
    const schema = parseOntology(JSON.stringify(schemaOf(annotated, examples)));
    const typer = await createTyper(schema.nodeTypes, models);
    const readText = await createReadText(schema, { model: models.facts, embed: models.embed });
    const reader = await createPairReader(schema, {
      ...models,
      typer,
      vectors: createWordVectors(models.embed),
      readText,
    });
    const foreign = sets
      .filter((other) => other !== annotated && other.part === "tuned")
      .flatMap((other) => other.sentences.filter((_, at) => (at + set) % FOREIGN === 0))
      .map(({ text }) => ({ text, facts: [] }));
    for (const { text, facts } of [...annotated.sentences, ...foreign]) {
      wanted += facts.length;
      // Records are read otherwise.
      if (
        findTables(text).some(({ records }) =>
          records.some((fields) => fields.filter(({ key }) => key !== "").length > 1),
        )
      )
        continue;
      const chunk = { position: 0, start: 0, end: text.length, text, header: "", tokenCount: 0 };
      const { sentences: spans, mentions: names } = outlineDocument(text, {})(chunk);
      for (const [index, span] of spans.entries()) {
        const tokens = models.tag(text, span);
        const alone = await models.encode(text.slice(span.start, span.end));
        const encoded = { ...alone, reading: await readText(alone, span.start) };
        const mentions = withFoundNames(
          { ...span, tokens, mentions: findEntityMentions(tokens) },
          encoded.reading,
        );
        const scores = typer.score({ tokens, mentions, states: encoded, offset: span.start });
        const sentence = { ...span, index, tokens, mentions, scores, statements: [], encoded };
        const textOf = ({ start, end }: Span) => text.slice(start, end);
        const pairs = await reader.describe(sentence, { textOf, names });
        const rows = pairs.map((pair): Row => {
          const own = facts.filter(({ edge }) => edge === schema.edgeTypes[pair.edge]?.name);
          const fits = (is: (one: string, other: string) => boolean) =>
            own.some(({ source, target }) => is(source, pair.source.name) && is(target, pair.target.name));
          return { set, pair, isStated: fits(isSame), isNear: fits(isNear) };
        });
        const unsettled = findUnsettledParts(tokens);
        sentences.push({ set, tokens, rows: rows.filter(({ pair }) => !isDoubted(pair, tokens, unsettled)) });
      }
    }
  }
  return { sentences, wanted };
}

interface Fitted {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** Logistic regression by Adam on standardised features, with the standardisation folded into the weights. */
function learn(rows: readonly Row[]): Fitted {
  const size = PAIR_FEATURES.length;
  const used = rows.filter(({ isStated, isNear: near }) => isStated || !near);
  const columns = PAIR_FEATURES.map((_, k) => used.map(({ pair }) => pair.features[k] ?? 0));
  const mean = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / used.length);
  const deviation = columns.map(
    (column, k) =>
      Math.sqrt(column.reduce((sum, value) => sum + (value - mean[k]!) ** 2, 0) / used.length) || 1,
  );
  const weights = new Float64Array(size + 1);
  weights[size] = -3;
  const [first, second] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, k) => (k < size ? DECAY * weight : 0));
    for (const [at, { isStated }] of used.entries()) {
      const value = (k: number) => (k < size ? (columns[k]![at]! - mean[k]!) / deviation[k]! : 1);
      let logit = 0;
      for (let k = 0; k <= size; k++) logit += weights[k]! * value(k);
      const error = 1 / (1 + Math.exp(-logit)) - Number(isStated);
      for (let k = 0; k <= size; k++) gradient[k] = gradient[k]! + error * value(k);
    }
    for (let k = 0; k <= size; k++) {
      first[k] = 0.9 * first[k]! + 0.1 * gradient[k]!;
      second[k] = 0.99 * second[k]! + 0.01 * gradient[k]! ** 2;
      const [a, b] = [first[k]! / (1 - 0.9 ** step), second[k]! / (1 - 0.99 ** step)];
      weights[k] = weights[k]! - (RATE * a) / (Math.sqrt(b) + 1e-8);
    }
  }
  const folded = Array.from({ length: size }, (_, k) => weights[k]! / deviation[k]!);
  const bias = weights[size]! - folded.reduce((sum, weight, k) => sum + weight * mean[k]!, 0);
  return { bias, weights: folded };
}

function report(sentences: readonly ReadSentence[], wanted: number, examples: number): void {
  const rowsOf = (own: readonly ReadSentence[]) => own.flatMap(({ rows }) => rows);
  const found = [...new Set(sentences.map(({ set }) => set))].flatMap((held) => {
    const { bias, weights } = learn(rowsOf(sentences.filter(({ set }) => set !== held)));
    return sentences
      .filter(({ set }) => set === held)
      .flatMap(({ rows, tokens }) => {
        const scored = rows.map((row) => {
          const logit = row.pair.features.reduce((sum, value, k) => sum + value * weights[k]!, bias);
          return { ...row, confidence: 1 / (1 + Math.exp(-logit)) };
        });
        const kept = new Set(choosePairs(scored, tokens));
        return scored.filter((one) => kept.has(one)).map((one) => ({ ...one, tokens }));
      });
  });
  const stated = rowsOf(sentences).filter(({ isStated }) => isStated).length;
  process.stdout.write(`${examples} examples: ${stated} of ${wanted} facts are among the pairs\n`);
  for (const least of [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
    const own = found.filter(({ confidence }) => confidence >= least);
    const [right, near] = [own.filter((one) => one.isStated).length, own.filter((one) => one.isNear).length];
    const share = (one: number, of: number) => (one / (of || 1)).toFixed(3);
    process.stdout.write(
      `  ${least}: found ${own.length}, right ${share(right, own.length)}, loose ${share(near, own.length)}, recall ${share(right, wanted)}\n`,
    );
  }
  if (process.argv.includes("--show"))
    for (const { confidence, isStated, pair, tokens } of found
      .sort((a, b) => b.confidence - a.confidence)
      .slice(0, 60))
      process.stdout.write(
        `${isStated ? "=" : "x"} ${confidence.toFixed(2)} ${pair.source.name} ${pair.edge} ${pair.target.name} | ${tokens
          .map(({ text }) => text)
          .join(" ")
          .slice(0, 150)}\n`,
      );
  const { bias, weights } = learn(rowsOf(sentences));
  const named = PAIR_FEATURES.map((name, k) => `${name} ${weights[k]!.toFixed(3)}`);
  process.stdout.write(
    `${bias.toFixed(3)} [${weights.map((one) => one.toFixed(2)).join(", ")}]\n${named.join(", ")}\n`,
  );
}

await main();
