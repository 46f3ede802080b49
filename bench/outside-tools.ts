/**
 * Starts the service and runs tools of others against it: clients, readers, linters and a fuzzer.
 *
 *   npm run outside-tools [-- RESULT.md] [--only pandas,rdflib]
 *
 * Each tool is installed below `node_modules/.cache` if it can be had (Python's need `python3` with pip). The result names
 * each tool that cannot. Exits with 1 when a tool finds a fault.
 */
import { appendFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { createApi, ingestAll } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { install, scratchFolder } from "./outside-tools/install.ts";
import type { Target, Tool } from "./outside-tools/tool.ts";
import { tools } from "./outside-tools/tools.ts";

interface Outcome {
  readonly tool: Tool;
  readonly kind: "passed" | "fault" | "missing";
  readonly text: string;
}

const KEPT_REQUESTS = 500;

const TEXT = `Nordvik Robotics

Nordvik Robotics is a German company founded in 1987 by Maria Gonzalez. It is headquartered in Hamburg.
Maria Gonzalez was born in Porto in 1951.`;

const edge = (name: string, source: string, target: string) => ({
  name,
  source_types: [source],
  target_types: [target],
  temporal: true,
});

/** Reads from TEXT two relationships with a year and one without. */
const SCHEMA = {
  ontology: {
    hierarchy: [{ level: 0, node_types: { Person: {}, Company: {}, City: {} } }],
    edge_types: [
      edge("FOUNDED_BY", "Company", "Person"),
      edge("BORN_IN", "Person", "City"),
      edge("HEADQUARTERED_IN", "Company", "City"),
    ],
  },
};

type Asked = StartedService & Pick<Target, "telemetry">;

async function createTarget({ baseUrl, key, telemetry }: Asked): Promise<Target> {
  const api = createApi(baseUrl, key);
  const ontology = await api.request<{ id: string }>("POST", "/ontologies", {
    name: "Firms",
    schema: SCHEMA,
  });
  const body = { name: "Firms", ontology_id: ontology.id };
  const { project_id: projectId } = await api.request<{ project_id: string }>("POST", "/projects", body);
  await ingestAll(api, projectId, [{ text: TEXT, source_doc_id: "nordvik" }]);
  return { baseUrl, key, projectId, telemetry };
}

/** With a project of its own. */
async function tryTool(tool: Tool, service: Asked): Promise<Outcome> {
  const reason = tool.from === "included" ? null : await install(tool);
  if (reason !== null) return { tool, kind: "missing", text: reason };
  try {
    return { tool, kind: "passed", text: await tool.run(await createTarget(service)) };
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    process.stderr.write(`${message}\n${stdout}${stderr}\n`);
    const lines = (stderr || stdout || message).trim().split("\n");
    return { tool, kind: "fault", text: lines.at(-1) ?? message };
  }
}

async function tryAll(chosen: readonly Tool[]): Promise<readonly Outcome[]> {
  const collector = await startCollector();
  const service = await startService({
    env: {
      ...{ KCS_INGEST_PER_MINUTE: "0", KCS_WEBHOOK_PRIVATE: "allow", KCS_LOG_LEVEL: "error" },
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    },
  });
  const outcomes: Outcome[] = [];
  try {
    for (const tool of chosen) {
      const outcome = await tryTool(tool, { ...service, telemetry: collector.file });
      process.stdout.write(`${tool.name} ${tool.version}: ${outcome.kind}: ${outcome.text}\n`);
      outcomes.push(outcome);
    }
  } finally {
    await service.stop();
    collector.close();
  }
  return outcomes;
}

/** Takes all telemetry, and keeps its first requests in a file: a fuzzer's would fill the disk. */
async function startCollector() {
  const file = join(scratchFolder("telemetry"), "telemetry.jsonl");
  await writeFile(file, "");
  let kept = 0;
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await text(request));
    if (kept++ < KEPT_REQUESTS) await appendFile(file, `${JSON.stringify({ path: request.url, body })}\n`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return { file, endpoint: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

function tableOf(outcomes: readonly Outcome[]): string {
  const verdict = { passed: "", fault: "**Fault:** ", missing: "Not available here: " };
  const rows = outcomes.map(({ tool, kind, text }) =>
    ["", tool.name, tool.version, tool.tries, verdict[kind] + text.replaceAll("|", "\\|"), ""]
      .join(" | ")
      .trim(),
  );
  return ["| Tool | Version | What it tries | What it finds |", "|---|---|---|---|", ...rows].join("\n");
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { only: { type: "string" } },
  });
  const only = values.only?.split(",");
  const outcomes = await tryAll(tools.filter(({ name }) => only?.includes(name) ?? true));
  const made = `Made by \`npm run outside-tools\` on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}.`;
  const page = `# Tools of others\n\n${made}\n\n${tableOf(outcomes)}\n`;
  const [file] = positionals;
  if (file !== undefined) await writeFile(file, page);
  if (outcomes.some(({ kind }) => kind === "fault")) process.exitCode = 1;
}

await main();
