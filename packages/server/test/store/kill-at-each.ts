/** Processes killed at each commit of a conversion, of corrections and of a reread; others continue and lose and double nothing. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, type TestContext, test } from "node:test";
import { usePostgres } from "../support/postgres.ts";

const LIMIT_MS = 14 * 60_000;
const MAX_COMMITS = 300;
/** Processes at a time. */
const LANES = 2;

interface Told {
  readonly round: string;
  readonly left: unknown;
}

interface Round {
  /** Of the round whose process was killed; empty when there is none. */
  readonly killed: string;
  readonly begun: string;
  readonly order: string;
}

async function runChild(
  { dataDir, databaseUrl, story }: { dataDir: string; databaseUrl: string; story: string },
  { killed, begun, order }: Round,
) {
  const preload = join(import.meta.dirname, "kill-preload.ts");
  const child = spawn(
    process.execPath,
    [
      "--import",
      preload,
      join(import.meta.dirname, "kill-child.ts"),
      story,
      dataDir,
      databaseUrl,
      killed,
      begun,
      order,
    ],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TEST_KILL_FILE: join(dataDir, "kill") },
    },
  );
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  assert.ok(code === 0 || signal === "SIGKILL", `ended with ${code ?? signal}`);
  const told = printed.split("\n").filter((line) => line !== "");
  return { isKilled: signal === "SIGKILL", told: told.map((line) => JSON.parse(line) as Told) };
}

/** `when`: a process is killed before or after a commit. */
export function describeKills(kind: "sqlite" | "postgres", when: "before" | "after"): void {
  const postgres = kind === "postgres" ? usePostgres() : null;
  describe(`kills on ${kind}`, () => {
    async function place(context: TestContext, story: string) {
      const dataDir = mkdtempSync(join(tmpdir(), "kcs-kills-"));
      context.after(() => rmSync(dataDir, { recursive: true, force: true }));
      return { dataDir, databaseUrl: (await postgres?.create()) ?? "", story };
    }

    /**
     * In each lane, a process ends what the one before began, then begins the same and is killed some commits later. Resolves with
     * the number of commits.
     */
    async function killAtEach(context: TestContext, story: string): Promise<number> {
      const places = await Promise.all(Array.from({ length: LANES }, () => place(context, story)));
      const lanes = places.map(async (at, lane) => {
        const never = await runChild(at, { killed: "", begun: "never", order: "" });
        const [expected] = never.told;
        assert.ok(expected !== undefined && !never.isKilled);
        let killed = "";
        for (let commit = lane + 1; commit <= MAX_COMMITS; commit += LANES) {
          const begun = String(commit);
          const { isKilled, told } = await runChild(at, { killed, begun, order: `${commit} ${when}` });
          for (const { round, left } of told)
            assert.deepEqual(left, expected.left, `killed ${when} commit ${round}`);
          assert.equal(told.length, (killed === "" ? 0 : 1) + (isKilled ? 0 : 1));
          if (!isKilled) return commit - 1;
          killed = begun;
        }
        assert.fail("The work has no end.");
      });
      return Math.min(...(await Promise.all(lanes)));
    }

    for (const [story, least] of [
      ["conversion", 20],
      ["correction", 80],
      ["reread", 15],
      ["merge outside", 10],
    ] as const) {
      test(`a ${story} that is killed at any commit is finished by the next process`, {
        timeout: LIMIT_MS,
      }, async (context) => {
        const commits = await killAtEach(context, story);
        context.diagnostic(`${commits} commits`);
        assert.ok(commits >= least, String(commits));
      });
    }
  });
}
