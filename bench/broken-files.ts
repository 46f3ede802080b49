/**
 * Sends files of all types, each broken at random, to a service in the default configuration, waits for the end of their jobs,
 * and measures `/health` and memory beside it.
 *
 *   node bench/broken-files.ts [RESULT.json] [--files 500] [--seed 1]
 *
 * Exits with 1 on a job that does not end or fails without a reason, an answer other than 200, a failed `/health`, a temporary
 * file or a process that is left, or memory that does not come back.
 */
import { openSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type StartedService, startService } from "../evals/service.ts";
import { upload } from "../packages/server/test/support/files.ts";
import { type Client, createClient, readSuccess } from "../packages/server/test/support/http-client.ts";
import { createProject, type Job } from "../packages/server/test/support/ingestion.ts";
import { type BrokenFile, breakFiles } from "./broken-files/break-files.ts";
import { makeWholeFiles } from "./broken-files/whole-files.ts";
import { type HealthProbe, startHealthProbe } from "./fuzz/health.ts";
import { readIdleMiB, readMiB } from "./process-stats.ts";
import { describeMachine, publish, round, timesOf } from "./report.ts";
import { createRandom } from "./soak/random.ts";
import { readLog } from "./soak/service-log.ts";
import { createTally, type Tally } from "./soak/tally.ts";

const CONNECTIONS = 4;
const POLL_MS = 1_000;
/** Without the end of any job: longer than a conversion may take. */
const STUCK_MS = 10 * 60_000;
const PAGE = 100;
/** Of memory at the end over that after the whole files. */
const MAX_GROWTH = 1.3;
/** What a job says that failed for no fault of its file, or for one that the service did not foresee. */
const NO_REASON = /^(?:Internal error|The worker ended|Database connection)/;

interface Target {
  readonly owner: Client;
  readonly projectId: string;
  readonly tally: Tally;
}

/** Each in a request of its own. Returns the id of each file's job, by the file's name. */
async function sendAll(files: readonly BrokenFile[], { owner, projectId, tally }: Target) {
  const jobIds = new Map<string, string>();
  let next = 0;
  const connection = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const reply = await upload(owner, projectId, [{ path: file.name, content: file.bytes }]);
      if (reply.status !== 200) tally.violate("answer", `${file.name}: ${reply.status} ${reply.text}`);
      else jobIds.set(file.name, readSuccess("uploadFiles", reply).jobs[0]?.job_id ?? "");
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return jobIds;
}

async function listJobs({ owner, projectId }: Target): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (;;) {
    const query = { limit: PAGE, offset: jobs.length };
    const page = await owner.succeed("listJobs", { params: { project_id: projectId }, query });
    jobs.push(...page.jobs);
    if (page.jobs.length < PAGE) return jobs;
  }
}

/** All jobs of the project, those of archives' members among them, when they have ended or none of them ends any more. */
async function waitForJobs(target: Target): Promise<readonly Job[]> {
  let [left, changedAt] = [Number.POSITIVE_INFINITY, performance.now()];
  for (;;) {
    const jobs = await listJobs(target);
    const running = jobs.filter(({ status }) => status === "pending" || status === "running");
    if (running.length === 0) return jobs;
    if (running.length !== left) [left, changedAt] = [running.length, performance.now()];
    if (performance.now() - changedAt > STUCK_MS) {
      for (const { job_id, source_doc_id } of running)
        target.tally.violate("stuck", `${job_id} ${source_doc_id}`);
      return jobs;
    }
    await sleep(POLL_MS);
  }
}

/** Numbers and quoted names left out, so that the same fault is counted as one. */
function kindOf(reason: string): string {
  return reason
    .replaceAll(/"[^"]{0,1000}"/g, '"…"')
    .replaceAll(/\d{1,40}/g, "#")
    .slice(0, 120);
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function judge(jobs: readonly Job[], tally: Tally) {
  const reasons: Record<string, number> = {};
  for (const { status, error_message: reason, source_doc_id } of jobs) {
    if (status !== "failed") continue;
    if (reason === null || reason === undefined || reason.length < 10 || NO_REASON.test(reason))
      tally.violate("no reason", `${source_doc_id}: ${reason}`);
    count(reasons, kindOf(reason ?? ""));
  }
  return Object.fromEntries(Object.entries(reasons).sort(([, one], [, other]) => other - one));
}

/** How many ended in which way, by a property of the file. */
function tabulate(
  files: readonly BrokenFile[],
  by: (file: BrokenFile) => string,
  statusOf: (file: BrokenFile) => string,
) {
  const table: Record<string, Record<string, number>> = {};
  for (const file of files) {
    const row = table[by(file)] ?? {};
    count(row, statusOf(file));
    table[by(file)] = row;
  }
  return table;
}

/** Processes that the service started and that run still, and its temporary files. */
async function findLeftovers({ pid, dataDir }: StartedService): Promise<readonly string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  const files = await readdir(join(dataDir, "files"), { recursive: true }).catch(() => []);
  return [
    ...children
      .join("")
      .split(" ")
      .filter((child) => child !== "")
      .map((child) => `process ${child}`),
    ...files.filter((file) => file.includes("file-")),
  ];
}

