/**
 * How much of what a use case names is in the suggested ontology, over HTTP without a language model.
 *
 *   node evals/suggestion/evaluate.ts [RESULT.json]
 *
 * cases.json: invented use cases with the types, edges and properties that they name; "A|B" are names that are right alike,
 * `mayHave` are types that are neither asked for nor wrong. Those of the half "tune" were tuned on; those of "report" were written afterwards.
 * unseen.json: the same by somebody who had not seen the code, in the plain words of people who ask for a graph; tuned on afterwards.
 * held-out.json: likewise, by another writer; nothing was tuned on them, and what is suggested for them is not to be looked at.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createApi } from "../client.ts";
import { startService } from "../service.ts";
import { type Case, type Counts, judge, type SuggestedSchema, sum } from "./judge.ts";

const command = "node evals/suggestion/evaluate.ts RESULT.json";
const [resultFile] = process.argv.slice(2);
const read = async (file: string) =>
  JSON.parse(await readFile(new URL(file, import.meta.url), "utf8")) as Case[]; // Our own files.
const older = await read("./cases.json");
const unseen = await read("./unseen.json");
const heldOut = await read("./held-out.json");
const cases = [...older, ...unseen, ...heldOut];
const service = await startService();
try {
  const api = createApi(service.baseUrl, service.key);
  const suggest = (usecase: string) =>
    api.request<{ name: string; schema: SuggestedSchema }>("POST", "/ontologies/suggest", { usecase });
  await suggest("A warm-up joins a thread.");
  const judged: (Counts & { readonly milliseconds: number })[] = [];
  for (const each of cases) {
    const began = performance.now();
    const { name, schema } = await suggest(each.usecase);
    const milliseconds = performance.now() - began;
    await api.request("POST", "/ontologies", { name, schema });
    const found = judge(each, schema);
    judged.push({ ...found.counts, milliseconds });
    process.stdout.write(`${JSON.stringify({ domain: each.domain, name, ...found.view })}\n`);
  }
  const half = (name: Case["half"]) =>
    sum(judged.slice(0, older.length).filter((_, at) => cases[at]?.half === name));
  const times = judged.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const report = {
    command,
    commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
    cases: cases.length,
    tuned: half("tune"),
    reported: half("report"),
    unseen: sum(judged.slice(older.length, older.length + unseen.length)),
    heldOut: sum(judged.slice(older.length + unseen.length)),
    medianMs: Math.round((times[times.length >> 1] ?? 0) * 10) / 10,
    maxMs: Math.round((times.at(-1) ?? 0) * 10) / 10,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await service.stop();
}
