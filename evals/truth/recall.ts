/**
 * Recall and precision on the sentences that are annotated exhaustively, over HTTP, in the default configuration.
 *
 *   node evals/truth/recall.ts [RESULT.json] [--faults]
 *
 * Each set is a project bound to its ontology, without examples and with one, three and five for each edge type; all sentences together are one project without
 * an ontology, for the names. An end of a fact is right when its name is the annotated one; "loose" also takes a part of it or more than it.
 * "with proposals" also counts what is proposed. `--faults` shows those of the sets that are tuned on.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll } from "../client.ts";
import { startService } from "../service.ts";
import {
  type AnnotatedName,
  type AnnotatedSet,
  PARTS,
  type Part,
  readAnnotated,
  schemaOf,
} from "./annotated.ts";
import { type Graph, readGraph } from "./graph.ts";
import { isNear, isSame, plain, typesOfKind, values } from "./names.ts";

const EXAMPLES = [0, 1, 3, 5] as const;

interface Counts {
  readonly found: number;
  readonly right: number;
  readonly loose: number;
  readonly wanted: number;
}

interface SetCounts extends Counts {
  readonly set: AnnotatedSet;
}

interface NameCounts {
  readonly wanted: number;
  readonly found: number;
  readonly untyped: number;
  readonly rightType: number;
}

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    options: { faults: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const sets = await readAnnotated();
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const facts: Record<string, object> = {};
    for (const examples of EXAMPLES) {
      const asserted: SetCounts[] = [];
      const all: SetCounts[] = [];
      for (const set of sets) {
        const counts = await judgeFacts(api, set, { examples, showFaults: options.faults });
        asserted.push({ set, ...counts.asserted });
        all.push({ set, ...counts.all });
      }
      facts[`${examples} examples`] = ratesByPart(asserted);
      facts[`${examples} examples, with proposals`] = ratesByPart(all);
    }
    const names = await judgeNames(api, sets);
    const report = {
      command: "node evals/truth/recall.ts RESULT.json",
      commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
      sentences: sets.reduce((sum, { sentences }) => sum + sentences.length, 0),
      ...{ facts, names },
    };
    process.stdout.write(`${JSON.stringify({ facts, names }, null, 1)}\n`);
    if (positionals[0] !== undefined) await writeFile(positionals[0], `${JSON.stringify(report, null, 1)}\n`);
  } finally {
    await service.stop();
  }
}

async function judgeFacts(
  api: Api,
  set: AnnotatedSet,
  { examples, showFaults: isWanted }: { readonly examples: number; readonly showFaults: boolean },
): Promise<{ readonly asserted: Counts; readonly all: Counts }> {
  const showFaults = isWanted && set.part === "tuned";
  const schema = schemaOf(set, examples);
  const name = `${set.id} ${examples}`;
  const { id: ontology_id } = await api.request<{ id: string }>("POST", "/ontologies", { name, schema });
  const { relationships, proposals } = await ingestSentences(api, { name, ontology_id }, [set]);
  const asserted = countFacts(relationships, set, showFaults);
  return { asserted, all: countFacts([...relationships, ...proposals], set, false) };
}

function countFacts(relationships: Graph["relationships"], set: AnnotatedSet, showFaults: boolean): Counts {
  const said = relationships.flatMap(({ source, type, target, evidence }) =>
    [...new Set(evidence.map(({ source_doc_id }) => source_doc_id))].map((id) => ({
      ...{ id, edge: type, source: source.name, target: target.name },
    })),
  );
  let [right, loose, wanted] = [0, 0, 0];
  const isSaid = new Set<(typeof said)[number]>();
  for (const [at, { facts, text }] of set.sentences.entries()) {
    const own = said.filter(({ id }) => id === `${set.id}-${at}`);
    for (const fact of facts) {
      wanted++;
      const fitting = own.filter(
        (one) => one.edge === fact.edge && isNear(one.source, fact.source) && isNear(one.target, fact.target),
      );
      if (fitting.length > 0) loose++;
      if (fitting.some((one) => isSame(one.source, fact.source) && isSame(one.target, fact.target))) right++;
      for (const one of fitting) isSaid.add(one);
      if (showFaults && fitting.length === 0)
        process.stdout.write(`- ${fact.source} ${fact.edge} ${fact.target}: ${text}\n`);
    }
    if (showFaults)
      for (const one of own.filter((fact) => !isSaid.has(fact)))
        process.stdout.write(`+ ${one.source} ${one.edge} ${one.target}: ${text}\n`);
  }
  return { found: said.length, right, loose, wanted };
}

async function ingestSentences(
  api: Api,
  { name, ontology_id }: { readonly name: string; readonly ontology_id?: string },
  sets: readonly AnnotatedSet[],
): Promise<Graph> {
  const body = { name, vector_only: false, ...(ontology_id === undefined ? {} : { ontology_id }) };
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", body);
  const documents = sets.flatMap(({ id, sentences }) =>
    sentences.map(({ text }, at) => ({ source_doc_id: `${id}-${at}`, text })),
  );
  const failed = (await ingestAll(api, project_id, documents)).find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`${name}: ${failed.source_doc_id}: ${failed.error_message}`);
  return await readGraph(api, project_id);
}

function ratesByPart(counts: readonly SetCounts[]) {
  const rates = (own: readonly Counts[]) => {
    const sum = (pick: (one: Counts) => number) => own.reduce((total, one) => total + pick(one), 0);
    const [found, right, loose, wanted] = [
      sum((c) => c.found),
      sum((c) => c.right),
      sum((c) => c.loose),
      sum((c) => c.wanted),
    ];
    const share = (one: number, of: number) => (of === 0 ? 0 : Math.round((one / of) * 1000) / 1000);
    return {
      ...{ found, right, loose, wanted },
      precision: share(right, found),
      loosePrecision: share(loose, found),
      recall: share(right, wanted),
      looseRecall: share(loose, wanted),
    };
  };
  return byPart((part) => rates(counts.filter(({ set }) => set.part === part)));
}

function byPart<T>(countOf: (part: Part) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(PARTS.map((part) => [part, countOf(part)]));
}

/** Names without an ontology: those that are found, and found with a right type, by kind of name. */
async function judgeNames(api: Api, sets: readonly AnnotatedSet[]) {
  const { entities } = await ingestSentences(api, { name: "names" }, sets);
  const typesOf = new Map<string, string[]>();
  for (const { name, aliases, type } of entities)
    for (const written of [name, ...aliases])
      typesOf.set(plain(written), [...(typesOf.get(plain(written)) ?? []), type]);
  const countPart = (part: Part) => {
    const names = sets
      .filter((set) => set.part === part)
      .flatMap(({ sentences }) => sentences.flatMap((one) => one.names));
    const wanted = names.filter(({ kind }) => !values.has(kind));
    const byKind = Object.fromEntries(
      [...Map.groupBy(wanted, ({ kind }) => kind)].map(([kind, own]) => [kind, countNames(own, typesOf)]),
    );
    return { all: countNames(wanted, typesOf), ...byKind };
  };
  const wanted = new Set(
    sets.flatMap(({ sentences }) => sentences.flatMap(({ names }) => names.map(({ text }) => plain(text)))),
  );
  const isWanted = ({ name, aliases }: (typeof entities)[number]) =>
    [name, ...aliases].some((written) => wanted.has(plain(written)));
  return {
    ...byPart(countPart),
    entities: entities.length,
    ofAnnotatedName: entities.filter(isWanted).length,
  };
}

function countNames(
  names: readonly AnnotatedName[],
  typesOf: ReadonlyMap<string, readonly string[]>,
): NameCounts {
  const types = names.map(({ text, kind }) => ({ kind, found: typesOf.get(plain(text)) ?? [] }));
  return {
    wanted: names.length,
    found: types.filter(({ found }) => found.length > 0).length,
    untyped: types.filter(({ found }) => found.includes("Thing")).length,
    rightType: types.filter(({ kind, found }) =>
      found.some((type) => typesOfKind[kind]?.includes(type) === true),
    ).length,
  };
}

await main();
