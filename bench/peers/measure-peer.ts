/** Runs a peer's adapter as a process and measures it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type EvaluationSet, score } from "../../evals/retrieval-set.ts";
import { cacheFolder } from "../install-packages.ts";
import { quantile, round } from "../report.ts";
import { commandOf, modulesOf } from "./install.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import type { AdapterResult, Figures, Peer, Way } from "./peer.ts";
import { watchPeakMiB } from "./process-tree.ts";

export interface Place {
  readonly set: EvaluationSet;
  /** With the input; the peer's files are in a folder of it. */
  readonly folder: string;
  readonly modelFolder: string;
  /** After which an adapter ingests no further passages, if it can stop. */
  readonly ingestLimitSeconds: number;
}

/** For the start, and what is left when the limit of the ingestion is reached. */
const MORE_SECONDS = 600;
const KEPT_OUTPUT = 4_000;
const MIB = 1024 ** 2;

/** @throws Error with the last line that the adapter printed */
export async function measurePeer(peer: Peer, place: Place): Promise<Figures> {
  const store = join(place.folder, peer.name);
  await rm(store, { recursive: true, force: true });
  await mkdir(store, { recursive: true });
  const model = peer.asksModel ? await startModelServer(place) : null;
  try {
    const { result, peakPssMiB } = await runAdapter(peer, { ...place, store, model });
    return {
      ingest: result.ingest,
      peakPssMiB,
      diskMiB: round((await readFolderBytes(store)) / MIB, 1),
      ways: result.ways.map((way) => describeWay(way, place.set, result.ingest.passages)),
    };
  } finally {
    await model?.stop();
    await rm(store, { recursive: true, force: true });
  }
}

type Running = Place & { readonly store: string; readonly model: ModelServer | null };

async function runAdapter(peer: Peer, { folder, store, model, ingestLimitSeconds }: Running) {
  const resultFile = join(folder, `${peer.name}.json`);
  await rm(resultFile, { force: true });
  const [program, adapter] = commandOf(peer);
  const child = spawn(program, [adapter], {
    detached: true, // The leader of a group, so that everything it starts can be ended with it.
    stdio: ["ignore", "pipe", "pipe"],
    cwd: store,
    env: {
      ...process.env,
      PEER_INPUT: folder,
      PEER_STORE: store,
      PEER_RESULT: resultFile,
      PEER_WAY: peer.way ?? "",
      PEER_MODULES: modulesOf(peer),
      PEER_MODEL_URL: model?.url ?? "",
      PEER_LIMIT_SECONDS: String(ingestLimitSeconds),
      PYTHONPYCACHEPREFIX: cacheFolder("kcs-peers", "compiled"),
    },
  });
  let output = "";
  const keep = (text: string) => {
    output = (output + text).slice(-KEPT_OUTPUT);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started.`);
  const endGroup = () => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  const watch = watchPeakMiB(pid);
  const timer = setTimeout(endGroup, (ingestLimitSeconds + MORE_SECONDS) * 1_000);
  const [code] = await once(child, "close");
  clearTimeout(timer);
  endGroup();
  const peakPssMiB = await watch.stop();
  if (code !== 0) {
    process.stderr.write(`${output}\n`);
    throw new Error(output.trim().split("\n").at(-1) || `It ended with ${code ?? "a signal"}.`);
  }
  const result = JSON.parse(await readFile(resultFile, "utf8")) as AdapterResult; // Ours wrote it.
  return { result, peakPssMiB };
}

/** Recall says nothing where passages are missing. */
export function describeWay(
  { way, timesMs, cpuSeconds, ranked, model }: AdapterResult["ways"][number],
  set: EvaluationSet,
  passages: number,
): Way {
  const { recall2, recall5 } = score(set, new Map(Object.entries(ranked)), () => true);
  const isWhole = passages === set.documents.length;
  return {
    way,
    p50Ms: round(quantile(timesMs, 0.5)),
    p95Ms: round(quantile(timesMs, 0.95)),
    cpuMs: round((cpuSeconds * 1_000) / timesMs.length),
    recall2: isWhole ? recall2 : null,
    recall5: isWhole ? recall5 : null,
    ...(model === undefined ? {} : { model }),
  };
}

async function readFolderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
