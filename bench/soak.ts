/**
 * Soak test: ingests, replaces, deletes and queries while the process is killed at random. At the end the state must equal
 * a fresh ingest of what was accepted, and memory and disk usage must not have grown.
 *
 *   node bench/soak.ts [--minutes 30] [--seed 1] [RESULT.json]
 *
 * The workload depends on the seed only; which requests a kill interrupts does not. Exits with 1 on any violation.
 */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, publish, round } from "./report.ts";
import { startChaos } from "./soak/chaos.ts";
import { findDatabaseFaults } from "./soak/database-view.ts";
import { askSubject, compareWithFresh, writeFinalQuestions } from "./soak/final-state.ts";
import { createRandom, type Random } from "./soak/random.ts";
import { judgeFlatness, startSampler } from "./soak/samples.ts";
import { readLog } from "./soak/service-log.ts";
import { type Subject, startSubject } from "./soak/subject.ts";
import { createTally, type Tally } from "./soak/tally.ts";
import { createWriter, type Writer } from "./soak/writer.ts";

const WRITERS = 2;
const SETTLE_LIMIT_MS = 900_000;
const MAX_THINKING_MS = 120;

/** Acts until the time is over. An error ends the writer, and the run fails. */
async function keepActing(writer: Writer, until: number, random: Random): Promise<void> {
  while (performance.now() < until) {
    await writer.act();
    await new Promise((resolve) => setTimeout(resolve, random.integer(0, MAX_THINKING_MS)));
  }
}

async function live(subject: Subject, minutes: number, random: Random, tally: Tally) {
  const until = performance.now() + minutes * 60_000;
  const sampler = startSampler(subject);
  const chaos = startChaos(subject, random.fork("chaos"), tally);
  const writers = Array.from({ length: WRITERS }, (_, at) => {
    const name = `soak-${"abcdef"[at]}`;
    return createWriter({ name, subject, tally, random: random.fork(name) });
  });
  const results = await Promise.allSettled(
    writers.map((writer, at) => keepActing(writer, until, random.fork(`pace ${at}`))),
  );
  for (const result of results)
    if (result.status === "rejected") tally.violate("writer", String(result.reason));
  await chaos.stop();
  sampler.stop();
  return { writers, chaos: chaos.report(), samples: sampler.samples };
}

async function run(minutes: number, seed: number) {
  const random = createRandom(seed);
  const tally = createTally();
  const subject = await startSubject();
  try {
    const { writers, chaos, samples } = await live(subject, minutes, random, tally);
    const settling = performance.now();
    for (const writer of writers) await writer.settle(SETTLE_LIMIT_MS);
    const settleSeconds = round((performance.now() - settling) / 1000);
    const projects = writers.flatMap((writer) => writer.projects);
    const questions = writeFinalQuestions(projects, random.fork("questions"));
    const answers = await askSubject(subject, questions);
    const ended = await subject.end();
    if (ended.code !== 0) tally.violate("stop", `ended with ${JSON.stringify(ended)}`);
    for (const fault of findDatabaseFaults(subject.dataDir)) tally.violate("database", fault);
    const compared = await compareWithFresh(
      { dataDir: subject.dataDir, projects },
      { questions, answers },
      tally,
    );
    const flatness = judgeFlatness(samples);
    for (const fault of flatness.faults) tally.violate("flatness", fault);
    const log = await readLog(subject.logFile, tally);
    const counts = Object.fromEntries([...tally.counts].sort());
    return { violations: tally.violations, chaos, counts, settleSeconds, compared, flatness, log, samples };
  } finally {
    await subject.end();
    // The data of a failed run is kept for diagnosis.
    if (tally.violations.length === 0) await rm(dirname(subject.dataDir), { recursive: true, force: true });
    else process.stderr.write(`The data and the log are kept in ${dirname(subject.dataDir)}.\n`);
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: "1" } },
  });
  const machine = describeMachine();
  const result = await run(Number(values.minutes), Number(values.seed));
  const command = `node bench/soak.ts --minutes ${values.minutes} --seed ${values.seed}`;
  const data = { seed: Number(values.seed), ingestPerMinute: "unlimited (KCS_INGEST_PER_MINUTE=0)" };
  await publish({ command, data, machine, result }, positionals[0]);
  if (result.violations.length > 0) process.exitCode = 1;
}

await main();
