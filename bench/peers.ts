/**
 * The service beside its peers: the same passages and questions through one after the other, ours first and last.
 *
 *   node bench/peers.ts SET [RESULT.json] [--only lancedb,orama] [--ingest-limit 300]
 *
 * SET is a folder in the BEIR layout: corpus.jsonl {_id, title, text}, queries.jsonl {_id, text}, qrels.tsv. Each peer is
 * installed below `node_modules/.cache` if it can be had; the result names each that cannot. RESULT.md is written beside
 * RESULT.json. `--ingest-limit`: seconds after which a peer that can stop ingests no more.
 */
import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSet } from "../evals/retrieval-set.ts";
import { cacheFolder } from "./install-packages.ts";
import { type InputTexts, textsOf, writeInput } from "./peers/input.ts";
import { install } from "./peers/install.ts";
import { type Kind, measureOurs } from "./peers/measure-ours.ts";
import { measurePeer, type Place } from "./peers/measure-peer.ts";
import type { Figures, Outcome, Peer } from "./peers/peer.ts";
import { peers } from "./peers/peers.ts";
import { tableOf } from "./peers/table.ts";
import { describeMachine, publish, round } from "./report.ts";

const DASHBOARD = fileURLToPath(new URL("../packages/dashboard/build.ts", import.meta.url));

type Measured = Outcome & { readonly loadBefore: number };

async function measure(
  about: Pick<Outcome, "name" | "version" | "needed">,
  work: () => Promise<Figures>,
): Promise<Measured> {
  const loadBefore = round(loadavg()[0] ?? 0);
  process.stderr.write(`${new Date().toISOString()} ${about.name}, load ${loadBefore}\n`);
  const outcome = await tryWork(work);
  process.stderr.write(`${JSON.stringify(outcome)}\n`);
  return { ...about, loadBefore, ...outcome };
}

async function tryWork(work: () => Promise<Figures>) {
  try {
    return { kind: "measured", ...(await work()) } as const;
  } catch (error) {
    return { kind: "failed", reason: (error as Error).message } as const; // Nothing else is thrown.
  }
}

async function measureOurWays(at: "first" | "last", place: Place, texts: InputTexts) {
  // The repository's own file.
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  const outcomes: Measured[] = [];
  for (const kind of ["plain", "graph"] as const satisfies readonly Kind[]) {
    const about = { name: `ours, ${kind}, ${at}`, version, needed: "Node; over HTTP, embedding included" };
    outcomes.push(await measure(about, () => measureOurs(kind, place.set, texts)));
  }
  return outcomes;
}

/** Before anything is measured, because an installation leaves no processor to others. */
async function installAll(chosen: readonly Peer[]): Promise<ReadonlyMap<Peer, string | null>> {
  const reasons = new Map<Peer, string | null>();
  for (const peer of chosen) {
    process.stderr.write(`installs ${peer.name}\n`);
    reasons.set(peer, await install(peer));
  }
  return reasons;
}

async function measureAll(chosen: readonly Peer[], place: Place, texts: InputTexts) {
  const missing = await installAll(chosen);
  // Otherwise the first start of the service would, while it is measured.
  execFileSync(process.execPath, [DASHBOARD, "--if-stale"]);
  const embedder = await writeInput(texts, place);
  const outcomes = await measureOurWays("first", place, texts);
  for (const peer of chosen) {
    const { name, version, needed } = peer;
    const reason = missing.get(peer) ?? null;
    if (reason === null)
      outcomes.push(await measure({ name, version, needed }, () => measurePeer(peer, place)));
    else
      outcomes.push({ name, version, needed, kind: "missing", reason, loadBefore: round(loadavg()[0] ?? 0) });
  }
  outcomes.push(...(await measureOurWays("last", place, texts)));
  return { embedder, outcomes };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { only: { type: "string" }, "ingest-limit": { type: "string", default: "300" } },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/peers.ts SET [RESULT.json]");
  const only = values.only?.split(",");
  const unknown = only?.find((name) => !peers.some((peer) => peer.name === name));
  if (unknown !== undefined) throw new Error(`There is no peer ${unknown}.`);
  const machine = describeMachine();
  const set = await readSet(folder);
  const place: Place = {
    set,
    folder: cacheFolder("kcs-peers", "run"),
    modelFolder: cacheFolder("kcs-peers", "model"),
    ingestLimitSeconds: Number(values["ingest-limit"]),
  };
  const chosen = peers.filter(({ name }) => only?.includes(name) ?? true);
  const texts = textsOf(set);
  const result = await measureAll(chosen, place, texts);
  await rm(place.folder, { recursive: true, force: true });
  const passages = set.documents.length;
  const options = `--ingest-limit ${values["ingest-limit"]}${only === undefined ? "" : ` --only ${only.join(",")}`}`;
  const data = { set: set.name, sha256: set.sha256, passages, questions: texts.questions.length };
  const command = `node bench/peers.ts ${join("SETS", set.name)} ${options}`;
  await publish({ command, data, machine, result }, resultFile);
  if (resultFile === undefined) return;
  const loads = result.outcomes.map(({ loadBefore }) => Math.round(loadBefore));
  const made = `Made by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${passages} passages, ${data.questions} questions, ${machine.cores} cores of ${machine.cpu}, load ${Math.min(...loads)} to ${Math.max(...loads)}.`;
  const page = `# Beside our peers: ${set.name}\n\n${made} [What the columns mean](../README.md#what-the-figures-mean)\n\n${tableOf(result.outcomes, { embedder: result.embedder, passages })}\n`;
  await writeFile(resultFile.replace(/\.json$/, ".md"), page);
}

await main();
