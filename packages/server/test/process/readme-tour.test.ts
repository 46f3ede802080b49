/** README's tour, executed as it is written: its shell blocks against a first start of the service. */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const START_LIMIT_MS = 60_000;
const TOUR_LIMIT_MS = 60_000;

/** What the tour's calls answer, as far as this test looks. */
interface TourAnswer {
  readonly results?: {
    readonly summary: string;
    readonly chunks: readonly { readonly source_doc_id: string }[];
  };
  readonly jobs?: readonly unknown[];
  readonly total?: number;
}

const cleanUps: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

test("README's tour works as written, from the first start to the deleted project", async () => {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const printed = await startService();
  const address = /listens on (\S+)/.exec(printed)?.[1];
  assert.ok(address, "the first start prints where it listens");
  const key = /kcs_[A-Za-z0-9_-]{32,}/.exec(printed)?.[0];
  assert.ok(key, "the first start prints a key");
  assert.match(printed, /\/set-up#token=/, "the first start prints the set-up link");

  const script = tourOf(readme).replace("kcs_…", key).replace("http://127.0.0.1:8080", address);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    timeout: TOUR_LIMIT_MS,
  });
  const [answer, batch, jobs, found, upload, , bridged] = stdout
    .trim()
    .split(/(?<=\})(?=\{)|\n/)
    .map((line) => JSON.parse(line) as TourAnswer);
  assert.match(answer?.results?.summary ?? "", /3 May 1852/);
  assert.equal(answer?.results?.chunks.length, 1);
  assert.equal(batch?.jobs?.length, 2);
  assert.equal(jobs?.total, 3);
  const best = found?.results?.chunks[0];
  assert.equal(best?.source_doc_id, "lighthouse");
  assert.equal(upload?.jobs?.length, 1);
  assert.match(bridged?.results?.summary ?? "", /Kestrel Bay/);
});

/** The shell blocks of the tour, joined. */
function tourOf(readme: string): string {
  const tour = /## Five-minute tour\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
  const blocks = [...tour.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]);
  assert.ok(blocks.length >= 5, "the tour has its shell blocks");
  return blocks.join("\n");
}

/** What the service prints on its first start, once it listens. */
async function startService(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "kcs-tour-"));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const child = spawn(process.execPath, ["launcher/launch.mjs", "packages/server/src/main.ts", "serve"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      HOME: dataDir,
      KCS_DATA_DIR: dataDir,
      KCS_PORT: "0",
      KCS_DRAIN_SECONDS: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanUps.push(() => stop(child));
  let printed = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The service did not start.")), START_LIMIT_MS);
    child.on("exit", () => reject(new Error("The service ended.")));
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
      if (!/set-up#token=\S+\n/.test(printed)) return;
      clearTimeout(timer);
      resolve(printed);
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
