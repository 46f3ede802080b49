/**
 * The bundled model and a start of the service without added models, compared with another commit: speed, start, memory and
 * vectors. Both take turns in one run, because the machine's other work would change either.
 *
 *   git clone . ../before && git -C ../before checkout 1bed1a2 && (cd ../before && npm install)
 *   node bench/bundled-model.ts ../before [RESULT.json] [--rounds 60] [--processes 15] [--starts 5]
 *
 * 1bed1a2 is the last commit in which `packages/minilm` ran the model itself.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { createApi } from "../evals/client.ts";
import { startService } from "../evals/service.ts";
import { synthesizeChunk } from "../packages/server/src/measure-model.ts";
import { compareSpeed, TEXTS_PER_ROUND } from "./bundled-model/compare.ts";
import { createProject } from "./first-answer.ts";
import { timeIngest } from "./ingest-rounds.ts";
import { readCpuSeconds, readMemory } from "./process-stats.ts";
import { describeMachine, publish, quantile, round } from "./report.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const MEASURE = fileURLToPath(new URL("./bundled-model/measure-process.ts", import.meta.url));
const MAIN = "packages/server/src/main.ts";
const MIB = 1024 ** 2;
const DOCUMENTS = 60;
/** Of a process that shows start and memory. */
const TEXTS = 50;

type Figures = Readonly<Record<string, number>>;
/** The same measurement of the other commit and of this one. */
interface Pair<T> {
  readonly before: T;
  readonly now: T;
}

/** Each goes first in every second round. */
async function inTurns<T>(
  rounds: number,
  before: string,
  measure: (checkout: string) => Promise<T>,
): Promise<readonly Pair<T>[]> {
  const pairs: Pair<T>[] = [];
  for (let at = 0; at < rounds; at++) {
    const first = await measure(at % 2 === 0 ? before : HERE);
    const second = await measure(at % 2 === 0 ? HERE : before);
    pairs.push(at % 2 === 0 ? { before: first, now: second } : { before: second, now: first });
  }
  return pairs;
}

async function measureStart(checkout: string): Promise<Figures> {
  const service = await startService({ main: join(checkout, MAIN) });
  try {
    const readyCpuMs = 1_000 * ((await readCpuSeconds(service.pid)) ?? Number.NaN);
    const atReady = await readMemory(service.pid);
    const api = createApi(service.baseUrl, service.key);
    const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({
      source_doc_id: String(at),
      text: synthesizeChunk(at),
    }));
    await timeIngest({ api, projectId: await createProject(api, "bundled") }, documents);
    const atEnd = await readMemory(service.pid);
    return {
      ...{ readyMs: service.startMs, readyCpuMs },
      readyRssMiB: (atReady?.rssBytes ?? Number.NaN) / MIB,
      peakRssMiB: (atEnd?.peakRssBytes ?? Number.NaN) / MIB,
    };
  } finally {
    await service.stop();
  }
}

/** Medians of both, and the median of now by before of each round, with the range of the middle half. */
function summarize(pairs: readonly Pair<Figures>[]): Record<string, unknown> {
  const names = Object.keys(pairs[0]?.now ?? {});
  const summary = names.map((name) => {
    const values = (pick: (pair: Pair<Figures>) => number) => pairs.map(pick);
    const before = values((pair) => pair.before[name] ?? Number.NaN);
    const now = values((pair) => pair.now[name] ?? Number.NaN);
    const ratios = now.map((value, at) => value / (before[at] ?? Number.NaN));
    const [low, middle, high] = [0.25, 0.5, 0.75].map((at) => round(quantile(ratios, at), 3));
    const medians = { before: round(quantile(before, 0.5), 1), now: round(quantile(now, 0.5), 1) };
    return [name, { ...medians, ratio: middle, ratioOfMiddleHalf: [low, high] }] as const;
  });
  return Object.fromEntries(summary);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "60" },
      processes: { type: "string", default: "15" },
      starts: { type: "string", default: "5" },
    },
  });
  const [checkout, resultFile] = positionals;
  if (checkout === undefined) throw new Error("Usage: node bench/bundled-model.ts CHECKOUT [RESULT.json]");
  const before = resolve(checkout);
  const machine = describeMachine();
  const modelDir = await mkdtemp(join(tmpdir(), "kcs-bench-model-"));
  // The first thread writes the model's file.
  const speed = await compareSpeed({ before, now: HERE, modelDir }, Number(values.rounds));
  const measure = async (checkout: string): Promise<Figures> => {
    const args = [MEASURE, checkout, modelDir, String(TEXTS)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout) as Figures; // The process prints it.
  };
  const alone = await inTurns(Number(values.processes), before, measure);
  const starts = await inTurns(Number(values.starts), before, measureStart);
  await rm(modelDir, { recursive: true, force: true });
  const result = {
    sameVectors: speed.sameVectors,
    speed: summarize(speed.rounds),
    process: summarize(alone),
    service: summarize(starts),
  };
  const options = ["rounds", "processes", "starts"] as const;
  const command = [
    "node bench/bundled-model.ts CHECKOUT",
    ...options.map((name) => `--${name} ${values[name]}`),
  ].join(" ");
  const commit = execFileSync("git", ["-C", before, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  const data = {
    before: commit,
    textsPerRound: TEXTS_PER_ROUND,
    textsPerProcess: TEXTS,
    documentsPerStart: DOCUMENTS,
  };
  await publish({ command, data, machine, result }, resultFile);
}

await main();
