/**
 * Draws entities and facts that the service reads out of texts without an ontology, for people (or models) to judge from the quote alone.
 *
 *   node evals/truth/sample.ts SAMPLE.json [--seed 1] [--each 90]
 *
 * Of each kind of text at most `each` entities and `each` facts. SAMPLE.json is what a judge is given, in random order; it also has the
 * counts that no judgement is needed for. Judges write VERDICTS.json, `{ "<id>": "true" | "loose" | "false" | "useless" }`, as guide.md says;
 * `report.ts` reads both.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll } from "../client.ts";
import { createRandom, shuffled } from "../entity-typing/random.ts";
import { startService } from "../service.ts";
import { type Evidence, evidenceOf, type Graph, readGraph } from "./graph.ts";
import type { Counts, Item, Sample } from "./sample-types.ts";
import { readTexts, type TruthText, wholeText } from "./texts.ts";

const AROUND = 160;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { seed: { type: "string", default: "1" }, each: { type: "string", default: "90" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined)
    throw new Error("Usage: node evals/truth/sample.ts SAMPLE.json [--seed 1] [--each 90]");
  const random = createRandom(Number(values.seed));
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const counts: Record<string, Counts> = {};
    const items: Item[] = [];
    for (const [kind, texts] of await readTexts()) {
      const projectId = await ingest(api, kind, texts);
      const graph = await readGraph(api, projectId);
      counts[kind] = count(texts, graph);
      items.push(
        ...(await drawItems(api, { kind, projectId, texts, graph }, { each: Number(values.each), random })),
      );
    }
    const mixed = shuffled(items.length, random).flatMap((at) => items[at] ?? []);
    const sample: Sample = {
      command: `node evals/truth/sample.ts SAMPLE.json --seed ${values.seed} --each ${values.each}`,
      commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
      counts,
      items: mixed,
    };
    await writeFile(file, `${JSON.stringify(sample, null, 1)}\n`);
    process.stdout.write(`${JSON.stringify(counts, null, 1)}\n${mixed.length} items\n`);
  } finally {
    await service.stop();
  }
}

async function ingest(api: Api, kind: string, texts: readonly TruthText[]): Promise<string> {
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", {
    name: kind,
    vector_only: false,
  });
  const jobs = await ingestAll(
    api,
    project_id,
    texts.map((text) => ({ source_doc_id: text.id, text: wholeText(text) })),
  );
  const failed = jobs.find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`${kind}: ${failed.source_doc_id}: ${failed.error_message}`);
  return project_id;
}

function count(texts: readonly TruthText[], { entities, relationships }: Graph): Counts {
  const byType: Record<string, number> = {};
  for (const { type } of entities) byType[type] = (byType[type] ?? 0) + 1;
  const ends = new Set(relationships.flatMap(({ source, target }) => [source.entity_id, target.entity_id]));
  return {
    documents: texts.length,
    words: texts.reduce((sum, text) => sum + wholeText(text).split(/\s+/).length, 0),
    entities: entities.length,
    byType,
    connected: entities.filter(({ entity_id }) => ends.has(entity_id)).length,
    relationships: relationships.length,
  };
}

interface Read {
  readonly kind: string;
  readonly projectId: string;
  readonly texts: readonly TruthText[];
  readonly graph: Graph;
}

async function drawItems(
  api: Api,
  { kind, projectId, texts, graph }: Read,
  { each, random }: { readonly each: number; readonly random: () => number },
): Promise<readonly Item[]> {
  const whole = new Map(texts.map((text) => [text.id, wholeText(text)]));
  const drawn = <T>(all: readonly T[]) =>
    shuffled(all.length, random)
      .slice(0, each)
      .flatMap((at) => all[at] ?? []);
  const items: Item[] = [];
  for (const { entity_id, name, type } of drawn(graph.entities)) {
    const evidence = await evidenceOf(api, projectId, entity_id);
    const quote = evidence === null ? "" : quoteAround(whole, evidence);
    items.push({
      id: `${kind}-e${items.length + 1}`,
      kind,
      claim: `"${name}" is a name. Its type: ${type}.`,
      quote,
    });
  }
  for (const { source, target, type, evidence } of drawn(graph.relationships)) {
    const quote = evidence[0] === undefined ? "" : quoteAround(whole, evidence[0]);
    const claim = `"${source.name}" (${source.type}) — ${type} → "${target.name}" (${target.type})`;
    items.push({ id: `${kind}-f${items.length + 1}`, kind, claim, quote });
  }
  return items;
}

function quoteAround(whole: ReadonlyMap<string, string>, { source_doc_id, start, end }: Evidence): string {
  const text = whole.get(source_doc_id) ?? "";
  return text.slice(Math.max(0, start - AROUND), end + AROUND);
}

await main();
