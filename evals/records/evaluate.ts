/**
 * Relationships that the rows of real tables, and real lines of "key: value", state under an ontology each; over HTTP, in the default configuration,
 * without a language model.
 *
 *   node evals/records/evaluate.ts FOLDER [RESULT.json] [--show]
 *
 * FOLDER has the files that `sources.md` names. Files with an odd number are used for tuning, and `--show` prints what went wrong in them; the even
 * ones are only counted.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Api, createApi } from "../client.ts";
import { upload } from "../company/corrected.ts";
import { type Fact, isListed, type Listed, listStated, readNames, states } from "../company/facts.ts";
import { startService } from "../service.ts";
import { listFiles, readGold } from "./gold.ts";

interface Counts {
  readonly facts: number;
  readonly asserted: number;
  /** Of the asserted ones that the file states. */
  readonly right: number;
  /** Of the facts. */
  readonly found: number;
  readonly proposed: number;
  readonly proposedRight: number;
  /** Of the facts, among the asserted or the proposed ones. */
  readonly foundOrProposed: number;
}

interface Outcome extends Counts {
  readonly file: string;
  readonly half: "tuned" | "reported";
}

async function judgeFile(api: Api, folder: string, file: string, shows: boolean): Promise<Outcome> {
  const stem = basename(file).replace(/\.[^.]+$/, "");
  const { ontology, facts } = await readGold(stem);
  const bytes = new Uint8Array(await readFile(join(folder, file)));
  const { id } = await api.request<{ id: string }>("POST", "/ontologies", ontology);
  const project = { name: stem, ontology_id: id };
  const { project_id: projectId } = await api.request<{ project_id: string }>("POST", "/projects", project);
  await upload(api, projectId, [{ name: file, bytes }]);
  const names = await readNames(api, projectId);
  const list = (path: string, member: "relationships" | "proposals") =>
    listStated(api, { path: `/projects/${projectId}/${path}?`, member, names });
  const asserted = await list("relationships", "relationships");
  const proposed = await list("graph/proposals", "proposals");
  const gold = facts.map((fact) => ({ ...fact, from: null, to: null, document: file }));
  const isTuned = Number.parseInt(stem, 10) % 2 === 1;
  if (shows && isTuned) showErrors(stem, gold, asserted, proposed);
  return { file: stem, half: isTuned ? "tuned" : "reported", ...count(gold, asserted, proposed) };
}

function count(facts: readonly Fact[], asserted: readonly Listed[], proposed: readonly Listed[]): Counts {
  const rightOf = (listed: readonly Listed[]) =>
    listed.filter((each) => facts.some((fact) => states(each, fact))).length;
  return {
    facts: facts.length,
    asserted: asserted.length,
    right: rightOf(asserted),
    found: facts.filter((fact) => isListed(fact, asserted)).length,
    proposed: proposed.length,
    proposedRight: rightOf(proposed),
    foundOrProposed: facts.filter((fact) => isListed(fact, [...asserted, ...proposed])).length,
  };
}

const SHOWN = 12;

function showErrors(
  file: string,
  facts: readonly Fact[],
  asserted: readonly Listed[],
  proposed: readonly Listed[],
): void {
  const isRight = (each: Listed) => facts.some((fact) => states(each, fact));
  const show = (what: string, lines: readonly string[]) => {
    if (lines.length > 0)
      process.stdout.write(`${file}: ${what} ${lines.length}\n  ${lines.slice(0, SHOWN).join("\n  ")}\n`);
  };
  const textOf = ({ source, type, target }: Fact) => `${source} ${type} ${target}`;
  show("missing", facts.filter((fact) => !isListed(fact, [...asserted, ...proposed])).map(textOf));
  show(
    "wrong",
    asserted.filter((each) => !isRight(each)).map(({ text }) => text),
  );
  show(
    "proposed, wrong",
    proposed.filter((each) => !isRight(each)).map(({ text }) => text),
  );
  show(
    "proposed, right",
    proposed.filter(isRight).map(({ text }) => text),
  );
}

/** Sums over files, and means of each file's shares: long tables do not decide. */
function total(outcomes: readonly Outcome[]) {
  const sum = (of: keyof Counts) => outcomes.reduce((all, one) => all + one[of], 0);
  const mean = (over: readonly number[]) =>
    over.length === 0 ? null : over.reduce((all, one) => all + one, 0) / over.length;
  const share = (part: keyof Counts, whole: keyof Counts) =>
    mean(outcomes.filter((one) => one[whole] > 0).map((one) => one[part] / one[whole]));
  return {
    files: outcomes.length,
    precision: sum("right") / sum("asserted"),
    recall: sum("found") / sum("facts"),
    recallWithProposals: sum("foundOrProposed") / sum("facts"),
    proposedPrecision: sum("proposedRight") / sum("proposed"),
    meanPrecision: share("right", "asserted"),
    meanRecall: share("found", "facts"),
    meanRecallWithProposals: share("foundOrProposed", "facts"),
  };
}

async function main(given: readonly string[]): Promise<void> {
  const [folder, resultFile] = given.filter((each) => !each.startsWith("--"));
  if (folder === undefined) throw new Error("The folder with the files is missing.");
  const files = await listFiles(folder);
  const service = await startService();
  const hash = createHash("sha256");
  try {
    const api = createApi(service.baseUrl, service.key);
    const outcomes: Outcome[] = [];
    for (const file of files) {
      const outcome = await judgeFile(api, folder, file, given.includes("--show"));
      process.stdout.write(`${JSON.stringify(outcome)}\n`);
      outcomes.push(outcome);
      hash.update(file).update(await readFile(join(folder, file)));
    }
    const halves = Object.fromEntries(
      (["tuned", "reported"] as const).map((half) => [
        half,
        total(outcomes.filter((one) => one.half === half)),
      ]),
    );
    process.stdout.write(`${JSON.stringify(halves, null, 2)}\n`);
    const report = {
      command: "node evals/records/evaluate.ts FOLDER RESULT.json",
      commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
      date: new Date().toISOString(),
      sha256: hash.digest("hex"),
      ...halves,
      outcomes,
    };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
