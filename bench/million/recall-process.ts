/** The process of `measureRecall`. */
import { prepareSearch } from "../../packages/server/src/engine/index/search.ts";
import { queryTerms } from "../../packages/server/src/engine/text/terms.ts";
import { answerRequest } from "../ask-process.ts";
import type { BenchQuestion } from "../questions.ts";
import { round } from "../report.ts";
import { type OpenedAlone, openAlone, openIndex } from "../scale/open-alone.ts";
import { describeTimes, timeMs } from "../scale/timing.ts";
import type { RecallRequest, RecallResult } from "./recall.ts";

const LIMIT = 10;
/** Of an index of any size, all chunks are scored, or only likely ones. */
const EXACT = { exactChunks: Number.POSITIVE_INFINITY } as const;
const APPROXIMATE = { exactChunks: 0 } as const;
const WARM_UP = 10;

interface Found {
  readonly ranked: readonly string[];
  readonly dense: readonly string[];
  /** Of the ranked ones. */
  readonly ms: number;
}

async function find(
  bench: OpenedAlone,
  { text }: BenchQuestion,
  options: { readonly exactChunks: number },
): Promise<Found> {
  const { reader, projectId, kernels, embedder } = bench;
  const vector = new Float32Array(await embedder.embed(text));
  const index = await openIndex(bench);
  if (!index.staysOpen) throw new Error("The index does not fit into memory.");
  try {
    let ranked: readonly string[] = [];
    const search = await prepareSearch({
      ...{ index, kernels, vector, terms: queryTerms(text), filter: null, limit: LIMIT, ...options },
      readVectors: (keys) => reader.readVectors({ projectId, vectorSet: 0, keys }),
    });
    const ms = await timeMs(async () => {
      ranked = (await search.best()).map(keyOf);
    });
    return { ranked, dense: (await search.candidatesOf("dense", LIMIT)).map(keyOf), ms };
  } finally {
    index.release();
  }
}

function keyOf({ versionId, position }: { readonly versionId: number; readonly position: number }): string {
  return `${versionId}/${position}`;
}

/** 1 where the exact search finds nothing. */
function shareOf(exact: readonly string[], found: readonly string[]): number {
  if (exact.length === 0) return 1;
  return exact.filter((key) => found.includes(key)).length / exact.length;
}

answerRequest(async (request: RecallRequest): Promise<RecallResult> => {
  const bench = await openAlone(request);
  const shares = { ranked: [] as number[], dense: [] as number[] };
  const times = { approximate: [] as number[], exact: [] as number[] };
  for (const question of request.questions.slice(0, WARM_UP)) await find(bench, question, EXACT);
  for (const [at, question] of request.questions.entries()) {
    // What the first one has read is faster for the second.
    const first = at % 2 === 0 ? await find(bench, question, APPROXIMATE) : null;
    const exact = await find(bench, question, EXACT);
    const approximate = first ?? (await find(bench, question, APPROXIMATE));
    shares.ranked.push(shareOf(exact.ranked, approximate.ranked));
    shares.dense.push(shareOf(exact.dense, approximate.dense));
    times.approximate.push(approximate.ms);
    times.exact.push(exact.ms);
  }
  await bench.close();
  const mean = (values: readonly number[]) =>
    round(values.reduce((sum, value) => sum + value, 0) / values.length, 4);
  return {
    questions: request.questions.length,
    recallAt10: mean(shares.ranked),
    denseRecallAt10: mean(shares.dense),
    complete: shares.ranked.filter((share) => share === 1).length,
    approximate: describeTimes(times.approximate),
    exact: describeTimes(times.exact),
  };
});
