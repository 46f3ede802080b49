/**
 * What each part of the built-in reader is worth: everything is read once with all of them, and once without each.
 *
 *   node evals/truth/ablations.ts RESULT.json [--only PART] [--from PART]
 *
 * In the process, not over HTTP: a service has no switches for its parts. Read are the annotated sentences (under their ontologies without examples and
 * with five, and without an ontology) and the texts whose entities and relationships were judged. A part changes right and wrong claims; what nobody has
 * judged is left out. `--from` goes on with a run that was cut off.
 */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { UNTYPED } from "../../packages/server/src/domain/graph.ts";
import { ablations } from "./ablation-parts.ts";
import { type AnnotatedSet, readAnnotated, schemaOf } from "./annotated.ts";
import { isSame, plain, typesOfKind, values } from "./names.ts";
import { type FactSource, openFactSource, type Reading } from "./read-facts.ts";
import type { Item, Sample } from "./sample-types.ts";
import { readTexts, wholeText } from "./texts.ts";
import { idOfFact, readVerdicts } from "./verdicts.ts";

/** What is measured; each claim counts once. */
const GROUPS = [
  "asserted, no examples",
  "with proposals, no examples",
  "asserted, 5 examples",
  "with proposals, 5 examples",
  "asserted without an ontology",
  "with proposals without an ontology",
  "names found",
  "types of annotated names",
  "types under an ontology",
  "types of entities of texts",
] as const;
type Group = (typeof GROUPS)[number];

/** For each claim of a group whether it is right. */
type Claims = Readonly<Record<Group, Readonly<Record<string, boolean>>>>;

const LIMITS = { asserted: 0.8, proposed: 0.4 };

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    options: {
      measure: { type: "boolean", default: false },
      only: { type: "string" },
      from: { type: "string" },
    },
    allowPositionals: true,
  });
  if (options.measure) {
    process.stdout.write(JSON.stringify(await measure()));
    return;
  }
  const all = measureWithout("");
  const names = Object.keys(ablations);
  const begin = options.from === undefined ? 0 : names.indexOf(options.from);
  if (begin < 0) throw new Error(`No part is named ${options.from}.`);
  const parts = options.from === undefined ? {} : await readParts(positionals[0]);
  for (const name of names.slice(begin)) {
    if (options.only !== undefined && name !== options.only) continue;
    parts[name] = compare(all, measureWithout(name));
    process.stdout.write(`${name}: ${JSON.stringify(parts[name])}\n`);
    const result = { command: "node evals/truth/ablations.ts RESULT.json", all: count(all), parts };
    // After each part: all of them take an hour.
    if (positionals[0] !== undefined) await writeFile(positionals[0], `${JSON.stringify(result, null, 1)}\n`);
  }
}

/** Of the run that was cut off. */
async function readParts(resultFile: string | undefined): Promise<Record<string, object>> {
  if (resultFile === undefined) return {};
  const { parts } = JSON.parse(await readFile(resultFile, "utf8")) as { parts: Record<string, object> }; // Our own output.
  return parts;
}

