/**
 * How many entities have associations, over HTTP in the default configuration; and pairs drawn at random, to read.
 *
 *   node evals/associations.ts FILE.jsonl … [--draw COUNT] [--seed SEED]
 *
 * The lines of a file are documents, `{"id", "text"}`; all files are one project. `inTwoChunks`: the graph has the entity
 * in two chunks or more; `twiceInTexts`: one of its names occurs twice or more in the texts, whether extraction has found it
 * there or not. The report is the last line; before it there is one line for each drawn pair.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll } from "./client.ts";
import { round, rowsOf } from "./retrieval-set.ts";
import { startService } from "./service.ts";

interface EntityView {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly chunks: number;
  readonly relationships: readonly unknown[];
  readonly associations: readonly {
    readonly entity: { readonly entity_id: string; readonly type: string; readonly name: string };
    readonly strength: number;
    readonly chunks: number;
    readonly evidence: readonly { readonly source_doc_id: string; readonly text: string }[];
  }[];
}

const PAGE = 500;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { draw: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const documents = (
  await Promise.all(
    positionals.map(async (file) =>
      rowsOf(await readFile(file, "utf8")).map(({ id = "", text = "" }) => ({
        source_doc_id: `${basename(file, ".jsonl")}/${id}`,
        text,
      })),
    ),
  )
).flat();
const service = await startService();
try {
  const api = createApi(service.baseUrl, service.key);
  const { project_id: projectId } = await api.request<{ project_id: string }>("POST", "/projects", {
    name: "Associations",
  });
  await ingestAll(api, projectId, documents);
  const entities = await readAll(api, projectId);
  for (const line of draw(pairsOf(entities), Number(values.draw), Number(values.seed)))
    process.stdout.write(`${line}\n`);
  process.stdout.write(`${JSON.stringify(report(entities))}\n`);
} finally {
  await service.stop();
}

async function readAll(api: Api, projectId: string): Promise<readonly EntityView[]> {
  const entities: EntityView[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await api.request<{ entities: readonly { entity_id: string }[] }>(
      "GET",
      `/projects/${projectId}/entities?limit=${PAGE}&offset=${offset}`,
    );
    for (const { entity_id: id } of page.entities) {
      const path = `/projects/${projectId}/entities/${id}?include=associations`;
      entities.push(await api.request<EntityView>("GET", path));
    }
    if (page.entities.length < PAGE) return entities;
  }
}

function report(entities: readonly EntityView[]) {
  return {
    documents: documents.length,
    pairs: pairsOf(entities).length,
    all: shares(entities),
    inTwoChunks: shares(entities.filter(({ chunks }) => chunks >= 2)),
    twiceInTexts: shares(entities.filter((entity) => occurrences(entity) >= 2)),
  };
}

/** In percent. `joined`: by an association or a relationship. */
function shares(entities: readonly EntityView[]) {
  const share = (has: (entity: EntityView) => boolean) =>
    round((100 * entities.filter(has).length) / Math.max(1, entities.length));
  const isAssociated = ({ associations }: EntityView) => associations.length > 0;
  return {
    entities: entities.length,
    associated: share(isAssociated),
    joined: share((entity) => isAssociated(entity) || entity.relationships.length > 0),
  };
}

function occurrences({ name, aliases }: EntityView): number {
  const forms = [name, ...aliases].map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  return documents.reduce((sum, { text }) => sum + (text.match(found)?.length ?? 0), 0);
}

/** One line for each pair of associated entities. */
function pairsOf(entities: readonly EntityView[]): readonly string[] {
  const pairs = new Map<string, string>();
  for (const { entity_id: id, name, type, associations } of entities) {
    for (const { entity, strength, chunks, evidence } of associations) {
      const key = [id, entity.entity_id].sort().join(" ");
      const [quote] = evidence;
      const line = [`${name} (${type}) – ${entity.name} (${entity.type})`, strength, chunks, quote];
      if (!pairs.has(key)) pairs.set(key, JSON.stringify(line));
    }
  }
  return [...pairs.values()];
}

function draw(pairs: readonly string[], count: number, seed: number): readonly string[] {
  const left = [...pairs];
  let state = seed >>> 0;
  // A linear congruential generator (Numerical Recipes), so that a seed draws the same pairs again.
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(next(left.length), 1)[0] ?? "",
  );
}
