/**
 * Answers to questions over real text, over HTTP in the default configuration, without a language model.
 *
 *   node evals/answers/real.ts FOLDER [RESULT.json] [--tuned] [--show]
 *
 * FOLDER has `retrieval/` and `load/`. Each kind of text is a project with all of its documents; questions of its tuned documents may be looked at,
 * those of the others are only counted. Found: the first five chunks have all of the evidence. Held: the summary has the answer, letter for letter but for case and
 * marks; held first: its first sentence has it. Denied: the summary says that nothing answers. Area under the curve: of the first chunk's similarity, answerable questions against others.
 * Calibration error: of that similarity as the probability that the chunk has some of the evidence. ± is half of the 95 % interval.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll, type QueryView } from "../client.ts";
import { startService } from "../service.ts";
import { areaUnderCurve, share } from "./figures.ts";
import { isDenial } from "./judge.ts";
import { HALVES, type Half, KINDS, type RealQuestion, type RealSet, readRealSet } from "./real-set.ts";

const WAYS = [
  { way: "plain", vector_only: true, mode: "static" },
  { way: "graph", vector_only: false, mode: "static" },
  { way: "graph, dynamic", vector_only: false, mode: "dynamic" },
] as const;

const DEPTH = 5;
const BINS = 10;
/** Of a place that a chunk must have to count as having it. */
const MOST = 0.5;