/** "" = with all parts. */
function measureWithout(name: string): Claims {
  const hook = new URL("./ablation-hook.ts", import.meta.url).href;
  const args = ["--disable-warning=ExperimentalWarning", "--import", hook, import.meta.filename, "--measure"];
  const { status, stdout } = spawnSync(process.execPath, args, {
    env: { ...process.env, EVAL_WITHOUT: name },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`The measurement without "${name}" ended with ${status}`);
  return JSON.parse(stdout) as Claims; // Our own output.
}

function count(claims: Claims) {
  return Object.fromEntries(
    GROUPS.map((group) => {
      const all = Object.values(claims[group]);
      const right = all.filter((is) => is).length;
      return [group, { right, wrong: all.length - right }];
    }),
  );
}

/** Right and wrong claims that are gone (−) and new (+) without the part; groups without a change are left out. */
function compare(all: Claims, without: Claims) {
  return Object.fromEntries(
    GROUPS.flatMap((group) => {
      const [before, after] = [all[group], without[group]];
      const only = (
        one: Readonly<Record<string, boolean>>,
        other: Readonly<Record<string, boolean>>,
        isRight: boolean,
      ) => Object.entries(one).filter(([key, is]) => is === isRight && other[key] !== is).length;
      const change = {
        right: [-only(before, after, true), only(after, before, true)],
        wrong: [-only(before, after, false), only(after, before, false)],
      };
      return [...change.right, ...change.wrong].every((each) => each === 0) ? [] : [[group, change] as const];
    }),
  );
}

async function measure(): Promise<Claims> {
  const claims = Object.fromEntries(GROUPS.map((group) => [group, {}])) as Record<
    Group,
    Record<string, boolean>
  >;
  const source = await openFactSource(LIMITS);
  const sets = await readAnnotated();
  for (const set of sets) {
    for (const examples of [0, 5]) await readBound(set, { source, examples, claims });
    await readNames(set, source, claims);
  }
  await readJudged(source, claims);
  await source.close();
  return claims;
}

interface Bound {
  readonly source: FactSource;
  readonly examples: number;
  readonly claims: Record<Group, Record<string, boolean>>;
}

async function readBound(set: AnnotatedSet, { source, examples, claims }: Bound): Promise<void> {
  const schemaJson = JSON.stringify(schemaOf(set, examples));
  const told = examples === 0 ? "no examples" : "5 examples";
  for (const [at, { text, facts, names }] of set.sentences.entries()) {
    const document = `${set.id}-${at}`;
    const reading = { ...plainReading, ontology: set.id, examples, schemaJson, document, text };
    for (const fact of await source.read(reading)) {
      const key = `${document} ${fact.edge} ${plain(fact.source)} ${plain(fact.target)}`;
      const isRight = facts.some(
        (one) => one.edge === fact.edge && isSame(one.source, fact.source) && isSame(one.target, fact.target),
      );
      claims[`with proposals, ${told}`][key] = isRight;
      if (fact.isAsserted) claims[`asserted, ${told}`][key] = isRight;
    }
    if (examples > 0) continue;
    for (const { name, type } of await source.entities(reading))
      claims["types under an ontology"][`${document} ${plain(name)} ${type}`] = names.some(
        (one) => isSame(one.text, name) && one.type === type,
      );
  }
}

const plainReading = {
  isTuned: true,
  ontology: "",
  examples: 0,
  schemaJson: null,
  gold: null,
} satisfies Partial<Reading>;

async function readNames(set: AnnotatedSet, source: FactSource, claims: Bound["claims"]): Promise<void> {
  for (const [at, { text, names }] of set.sentences.entries()) {
    const entities = await source.entities({ ...plainReading, document: `${set.id}-${at}`, text });
    for (const { text: name, kind } of names) {
      if (values.has(kind)) continue;
      const found = entities.find((entity) => isSame(entity.name, name));
      const key = `${set.id}-${at} ${plain(name)}`;
      if (found === undefined) continue;
      claims["names found"][key] = true;
      if (found.type !== UNTYPED)
        claims["types of annotated names"][`${key} ${found.type}`] =
          typesOfKind[kind]?.includes(found.type) === true;
    }
  }
}

async function readJudged(source: FactSource, claims: Bound["claims"]): Promise<void> {
  const verdicts = await readVerdicts();
  const entityVerdicts = await readEntityVerdicts();
  const texts = [...(await readTexts()).values()].flat();
  for (const one of texts) {
    const text = wholeText(one);
    const reading = { ...plainReading, document: one.id, text };
    for (const fact of await source.read(reading)) {
      const verdict = verdicts.get(idOfFact(fact));
      if (verdict === undefined) continue;
      const key = idOfFact(fact);
      claims["with proposals without an ontology"][key] = verdict === "true";
      if (fact.isAsserted) claims["asserted without an ontology"][key] = verdict === "true";
    }
    for (const { name, type } of await source.entities(reading)) {
      if (type === UNTYPED) continue;
      const claim = `"${name}" is a name. Its type: ${type}.`;
      const judged = (entityVerdicts.get(claim) ?? []).find(({ quote }) => text.includes(quote));
      if (judged !== undefined) claims["types of entities of texts"][`${one.id} ${claim}`] = judged.isTrue;
    }
  }
}

/** By claim; true where both judges say so. */
async function readEntityVerdicts(): Promise<
  ReadonlyMap<string, readonly { quote: string; isTrue: boolean }[]>
> {
  const judged: { claim: string; quote: string; isTrue: boolean }[] = [];
  for (const folder of ["before", "after", "2026-11-23", "2026-11-23-names"]) {
    const read = async <T>(name: string) =>
      JSON.parse(await readFile(new URL(`./judged/${folder}/${name}.json`, import.meta.url), "utf8")) as T; // Our own files.
    const { items } = await read<Sample>("sample");
    const [one, other] = [await read<Verdicts>("verdicts-1"), await read<Verdicts>("verdicts-2")];
    for (const { id, claim, quote } of items as readonly Item[])
      judged.push({ claim, quote: quote.trim(), isTrue: one[id] === "true" && other[id] === "true" });
  }
  return Map.groupBy(judged, ({ claim }) => claim);
}

type Verdicts = Readonly<Record<string, string>>;

await main();