/** Every type must be read whole, before and after. */
async function sendWhole(target: Target, folder: string, files: readonly { type: string; bytes: Buffer }[]) {
  await sendAll(
    files.map(({ type, bytes }) => ({ name: `${folder}/whole.${type}`, type, damage: "", bytes })),
    target,
  );
  for (const { status, source_doc_id, error_message } of await waitForJobs(target))
    if (source_doc_id.startsWith(`${folder}/`) && status !== "completed")
      target.tally.violate("whole file", `${source_doc_id}: ${error_message}`);
}

async function measure(
  service: StartedService,
  { files, seed, health }: { files: number; seed: number; health: HealthProbe },
  target: Target,
) {
  const { pid } = service;
  const whole = makeWholeFiles(createRandom(seed));
  const broken = breakFiles(whole, files, createRandom(seed + 1));
  await sendWhole(target, "before", whole);
  const beforeMiB = await readIdleMiB(pid);
  await health.read();
  const began = performance.now();
  const project = await createProject(target.owner, "Broken files");
  const sent = { ...target, projectId: project };
  const jobIds = await sendAll(broken, sent);
  const jobs = await waitForJobs(sent);
  const seconds = round((performance.now() - began) / 1000, 0);
  const { timesMs, faults } = await health.read();
  for (const fault of faults) target.tally.violate("health", fault);
  const highestMiB = await readMiB(pid, "peakRssBytes");
  const afterMiB = await readIdleMiB(pid);
  const growth = round(afterMiB / beforeMiB);
  // A comparison that is false for NaN, so that memory that could not be read is a violation.
  if (!(growth <= MAX_GROWTH)) target.tally.violate("memory", `${beforeMiB} MiB became ${afterMiB} MiB`);
  for (const leftover of await findLeftovers(service)) target.tally.violate("leftover", leftover);
  await sendWhole(target, "after", whole);
  const statuses = new Map(jobs.map(({ job_id, status }) => [job_id, status]));
  const statusOf = ({ name }: BrokenFile) => statuses.get(jobIds.get(name) ?? "") ?? "no job";
  return {
    seconds,
    files: broken.length,
    statuses: tabulate(broken, () => "all", statusOf)["all"],
    members: jobs.length - jobIds.size,
    healthMs: { asked: timesMs.length, ...timesOf(timesMs) },
    rssMiB: { before: beforeMiB, highest: highestMiB, after: afterMiB },
    memoryGrowth: { factor: growth, limit: MAX_GROWTH },
    byType: tabulate(broken, ({ type }) => type, statusOf),
    byDamage: tabulate(broken, ({ damage }) => damage, statusOf),
    reasons: judge(jobs, target.tally),
  };
}

async function run(options: { files: number; seed: number }) {
  const tally = createTally();
  const folder = await mkdtemp(join(tmpdir(), "kcs-broken-files-"));
  const logFile = join(folder, "service.log");
  // The default of ten ingest requests a minute would make this last an hour.
  const service = await startService({ stderr: openSync(logFile, "a"), env: { KCS_INGEST_PER_MINUTE: "0" } });
  const owner = createClient(service.baseUrl, service.key);
  const health = startHealthProbe(service.baseUrl);
  try {
    const projectId = await createProject(owner, "Whole files");
    const result = await measure(service, { ...options, health }, { owner, projectId, tally });
    const ended = await service.kill("SIGTERM");
    if (ended.code !== 0) tally.violate("stop", `ended with ${JSON.stringify(ended)}`);
    const log = await readLog(logFile, tally);
    return { violations: tally.violations, ...result, log };
  } finally {
    await health.stop();
    owner.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { files: { type: "string", default: "500" }, seed: { type: "string", default: "1" } },
  });
  const machine = describeMachine();
  const [files, seed] = [Number(values.files), Number(values.seed)];
  const result = await run({ files, seed });
  const data = { seed, settings: "defaults but KCS_INGEST_PER_MINUTE=0 (no limit of ingest requests)" };
  const command = `node bench/broken-files.ts --files ${files} --seed ${seed}`;
  await publish({ command, data, machine, result }, positionals[0]);
  if (result.violations.length > 0) process.exitCode = 1;
}

await main();
