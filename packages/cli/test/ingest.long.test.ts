import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createClient } from "@kcs/sdk";
import { sqlite, withHome, withService } from "../../server/test/support/service.ts";
import { moveIn } from "./move-in.ts";
import { makeFolder, runCli } from "./run-cli.ts";

const DOCUMENTS = 60;
const BATCH = 10;
/** So many batches are taken at once; the next one waits for a minute. */
const TAKEN = 3;
const LIMITED = { KCS_INGEST_PER_MINUTE: String(TAKEN) };

const nameOf = (at: number) => `log/${String(at).padStart(3, "0")}.${at % 2 === 0 ? "md" : "txt"}`;

async function makeDocuments(): Promise<string> {
  const folder = await makeFolder();
  await mkdir(join(folder, "log"));
  for (let at = 0; at < DOCUMENTS; at++) {
    await writeFile(join(folder, nameOf(at)), `Entry ${at}\n\nThe ferry carried ${at} crates to the quay.`);
  }
  await writeFile(join(folder, "picture.png"), "no text");
  return folder;
}

describe("kcs ingest", () => {
  test("goes on where a killed run was, and sends no document twice", { timeout: 240_000 }, async () => {
    await withHome(sqlite, async (home) => {
      const folder = await makeDocuments();
      const state = join(await makeFolder(), "state.jsonl");
      const args = ["ingest", folder, "--batch-size", String(BATCH), "--state", state];
      const projectId = await withService({ home, env: LIMITED }, async (service) => {
        const { env, projectId } = await moveIn(service);
        await killWhenWaiting(args, env);
        return projectId;
      });
      const [, ...lines] = (await readFile(state, "utf8")).trim().split("\n"); // The first one names the project.
      // Without those that were sent and not answered.
      const accepted = lines.filter((line) => JSON.parse(line)[2] !== "");
      assert.equal(new Set(accepted.map((line) => JSON.parse(line)[0])).size, TAKEN * BATCH);
      // As a kill in the middle of a write leaves it.
      await writeFile(state, `${lines.join("\n")}\n["log/0`);

      await withService({ home }, async ({ baseUrl }) => {
        const env = { HOME: folder, KCS_URL: baseUrl, KCS_KEY: home.ownerKey, KCS_PROJECT: projectId };
        const { code, out, err } = await runCli(args, { env });
        assert.equal(code, 0, err);
        const [, completed, unchanged] =
          /^(\d+) completed, (\d+) unchanged, 0 skipped, 0 failed\n$/.exec(out) ?? [];
        assert.equal(Number(completed) + Number(unchanged), DOCUMENTS, out);
        const client = createClient({ baseUrl, apiKey: home.ownerKey });
        const jobs = await Array.fromAsync(client.jobs.each(projectId));
        assert.deepEqual(
          jobs.map((job) => job.source_doc_id).sort(),
          Array.from({ length: DOCUMENTS }, (_, at) => nameOf(at)),
        );
        assert.ok(jobs.every((job) => job.status === "completed"));

        const again = await runCli(args, { env });
        assert.equal(again.out, `0 completed, ${DOCUMENTS} unchanged, 0 skipped, 0 failed\n`);
        await writeFile(join(folder, nameOf(7)), "The ferry sank.");
        const changed = await runCli(args, { env });
        assert.equal(changed.out, `1 completed, ${DOCUMENTS - 1} unchanged, 0 skipped, 0 failed\n`);
      });
    });
  });

  test("ends with 130 when it is interrupted, and says how to go on", async () => {
    await withHome(sqlite, (home) =>
      withService({ home, env: LIMITED }, async (service) => {
        const { env } = await moveIn(service);
        const child = launch(["ingest", await makeDocuments(), "--batch-size", String(BATCH)], env);
        const { code, said } = await endWhenWaiting(child, "SIGINT");
        assert.equal(code, 130, said);
        assert.match(said, /Rate limit exceeded\. Try again in 60 seconds\. Trying again in \d+ s\./);
        assert.match(said, /Run the same command again to resume/);
      }),
    );
  });

  test("sends what is sound, names what is not, and ends with 5", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { client, env, projectId } = await moveIn(service);
        const folder = await makeFolder();
        await writeFile(join(folder, "good.md"), "A lamp was lit.");
        await writeFile(join(folder, "page.html"), "A bell was rung.");
        await writeFile(join(folder, "scan.pdf"), Buffer.from("%PDF-1.4\xff\xff\0", "latin1"));
        await writeFile(join(folder, "empty.txt"), " \n");
        await writeFile(join(folder, "huge.txt"), "");
        await truncate(join(folder, "huge.txt"), 64 * 1024 * 1024 + 1);
        const latin = "Der Pegel in Süderhöft wird täglich um zwölf Uhr geprüft.";
        await writeFile(join(folder, "latin.txt"), Buffer.from(latin, "latin1"));
        const lines = [
          { _id: "a", title: "Tides", text: "High water at nine.", metadata: { port: "Orrin" } },
          { source_doc_id: "b", text: "High water at ten.", metadata: { deep: { no: 1 } } },
          { id: 7, text: "x" },
          { text: "nobody" },
        ];
        const jsonl = lines.map((line) => JSON.stringify(line)).join("\n");
        await writeFile(join(folder, "lines.jsonl"), `${jsonl}\r\n{oops\n`);
        const { code, out, err } = await runCli(["ingest", folder, "--prefix", "x/"], { env });
        assert.equal(code, 5, err);
        assert.equal(out, "5 completed, 0 unchanged, 4 skipped, 2 failed\n");
        assert.match(err, /failed: x\/scan\.pdf: /);
        const page = await client.documents.get(projectId, "x/page.html");
        assert.equal(page.file?.name, "page.html");
        assert.match(err, /skipped: x\/empty\.txt is empty/);
        assert.match(err, /skipped: x\/huge\.txt is larger than 64 MiB/);
        assert.equal((await client.documents.get(projectId, "x/latin.txt")).text, latin);
        assert.match(err, /skipped: lines\.jsonl:4 has no id/);
        assert.match(err, /skipped: lines\.jsonl:5 is not JSON/);
        assert.match(err, /failed: x\/b: (documents\[\d\]\.)?metadata\.deep: got an object/);
        const { results } = await client.query(projectId, { query: "Tides", include: ["provenance"] });
        const tides = results.chunks.find((chunk) => chunk.source_doc_id === "x/a");
        assert.match(tides?.text ?? "", /High water at nine/);
      }),
    );
  });

  test("takes globs and refuses what it cannot tell apart or find", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { env } = await moveIn(service);
        const folder = await makeFolder();
        await mkdir(join(folder, "a"));
        for (const name of ["a/x.md", "x.md"]) await writeFile(join(folder, name), `A text in ${name}.`);
        const dry = await runCli(["ingest", join(folder, "**/*.md"), "--dry-run"], { env });
        assert.equal(dry.out.trim().split("\n").length, 2);
        const twice = await runCli(["ingest", join(folder, "x.md"), join(folder, "a")], { env });
        assert.deepEqual([twice.code, /two documents have the id x\.md/.test(twice.err)], [2, true]);
        assert.equal((await runCli(["ingest", join(folder, "none")], { env })).code, 2);
        assert.match((await runCli(["ingest", join(folder, "*.rtf")], { env })).err, /no file matches/);
        assert.match((await runCli(["ingest", "/dev/null"], { env })).err, /neither a file nor a folder/);
        assert.equal((await runCli(["ingest", folder, "-p", "prj_none"], { env })).code, 4);
      }),
    );
  });

  test("stops without a word when the reader of its output has gone", async () => {
    await withHome(sqlite, (home) =>
      withService({ home }, async (service) => {
        const { env } = await moveIn(service);
        const child = launch(["projects", "list", "--json"], env);
        child.stdout.destroy();
        const { code, said } = await endOf(child);
        assert.deepEqual([code, said], [0, ""]);
      }),
    );
  });
});

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** The command in a process of its own. */
function launch(args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [MAIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}

type Child = ReturnType<typeof launch>;

async function endOf(child: Child, onWord: (said: string) => void = () => undefined) {
  let said = "";
  child.stderr.on("data", (part: Buffer) => {
    said += part.toString();
    onWord(said);
  });
  child.stdout.resume();
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, said };
}

/** Sends a signal when the service has the command wait. */
function endWhenWaiting(child: Child, signal: NodeJS.Signals) {
  return endOf(child, (said) => {
    if (said.includes("Trying again in") && !child.killed) child.kill(signal);
  });
}

async function killWhenWaiting(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { signal, said } = await endWhenWaiting(launch(args, env), "SIGKILL");
  assert.equal(signal, "SIGKILL", said);
}
