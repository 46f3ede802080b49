/** What the adapters in TypeScript share: passages and questions with their vectors, the clock, the result. */
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readInput } from "./input.ts";
import type { AdapterResult } from "./peer.ts";

export const TOP = 10;

type Passage = Awaited<ReturnType<typeof readInput>>["texts"]["passages"][number];

export interface Vectored {
  readonly text: string;
  readonly vector: readonly number[];
}

/** `build` ingests and writes what it has to a file in the given folder; the result answers with ids, the best first. */
export async function runAdapter(
  way: string,
  build: (
    passages: readonly (Passage & Vectored)[],
    store: string,
  ) => Promise<(question: Vectored) => Promise<readonly string[]>>,
): Promise<void> {
  const { texts, vectors } = await readInput(setting("PEER_INPUT"));
  const withVector = <T extends { readonly text: string }>(each: T): T & Vectored => ({
    ...each,
    vector: [...(vectors.get(each.text) ?? [])],
  });
  const passages = texts.passages.map(withVector);
  const cpu = process.cpuUsage();
  const began = performance.now();
  const answer = await build(passages, setting("PEER_STORE"));
  const seconds = (performance.now() - began) / 1_000;
  const ingestCpuSeconds = cpuSecondsSince(cpu);
  for (const question of texts.warm) await answer(withVector(question));
  const askingCpu = process.cpuUsage();
  const timesMs: number[] = [];
  const ranked: Record<string, readonly string[]> = {};
  for (const question of texts.questions) {
    const given = withVector(question);
    const asked = performance.now();
    ranked[question.id] = await answer(given);
    timesMs.push(performance.now() - asked);
  }
  const result: AdapterResult = {
    ingest: { passages: passages.length, seconds, cpuSeconds: ingestCpuSeconds },
    ways: [{ way, timesMs, cpuSeconds: cpuSecondsSince(askingCpu), ranked }],
  };
  await writeFile(setting("PEER_RESULT"), JSON.stringify(result));
}

/** A module of the peer's own folder, whose types are not known here. */
export async function importPeer(name: string): Promise<unknown> {
  const { resolve } = createRequire(join(setting("PEER_MODULES"), "index.js"));
  return await import(pathToFileURL(resolve(name)).href);
}

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set. bench/peers.ts starts the adapters.`);
  return value;
}
