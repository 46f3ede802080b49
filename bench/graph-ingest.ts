/**
 * Measures what a graph costs at ingestion: the same documents into a project without a graph, one with a graph, and one whose graph
 * follows an ontology.
 *
 *   node bench/graph-ingest.ts FOLDER [RESULT.json] [--characters 800000] [--rounds 4]
 *
 * FOLDER contains *.jsonl files of {_id, title, text}. The documents are split into rounds. In each round all projects get the same
 * documents, one project after the other, each first in its turn. A round before these, which does not count, starts the threads.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Api, createApi, type NewDocument } from "../evals/client.ts";
import { startService } from "../evals/service.ts";
import { readDocuments, sliceDocuments } from "./documents.ts";
import { timeIngest } from "./ingest-rounds.ts";
import { readCpuSeconds } from "./process-stats.ts";
import { describeMachine, publish, quantile, round } from "./report.ts";

const WAYS = ["plain", "graph", "ontology"] as const;
type Way = (typeof WAYS)[number];

interface Spent {
  readonly seconds: number;
  /** Sum over all processors. */
  readonly cpuSeconds: number;
  readonly chunks: number;
}

type Round = Readonly<Record<Way, Spent>>;

interface OwnOntology {
  readonly id: string;
  readonly entity_types: readonly { readonly name: string; readonly description: string }[];
  readonly edge_types: readonly {
    readonly name: string;
    readonly description: string;
    readonly source: string;
    readonly target: string;
  }[];
}

/** That of the evaluation of truth for encyclopaedias: five types, seven edge types, no examples. */
async function createOntology(api: Api): Promise<string> {
  const file = await readFile(new URL("../evals/truth/ontologies.json", import.meta.url), "utf8");
  const own = (JSON.parse(file) as readonly OwnOntology[]).find(({ id }) => id === "encyclopaedia"); // Our own file.
  if (own === undefined) throw new Error("evals/truth/ontologies.json has no ontology for encyclopaedias.");
  const node_types = Object.fromEntries(
    own.entity_types.map(({ name, description }) => [name, { description }]),
  );
  const edge_types = own.edge_types.map(({ name, description, source, target }) => ({
    ...{ name, description, source_types: [source], target_types: [target] },
  }));
  const schema = { ontology: { hierarchy: [{ level: 0, node_types }], edge_types } };
  const { id } = await api.request<{ id: string }>("POST", "/ontologies", { name: own.id, schema });
  return id;
}

async function createProjects(api: Api): Promise<Readonly<Record<Way, string>>> {
  const ontology_id = await createOntology(api);
  const create = async (body: object) =>
    (await api.request<{ project_id: string }>("POST", "/projects", body)).project_id;
  return {
    plain: await create({ name: "plain", vector_only: true }),
    graph: await create({ name: "graph" }),
    ontology: await create({ name: "ontology", ontology_id }),
  };
}

interface Setup {
  readonly api: Api;
  readonly pid: number;
  readonly projects: Readonly<Record<Way, string>>;
}

async function runRound(setup: Setup, documents: readonly NewDocument[], at: number): Promise<Round> {
  const { api, pid, projects } = setup;
  const spent = new Map<Way, Spent>();
  for (let turn = 0; turn < WAYS.length; turn++) {
    const way = WAYS[(at + turn) % WAYS.length]!; // Below its length.
    const before = (await readCpuSeconds(pid)) ?? Number.NaN;
    const { seconds, chunks } = await timeIngest({ api, projectId: projects[way] }, documents);
    const cpuSeconds = ((await readCpuSeconds(pid)) ?? Number.NaN) - before;
    spent.set(way, { seconds, cpuSeconds, chunks });
  }
  const of = (way: Way) => spent.get(way)!; // Each had its turn.
  return { plain: of("plain"), graph: of("graph"), ontology: of("ontology") };
}

function summarize(rounds: readonly Round[], way: Way) {
  const sum = (of: Way, pick: keyof Spent) => rounds.reduce((total, each) => total + each[of][pick], 0);
  const ratios = (pick: "seconds" | "cpuSeconds") => {
    const all = rounds.map((each) => each[way][pick] / each.plain[pick]);
    return { median: round(quantile(all, 0.5)), all: all.map((ratio) => round(ratio)) };
  };
  const seconds = sum(way, "seconds");
  const chunks = sum(way, "chunks");
  const figures = {
    chunksPerSecond: round(chunks / seconds, 1),
    cpuMsPerChunk: round((1000 * sum(way, "cpuSeconds")) / chunks),
  };
  if (way === "plain") return figures;
  return {
    ...figures,
    timesPlain: round(seconds / sum("plain", "seconds")),
    ofRounds: ratios("seconds"),
    cpuTimesPlain: round(sum(way, "cpuSeconds") / sum("plain", "cpuSeconds")),
    cpuOfRounds: ratios("cpuSeconds"),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      characters: { type: "string", default: "800000" },
      rounds: { type: "string", default: "4" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/graph-ingest.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, characters, sha256 } = await readDocuments(folder, Number(values.characters));
  const service = await startService({ env: { KCS_LOG_LEVEL: "warn", KCS_INGEST_PER_MINUTE: "0" } });
  try {
    const api = createApi(service.baseUrl, service.key);
    const setup = { api, pid: service.pid, projects: await createProjects(api) };
    const [first = [], ...slices] = sliceDocuments(documents, Number(values.rounds) + 1);
    await runRound(setup, first, 0);
    const rounds: Round[] = [];
    for (const [at, slice] of slices.entries()) rounds.push(await runRound(setup, slice, at));
    const result = Object.fromEntries(WAYS.map((way) => [way, summarize(rounds, way)]));
    const chunks = rounds.reduce((sum, { plain }) => sum + plain.chunks, 0);
    const command = `node bench/graph-ingest.ts FOLDER --characters ${values.characters} --rounds ${values.rounds}`;
    const data = { documents: documents.length, characters, sha256 };
    await publish(
      { command, data, machine, result: { rounds: rounds.length, chunks, ...result } },
      resultFile,
    );
  } finally {
    await service.stop();
  }
}

await main();