interface Asked {
  readonly question: RealQuestion;
  readonly isFound: boolean;
  readonly isHeld: boolean;
  readonly isHeldFirst: boolean;
  readonly isDenied: boolean;
  readonly similarity: number;
  readonly isFirstRight: boolean;
  readonly milliseconds: number;
  readonly summary: string;
}

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    options: { tuned: { type: "boolean", default: false }, show: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined)
    throw new Error("Usage: node evals/answers/real.ts FOLDER [RESULT.json] [--tuned]");
  const sets = await Promise.all(KINDS.map((kind) => readRealSet(kind, folder)));
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const asked = new Map<string, readonly Asked[]>();
    for (const set of sets) {
      for (const [way, own] of await askSet(api, set, options.tuned)) {
        asked.set(`${set.kind} ${way}`, own);
        if (options.show)
          for (const one of own.filter(({ question }) => question.half === "tuned")) show(one);
      }
    }
    const results: Record<string, object> = {};
    for (const half of options.tuned ? HALVES.slice(0, 1) : HALVES)
      for (const { way } of WAYS) results[`${half}, ${way}`] = rate(asked, half, way);
    process.stdout.write(`${JSON.stringify(results, null, 1)}\n`);
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const sha256 = Object.fromEntries(sets.map((set) => [set.kind, set.sha256]));
    const report = { command: "node evals/answers/real.ts FOLDER RESULT.json", commit, sha256, results };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 1)}\n`);
  } finally {
    await service.stop();
  }
}

function show({ question, summary, ...judged }: Asked): void {
  process.stdout.write(`${JSON.stringify({ ...question, ...judged, summary })}\n`);
}

async function askSet(api: Api, set: RealSet, isTunedOnly: boolean) {
  const asked = new Map<string, readonly Asked[]>();
  const projects = new Map<boolean, string>();
  for (const { way, vector_only, mode } of WAYS) {
    const id = projects.get(vector_only) ?? (await ingest(api, set, vector_only));
    projects.set(vector_only, id);
    const own: Asked[] = [];
    for (const question of set.questions) {
      if (isTunedOnly && question.half !== "tuned") continue;
      const began = performance.now();
      const body = { query: question.question, mode, include: ["provenance"] };
      const { results } = await api.request<QueryView>("POST", `/projects/${id}/query`, body);
      own.push(judge(question, { set, results, milliseconds: performance.now() - began }));
    }
    asked.set(way, own);
    process.stderr.write(`${set.kind}, ${way}: ${own.length} questions\n`);
  }
  return asked;
}

async function ingest(api: Api, set: RealSet, vector_only: boolean): Promise<string> {
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", {
    name: set.kind,
    vector_only,
  });
  const documents = set.documents.map(({ text }, at) => ({ source_doc_id: String(at), text }));
  const failed = (await ingestAll(api, project_id, documents)).find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`${set.kind}: ${failed.source_doc_id}: ${failed.error_message}`);
  return project_id;
}

interface Given {
  readonly set: RealSet;
  readonly results: QueryView["results"];
  readonly milliseconds: number;
}

function judge(question: RealQuestion, { set, results, milliseconds }: Given): Asked {
  const { summary, chunks } = results;
  const evidence = question.evidence ?? [];
  const has = (chunk: (typeof chunks)[number], { document, start, end }: (typeof evidence)[number]) => {
    const offset = set.documents[document]?.offset ?? 0;
    const shared = Math.min(end + offset, chunk.end ?? 0) - Math.max(start + offset, chunk.start ?? 0);
    return chunk.source_doc_id === String(document) && shared >= MOST * (end - start);
  };
  const first = chunks[0];
  const holds = (text: string) =>
    question.answers?.some((answer) => plain(text).includes(plain(answer))) === true;
  return {
    question,
    isFound:
      evidence.length > 0 &&
      evidence.every((place) => chunks.slice(0, DEPTH).some((chunk) => has(chunk, place))),
    isHeld: holds(summary),
    isHeldFirst: holds(firstSentence(summary)),
    isDenied: isDenial(summary),
    similarity: first?.similarity ?? 0,
    isFirstRight: first !== undefined && evidence.some((place) => has(first, place)),
    milliseconds,
    summary,
  };
}

function firstSentence(text: string): string {
  const [first] = new Intl.Segmenter("en", { granularity: "sentence" }).segment(text);
  return first?.segment ?? "";
}

function plain(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return ` ${words} `;
}

function rate(asked: ReadonlyMap<string, readonly Asked[]>, half: Half, way: string) {
  const own = (kinds: readonly string[]) =>
    kinds
      .flatMap((kind) => asked.get(`${kind} ${way}`) ?? [])
      .filter(({ question }) => question.half === half);
  return Object.fromEntries([
    ["all", rates(own(KINDS))],
    ...KINDS.map((kind) => [kind, rates(own([kind]))] as const),
  ]);
}

function rates(asked: readonly Asked[]) {
  const answerable = asked.filter(({ question }) => question.answers !== null);
  const others = asked.filter(({ question }) => question.answers === null);
  const near = others.filter(({ question }) => typeof question.near === "number");
  const far = others.filter(({ question }) => typeof question.near !== "number");
  const times = asked.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    answerable: answerable.length,
    found: share(answerable, ({ isFound }) => isFound),
    held: share(answerable, ({ isHeld, isDenied }) => isHeld && !isDenied),
    heldFirst: share(answerable, ({ isHeldFirst, isDenied }) => isHeldFirst && !isDenied),
    deniedWrongly: share(answerable, ({ isDenied }) => isDenied),
    unanswerable: others.length,
    denied: share(others, ({ isDenied }) => isDenied),
    deniedNear: share(near, ({ isDenied }) => isDenied),
    deniedFar: share(far, ({ isDenied }) => isDenied),
    areaUnderCurve: areaUnderCurve(answerable, others),
    calibrationError: round(calibrationError(asked)),
    medianMs: round(times[times.length >> 1] ?? 0),
  };
}

function calibrationError(asked: readonly Asked[]): number {
  const bins = Map.groupBy(asked, ({ similarity }) => Math.min(BINS - 1, Math.floor(similarity * BINS)));
  let error = 0;
  for (const own of bins.values()) {
    const mean = own.reduce((sum, { similarity }) => sum + similarity, 0) / own.length;
    const right = own.filter(({ isFirstRight }) => isFirstRight).length / own.length;
    error += (own.length / asked.length) * Math.abs(mean - right);
  }
  return error;
}

const round = (value: number) => Math.round(value * 1000) / 1000;

await main();
