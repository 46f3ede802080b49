/**
 * Measures the cost of a graph: the same questions to a project with a graph and to a project without one.
 *
 *   node bench/graph.ts FOLDER [RESULT.json] [--scales 1000,6000] [--questions 300]
 *
 * FOLDER contains folders with corpus.jsonl {_id, title, text} and queries.jsonl {_id, text}. For each scale, the first
 * documents of all folders are ingested into both projects, and the same questions are sent to both in turn.
 */
import { parseArgs } from "node:util";
import { type Api, createApi } from "../evals/client.ts";
import { startService } from "../evals/service.ts";
import { ask } from "./first-answer.ts";
import { fillProject, hashOf, type QuestionSets, readQuestionSets } from "./question-sets.ts";
import { describeMachine, publish, round } from "./report.ts";
import { describeTimes, timeMs } from "./scale/timing.ts";

const WARM_UP = 100;
const LIMIT_MS = 10;

async function measure(api: Api, { documents, questions }: QuestionSets) {
  const plain = await fillProject(api, true, documents);
  const graph = await fillProject(api, false, documents);
  for (const question of questions.slice(0, WARM_UP)) {
    await ask(api, plain.id, question);
    await ask(api, graph.id, question);
  }
  const times = { plain: [] as number[], graph: [] as number[], more: [] as number[] };
  let ranked = 0;
  for (const [at, question] of questions.entries()) {
    let strategy = "";
    const askGraph = async () => {
      strategy = (await ask(api, graph.id, question)).strategy_used;
    };
    const first = at % 2 === 0 ? await timeMs(() => ask(api, plain.id, question)) : await timeMs(askGraph);
    const second = at % 2 === 0 ? await timeMs(askGraph) : await timeMs(() => ask(api, plain.id, question));
    const [plainMs, graphMs] = at % 2 === 0 ? [first, second] : [second, first];
    times.plain.push(plainMs);
    times.graph.push(graphMs);
    times.more.push(graphMs - plainMs);
    if (strategy === "hybrid_graph") ranked++;
  }
  const described = {
    plain: describeTimes(times.plain),
    graph: describeTimes(times.graph),
    more: describeTimes(times.more),
  };
  return {
    documents: documents.length,
    chunks: graph.chunks,
    questions: questions.length,
    rankedByGraph: ranked,
    ingestChunksPerSecond: { plain: plain.chunksPerSecond, graph: graph.chunksPerSecond },
    ...described,
    p50MoreMs: round(described.graph.p50Ms - described.plain.p50Ms, 2),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      scales: { type: "string", default: "1000,6000" },
      questions: { type: "string", default: "300" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/graph.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, questions } = await readQuestionSets(folder);
  const selected = questions.slice(0, Number(values.questions));
  const service = await startService({ env: { KCS_LOG_LEVEL: "warn" } });
  try {
    const api = createApi(service.baseUrl, service.key);
    const scales = [];
    for (const scale of values.scales.split(",").map(Number)) {
      scales.push(await measure(api, { documents: documents.slice(0, scale), questions: selected }));
    }
    const last = scales.at(-1);
    const limit = { p50MoreMs: LIMIT_MS, met: (last?.p50MoreMs ?? Number.NaN) <= LIMIT_MS };
    await publish(
      {
        command: `node bench/graph.ts FOLDER --scales ${values.scales} --questions ${values.questions}`,
        data: { documents: documents.length, sha256: hashOf(documents) },
        machine,
        result: { limit, scales },
      },
      resultFile,
    );
  } finally {
    await service.stop();
  }
}

await main();
