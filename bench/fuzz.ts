/**
 * Sends random requests, made from the OpenAPI document, over eight connections to a service in the default configuration,
 * and measures `/health` and memory beside it.
 *
 *   node bench/fuzz.ts [RESULT.json] [--requests 20000] [--seed 1] [--database postgres]
 *
 * Exits with 1 on a status of 500 or above, an answer that the document does not describe, a dropped connection, a slow
 * `/health` or memory that does not come back.
 */
import { openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type StartedService, startService } from "../evals/service.ts";
import { prepareKnown } from "../packages/server/test/fuzz/requests.ts";
import { createClient } from "../packages/server/test/support/http-client.ts";
import { type PostgresServer, startPostgres } from "../scripts/test/postgres-server.ts";
import { type HealthProbe, startHealthProbe } from "./fuzz/health.ts";
import { createSender, type FuzzRequest, makeRequests, type Sender } from "./fuzz/sender.ts";
import { type Probe, prepareProbe } from "./hostile-bodies/open-probe.ts";
import { readIdleMiB, readMiB } from "./process-stats.ts";
import { describeMachine, publish, round, timesOf } from "./report.ts";
import { readLog } from "./soak/service-log.ts";
import { createTally, type Tally } from "./soak/tally.ts";

/** Requests between two readings of the probe; what is sent again when `/health` was slow. */
const RANGE = 1_000;
const HEALTH_LIMIT_MS = 250;
/** Of the main thread's processor time between two turns of its event loop. Below it, other processes delay `/health`. */
const HOLD_LIMIT_CPU_MS = 50;
/** Of memory at the end over that after the first tenth of the requests. */
const MAX_GROWTH = 1.3;

/** The slowest `/health`, and the longest hold of the main thread. */
interface RangeTimes {
  readonly healthMs: number;
  readonly holdCpuMs: number;
}

interface SlowRange {
  readonly from: number;
  readonly tries: readonly [RangeTimes, RangeTimes];
}

function createRun(sender: Sender, probes: { health: HealthProbe; mainThread: Probe }, tally: Tally) {
  const healthMs: number[] = [];
  const holdsCpuMs: number[] = [];
  const slow: SlowRange[] = [];

  async function sendRange(requests: readonly FuzzRequest[]): Promise<RangeTimes> {
    await probes.mainThread.read();
    await sender.send(requests);
    const { timesMs, faults } = await probes.health.read();
    const { cpuMs } = await probes.mainThread.read();
    healthMs.push(...timesMs);
    holdsCpuMs.push(cpuMs);
    for (const fault of faults) tally.violate("health", fault);
    return { healthMs: round(Math.max(0, ...timesMs), 1), holdCpuMs: round(cpuMs, 1) };
  }

  const isSlow = (times: RangeTimes) =>
    times.healthMs > HEALTH_LIMIT_MS || times.holdCpuMs > HOLD_LIMIT_CPU_MS;

  /** The collection of garbage can hold the thread, and another process delay an answer, hardly twice during the same requests. */
  async function sendAll(requests: readonly FuzzRequest[], from: number): Promise<void> {
    await probes.health.read(); // Nothing was sent meanwhile.
    for (let at = 0; at < requests.length; at += RANGE) {
      const range = requests.slice(at, at + RANGE);
      const first = await sendRange(range);
      if (!isSlow(first)) continue;
      const second = await sendRange(range);
      slow.push({ from: from + at, tries: [first, second] });
      if (second.holdCpuMs > HOLD_LIMIT_CPU_MS)
        tally.violate("hold", `${second.holdCpuMs} ms of processor time at the requests from ${from + at}`);
      else if (second.healthMs > HEALTH_LIMIT_MS && isQuiet())
        tally.violate("health", `${second.healthMs} ms at the requests from ${from + at}`);
    }
  }
  return { healthMs, holdsCpuMs, slow, sendAll };
}

