/**
 * Measures ingestion over HTTP in the default configuration, and the embedder alone on the same chunks in the same run.
 *
 *   node bench/ingest.ts FOLDER [RESULT.json] [--characters 4000000] [--rounds 6]
 *
 * FOLDER contains *.jsonl files of {_id, title, text}. The documents are split into rounds. In each round the service and
 * the embedder process the same documents one after the other, in alternating order, so that noise affects both.
 */
import { parseArgs } from "node:util";
import { createApi } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { readDocuments, sliceDocuments } from "./documents.ts";
import { startEmbedders } from "./embed-alone.ts";
import { createProject, timeFirstAnswer } from "./first-answer.ts";
import { type Round, runRound, summarizeRounds } from "./ingest-rounds.ts";
import { readDiskUse, readMemory } from "./process-stats.ts";
import { describeMachine, publish, round } from "./report.ts";

const MIB = 1024 ** 2;

async function measureSize(service: StartedService, chunks: number) {
  const memory = await readMemory(service.pid);
  const running = await readDiskUse(service.dataDir);
  await service.kill("SIGTERM");
  const stopped = await readDiskUse(service.dataDir);
  return {
    peakRssMiB: memory === null ? null : round(memory.peakRssBytes / MIB, 0),
    diskMiB: round(running.bytes / MIB, 1),
    ofItWriteAheadLogMiB: round(running.walBytes / MIB, 1),
    diskBytesPerChunkAfterStop: round(stopped.bytes / chunks, 0),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      characters: { type: "string", default: "4000000" },
      rounds: { type: "string", default: "6" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/ingest.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, characters, sha256 } = await readDocuments(folder, Number(values.characters));
  const service = await startService();
  const embedders = await startEmbedders();
  try {
    const api = createApi(service.baseUrl, service.key);
    const firstAnswerSeconds = await timeFirstAnswer(service, api);
    const projectId = await createProject(api, "ingest");
    const rounds: Round[] = [];
    for (const [at, slice] of sliceDocuments(documents, Number(values.rounds)).entries())
      rounds.push(await runRound({ api, pid: service.pid, projectId, embedders }, slice, at));
    const figures = summarizeRounds(rounds);
    const result = {
      ...figures,
      threads: embedders.threads,
      firstAnswerSeconds,
      ...(await measureSize(service, figures.chunks)),
      rounds,
    };
    const command = `node bench/ingest.ts FOLDER --characters ${values.characters} --rounds ${values.rounds}`;
    const data = { documents: documents.length, characters, sha256 };
    await publish({ command, data, machine, result }, resultFile);
  } finally {
    await embedders.stop();
    await service.stop();
  }
}

await main();
