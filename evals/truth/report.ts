/**
 * Precision by reading: joins a sample with the verdicts of two judges.
 *
 *   node evals/truth/report.ts SAMPLE.json VERDICTS-1.json VERDICTS-2.json [RESULT.json]
 *
 * Shares are means over both judges; "agreed" counts only what both call the same. Agreement is that on true or not, with Cohen's kappa.
 */
import { readFile, writeFile } from "node:fs/promises";
import { UNTYPED } from "../../packages/server/src/domain/graph.ts";
import type { Item, Sample } from "./sample-types.ts";

type Verdict = (typeof VERDICTS)[number];
type Verdicts = Readonly<Record<string, Verdict>>;

const VERDICTS = ["true", "loose", "false", "useless"] as const;

async function main(): Promise<void> {
  const [sampleFile, first, second, resultFile] = process.argv.slice(2);
  if (sampleFile === undefined || first === undefined || second === undefined)
    throw new Error(
      "Usage: node evals/truth/report.ts SAMPLE.json VERDICTS-1.json VERDICTS-2.json [RESULT.json]",
    );
  const sample = await readJson<Sample>(sampleFile);
  const judges = [await readJson<Verdicts>(first), await readJson<Verdicts>(second)] as const;
  for (const [at, verdicts] of judges.entries()) check(sample.items, verdicts, at + 1);
  const report = {
    command: "node evals/truth/report.ts SAMPLE.json VERDICTS-1.json VERDICTS-2.json RESULT.json",
    commit: sample.commit,
    typed: byKind(
      sample.items.filter((item) => isEntity(item) && !isUntyped(item)),
      judges,
    ),
    untyped: byKind(sample.items.filter(isUntyped), judges),
    facts: byKind(
      sample.items.filter((item) => !isEntity(item)),
      judges,
    ),
    counts: sample.counts,
  };
  process.stdout.write(
    `${JSON.stringify({ typed: report.typed, untyped: report.untyped, facts: report.facts }, null, 1)}\n`,
  );
  if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 1)}\n`);
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, "utf8")) as T; // Our own file; verdicts are checked.
}

function check(items: readonly Item[], verdicts: Verdicts, judge: number): void {
  for (const { id } of items)
    if (!VERDICTS.some((verdict) => verdicts[id] === verdict))
      throw new Error(
        `Judge ${judge} has no verdict on ${id}, or one that is none of ${VERDICTS.join(", ")}`,
      );
}

/** An entity whose type says only that it is a name. */
const isUntyped = (item: Item) => isEntity(item) && item.claim.endsWith(`Its type: ${UNTYPED}.`);
const isEntity = ({ id }: Item) => /-e\d+$/.test(id);

function byKind(items: readonly Item[], judges: readonly [Verdicts, Verdicts]) {
  const kinds = Map.groupBy(items, ({ kind }) => kind);
  return Object.fromEntries(
    [["all", items] as const, ...kinds].map(([kind, own]) => [kind, summary(own, judges)]),
  );
}

function summary(items: readonly Item[], [one, other]: readonly [Verdicts, Verdicts]) {
  const share = (count: number) =>
    items.length === 0 ? 0 : Math.round((count / items.length) * 1000) / 1000;
  const shares = VERDICTS.map((verdict) => {
    const count = (verdicts: Verdicts) => items.filter(({ id }) => verdicts[id] === verdict).length;
    return [verdict, share((count(one) + count(other)) / 2)] as const;
  });
  const both = items.filter(({ id }) => one[id] === other[id]).length;
  return {
    items: items.length,
    ...Object.fromEntries(shares),
    agreed: share(both),
    kappa: kappa(items, one, other),
  };
}

/** Cohen 1960, of "true" against the rest; 1 where both always say the same. */
function kappa(items: readonly Item[], one: Verdicts, other: Verdicts): number {
  const [a, b] = [one, other].map((verdicts) => items.filter(({ id }) => verdicts[id] === "true").length);
  const same = items.filter(({ id }) => (one[id] === "true") === (other[id] === "true")).length;
  const [n, p, q] = [items.length || 1, (a ?? 0) / (items.length || 1), (b ?? 0) / (items.length || 1)];
  const chance = p * q + (1 - p) * (1 - q);
  return chance === 1 ? 1 : Math.round(((same / n - chance) / (1 - chance)) * 1000) / 1000;
}

await main();
