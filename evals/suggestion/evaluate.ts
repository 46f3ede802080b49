/**
 * How much of what a use case names is in the suggested ontology, over HTTP without a language model.
 *
 *   node evals/suggestion/evaluate.ts [RESULT.json]
 *
 * cases.json: invented use cases with the types, edges and properties that they name; "A|B" are names that are right alike,
 * `mayHave` are types that are neither asked for nor wrong. Those of the half "tune" were tuned on; those of "report" were written afterwards.
 * unseen.json: the same by somebody who had not seen the code, in the plain words of people who ask for a graph; tuned on afterwards.
 * held-out.json: likewise, by another writer; nothing was tuned on them, and what is suggested for them is not to be looked at.
 * requests.json: 32 written before their writer had seen the code, half of them tuned on, and 32 of style "read" written while tuning.
 * Prints what is missing or wrong for the cases that were tuned on, and nothing but totals for the others.
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
const requests = await read("./requests.json");
const cases = [...older, ...unseen, ...heldOut, ...requests];
const service = await startService();
try {
  const api = createApi(service.baseUrl, service.key);
  const suggest = (usecase: string) =>
    api.request<{ name: string; schema: SuggestedSchema }>("POST", "/ontologies/suggest", { usecase });
  await suggest("Authors write books.");
  const judged: (Counts & { readonly milliseconds: number })[] = [];
  for (const each of cases) {
    const began = performance.now();
    const { name, schema } = await suggest(each.usecase);
    const milliseconds = performance.now() - began;
    await api.request("POST", "/ontologies", { name, schema });
    const found = judge(each, schema);
    judged.push({ ...found.counts, milliseconds });
    if (each.half === "tune")
      process.stdout.write(`${JSON.stringify({ domain: each.domain, name, ...found.view })}\n`);
  }
  const of = (set: readonly Case[], half?: Case["half"]) =>
    sum(
      judged.filter((_, at) => {
        const each = cases[at];
        return each !== undefined && set.includes(each) && (half === undefined || each.half === half);
      }),
    );
  const times = judged.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const report = {
    command,
    commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
    cases: cases.length,
    tuned: of(older, "tune"),
    reported: of(older, "report"),
    unseen: of(unseen),
    heldOut: of(heldOut),
    requestsTuned: of(requests, "tune"),
    requestsReported: of(requests, "report"),
    medianMs: Math.round((times[times.length >> 1] ?? 0) * 10) / 10,
    maxMs: Math.round((times.at(-1) ?? 0) * 10) / 10,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await service.stop();
}
