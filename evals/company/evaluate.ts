/**
 * An invented company over ten years: 40 files of eight types, 60 questions with and without `as_of`, 55 facts with their times, 20 corrections
 * (checked at once, and after documents of theirs were deleted and ingested again) and two changes of the ontology.
 * Over HTTP, in the default configuration, without a language model.
 *
 *   node evals/company/evaluate.ts [RESULT.json] [--show]
 *
 * Questions and facts with an even number (the first has number 1) may be looked at, and `--show` prints those of them that went
 * wrong; the odd ones are only counted.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { type Api, createApi } from "../client.ts";
import { startService } from "../service.ts";
import { askAll, type CompanyQuestion, countAnswers, describeFailures, type Mode } from "./answers.ts";
import { changeOntology, makeCorrections, type Schema, upload } from "./corrected.ts";
import { countFacts, type Fact, isListed, type Listed, listStated, readNames, states } from "./facts.ts";
import { type CompanyFile, makeFiles } from "./files.ts";

const MODES: readonly Mode[] = ["static", "dynamic"];
const KINDS = ["as_of", "time", "plain"] as const;
/** No fact begins or ends on these days. */
const DAYS = [null, "2016-03-01", "2019-06-01", "2022-11-01"] as const;
const HALVES = [
  { half: "even", remainder: 1 },
  { half: "odd", remainder: 0 },
] as const;

const halfOf = <Item>(items: readonly Item[], remainder: number) =>
  items.filter((_, index) => index % 2 === remainder);

async function readData<Data>(name: string): Promise<Data> {
  return JSON.parse(await readFile(new URL(name, import.meta.url), "utf8")) as Data; // Written beside this file.
}

async function makeProject(api: Api) {
  const ontology = await readData<{ name: string; schema: Schema }>("ontology.json");
  const { id: ontologyId } = await api.request<{ id: string }>("POST", "/ontologies", ontology);
  const project = await api.request<{ project_id: string }>("POST", "/projects", {
    ...{ name: "Sorley Marine", ontology_id: ontologyId },
  });
  return { ...ontology, ontologyId, projectId: project.project_id };
}

async function judgeAnswers(api: Api, projectId: string, shows: boolean): Promise<readonly object[]> {
  const questions = await readData<readonly CompanyQuestion[]>("questions.json");
  const results: object[] = [];
  for (const mode of MODES) {
    const answers = await askAll(api, { projectId, questions, mode });
    for (const { half, remainder } of HALVES) {
      const mine = halfOf(answers, remainder);
      results.push({ half, mode, kind: "all", ...countAnswers(mine) });
      for (const kind of KINDS)
        results.push({
          half,
          mode,
          kind,
          ...countAnswers(mine.filter(({ question }) => question.kind === kind)),
        });
      if (shows && half === "even") process.stdout.write(`${describeFailures(mine).join("\n\n")}\n\n`);
    }
  }
  return results;
}

async function judgeFacts(api: Api, projectId: string, shows: boolean): Promise<readonly object[]> {
  const facts = await readData<readonly Fact[]>("facts.json");
  const names = await readNames(api, projectId);
  const results: object[] = [];
  const count = (list: string, day: string | null, listed: readonly Listed[]) => {
    for (const { half, remainder } of HALVES)
      results.push({
        ...{ half, list, as_of: day, length: listed.length },
        ...countFacts(halfOf(facts, remainder), listed, day),
      });
  };
  for (const day of DAYS) {
    const path = `/projects/${projectId}/relationships?${day === null ? "" : `as_of=${day}&`}`;
    const listed = await listStated(api, { path, member: "relationships", names });
    count("relationships", day, listed);
    if (shows && day === null) showFacts(facts, listed);
  }
  const path = `/projects/${projectId}/graph/proposals?`;
  count("proposals", null, await listStated(api, { path, member: "proposals", names }));
  return results;
}

function showFacts(facts: readonly Fact[], listed: readonly Listed[]): void {
  for (const fact of halfOf(facts, 1).filter((each) => !isListed(each, listed)))
    process.stdout.write(`not listed: ${fact.source} ${fact.type} ${fact.target} (${fact.document})\n`);
  for (const each of listed.filter((one) => !facts.some((fact) => states(one, fact))))
    process.stdout.write(`listed, not among the facts: ${each.text}\n`);
}

async function hashOf(files: readonly CompanyFile[]): Promise<string> {
  const hash = createHash("sha256");
  for (const { name, bytes } of files) hash.update(name).update("\0").update(bytes).update("\0");
  for (const name of ["ontology.json", "questions.json", "facts.json"])
    hash.update(await readFile(new URL(name, import.meta.url)));
  return hash.digest("hex");
}

async function main(given: readonly string[]): Promise<void> {
  const resultFile = given.find((each) => !each.startsWith("--"));
  const shows = given.includes("--show");
  const files = await makeFiles();
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const project = await makeProject(api);
    const { projectId } = project;
    const jobs = await upload(api, projectId, files);
    const failed = jobs.filter(({ status }) => status === "failed");
    const answers = await judgeAnswers(api, projectId, shows);
    const facts = await judgeFacts(api, projectId, shows);
    const { chunks } = await api.request<{ chunks: number }>("GET", `/projects/${projectId}/stats`);
    const place = { api, files, ...project };
    // Last, since they change what was asked and listed before.
    const corrections = await makeCorrections(place);
    const ontologyChanges = await changeOntology(place);
    for (const each of [...failed, ...answers, ...facts, ...corrections, ...ontologyChanges])
      process.stdout.write(`${JSON.stringify(each)}\n`);
    const about = {
      command: "node evals/company/evaluate.ts RESULT.json",
      commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
      date: new Date().toISOString(),
      sha256: await hashOf(files),
    };
    const counted = { files: files.length, failed: failed.length, chunks };
    const report = { ...about, ...counted, answers, facts, corrections, ontology_changes: ontologyChanges };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