async function fuzz(
  service: StartedService,
  options: { count: number; seed: number; mainThread: Probe },
  tally: Tally,
) {
  const { count, seed, mainThread } = options;
  const { baseUrl, pid } = service;
  const beforeMiB = await readMiB(pid, "rssBytes");
  const owner = createClient(baseUrl, service.key);
  const requests = makeRequests({ count, seed, known: await prepareKnown(owner) });
  const sender = createSender({ baseUrl, owner }, tally);
  const health = startHealthProbe(baseUrl);
  try {
    const run = createRun(sender, { health, mainThread }, tally);
    const warmUp = Math.ceil(requests.length / 10);
    await run.sendAll(requests.slice(0, warmUp), 0);
    const afterWarmUpMiB = await readIdleMiB(pid);
    const began = performance.now();
    await run.sendAll(requests.slice(warmUp), warmUp);
    const seconds = (performance.now() - began) / 1000;
    const highestMiB = await readMiB(pid, "peakRssBytes");
    const afterMiB = await readIdleMiB(pid);
    const growth = round(afterMiB / afterWarmUpMiB);
    // A comparison that is false for NaN, so that memory that could not be read is a violation.
    if (!(growth <= MAX_GROWTH)) tally.violate("memory", `${afterWarmUpMiB} MiB became ${afterMiB} MiB`);
    return {
      sent: sender.timesMs.length,
      perSecond: round((requests.length - warmUp) / seconds, 1),
      answerMs: timesOf(sender.timesMs),
      healthMs: { asked: run.healthMs.length, limit: HEALTH_LIMIT_MS, ...timesOf(run.healthMs) },
      mainThreadHoldCpuMs: { limit: HOLD_LIMIT_CPU_MS, max: round(Math.max(...run.holdsCpuMs), 1) },
      slowRanges: run.slow,
      rssMiB: { before: beforeMiB, afterWarmUp: afterWarmUpMiB, highest: highestMiB, after: afterMiB },
      memoryGrowth: { factor: growth, limit: MAX_GROWTH },
      statuses: sender.totals(),
      statusesByOperation: sender.statuses(),
    };
  } finally {
    await health.stop();
    sender.close();
    owner.close();
  }
}

/** Where many more threads want to run than there are processors, a time says nothing of the service. */
function isQuiet(): boolean {
  return (loadavg()[0] ?? 0) <= 4 * availableParallelism();
}

async function run(options: { count: number; seed: number }, postgres: PostgresServer | null) {
  const tally = createTally();
  const folder = await mkdtemp(join(tmpdir(), "kcs-fuzz-"));
  const logFile = join(folder, "service.log");
  const probe = prepareProbe();
  const service = await startService({
    stderr: openSync(logFile, "a"),
    env: {
      ...probe.env,
      // The default of ten ingest requests a minute would refuse nearly all of them.
      KCS_INGEST_PER_MINUTE: "0",
      ...(postgres !== null && { DATABASE_URL: postgres.url }),
    },
  });
  try {
    const result = await fuzz(service, { ...options, mainThread: probe.open(service.pid) }, tally);
    const ended = await service.kill("SIGTERM");
    if (ended.code !== 0) tally.violate("stop", `ended with ${JSON.stringify(ended)}`);
    const log = await readLog(logFile, tally);
    return { violations: tally.violations, ...result, log, loadAfter: round(loadavg()[0] ?? 0) };
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      requests: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
      database: { type: "string", default: "sqlite" },
    },
  });
  const machine = describeMachine();
  const postgres = values.database === "postgres" ? await startPostgres() : null;
  try {
    const result = await run({ count: Number(values.requests), seed: Number(values.seed) }, postgres);
    const flags = `--requests ${values.requests} --seed ${values.seed} --database ${values.database}`;
    const data = {
      seed: Number(values.seed),
      settings: "defaults but KCS_INGEST_PER_MINUTE=0 (no limit of ingest requests)",
    };
    await publish({ command: `node bench/fuzz.ts ${flags}`, data, machine, result }, positionals[0]);
    if (result.violations.length > 0) process.exitCode = 1;
  } finally {
    await postgres?.stop();
  }
}

await main();
