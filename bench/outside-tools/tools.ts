/** The tools, what each tries, and how it is run. */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { goCommand, npmCommand, pythonCommand, scratchFolder } from "./install.ts";
import type { Target, Tool } from "./tool.ts";

const execute = promisify(execFile);
const here = import.meta.dirname;
const repository = resolve(here, "../..");

export const tools: readonly Tool[] = [
  {
    name: "@redocly/cli",
    from: "npm",
    version: "2.77.0",
    tries: "`redocly lint` of the OpenAPI document by the recommended rules",
    async run(target) {
      await lint("redocly", ["lint", await documentOf(target), "--max-problems", "5"]);
      return "no error, no warning";
    },
  },
  {
    name: "@stoplight/spectral-cli",
    from: "npm",
    version: "6.16.3",
    tries: "`spectral lint` of the OpenAPI document by `spectral:oas`",
    async run(target) {
      const rules = ["--ruleset", join(here, "spectral.yaml"), "--fail-severity", "hint"];
      await lint("spectral", ["lint", await documentOf(target), ...rules]);
      return "no finding but two of one rule that takes the member `example` of an example for a keyword (switched off there)";
    },
  },
  {
    name: "openapi-typescript",
    from: "included",
    version: "7.13.0",
    tries: "types from the OpenAPI document; a program that builds and reads an ontology, in strict tsc",
    async run() {
      const file = join(repository, "packages/contract/src/openapi/typed-client.long.test.ts");
      await execute(process.execPath, ["--test", file]);
      return "compiles; four wrong programs do not";
    },
  },
  {
    name: "openapi-python-client",
    from: "python",
    version: "0.29.1",
    tries: "a client from the OpenAPI document with warnings as errors, which builds and reads an ontology",
    run: runPythonClient,
  },
  python("mcp", "2.3.0", {
    script: "call_tools.py",
    tries: "tools, a question, ingestion with progress and a tool's error, in both revisions of the protocol",
  }),
  python("prometheus_client", "0.26.0", {
    script: "read_metrics.py",
    tries: "parsing `/metrics`, and its names",
  }),
  python("opentelemetry-proto", "1.44.0", {
    script: "read_telemetry.py",
    tries:
      "parsing traces and metrics sent by OTLP as its messages, strictly; ids, times and parents of spans",
  }),
  python("standardwebhooks", "1.1.0", {
    script: "receive_webhook.py",
    tries: "verifying a delivered test message",
  }),
  python("httpx-sse", "0.4.3", {
    needs: ["httpx==0.28.1"],
    script: "read_events.py",
    tries: "both event streams, from their start, over a heartbeat, to the end of a job and resumed by an id",
  }),
  python("networkx", "3.6.1", { script: "read_graphml.py", tries: "reading the GraphML export" }),
  python("rdflib", "7.6.0", { script: "read_jsonld.py", tries: "reading the JSON-LD export" }),
  python("pandas", "3.1.1", {
    script: "read_csv.py",
    tries: "reading the CSV exports as `docs/api.md` says",
  }),
  {
    name: "helm.sh/helm/v3/cmd/helm",
    from: "go",
    version: "v3.19.5",
    tries:
      "`helm lint --strict` of the chart, and `helm template` of it with the defaults and with every option",
    run: runHelm,
  },
  // Last, because it stores and deletes at random.
  {
    name: "schemathesis",
    from: "python",
    version: "4.32.5",
    tries: "all checks in all phases (examples, coverage, fuzzing, stateful) on every operation",
    run: runSchemathesis,
  },
];

function python(
  name: string,
  version: string,
  { script, ...rest }: { script: string; tries: string; needs?: readonly string[] },
): Tool {
  return {
    name,
    from: "python",
    version,
    ...rest,
    run: (target) => runScript(script, environmentOf(target)),
  };
}

function environmentOf({ baseUrl, key, projectId, telemetry }: Target): NodeJS.ProcessEnv {
  const own = { KCS_URL: baseUrl, KCS_KEY: key, KCS_PROJECT: projectId, KCS_TELEMETRY: telemetry };
  return { ...process.env, ...own };
}

/** Every check asserts what it expects, and prints what it has found. */
async function runScript(name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await execute(pythonCommand("python"), [join(here, name)], { env });
  return stdout.trim();
}

async function documentOf({ baseUrl }: Target): Promise<string> {
  const file = join(scratchFolder("document"), "openapi.json");
  await writeFile(file, await (await fetch(`${baseUrl}/openapi.json`)).text());
  return file;
}

async function lint(command: string, args: readonly string[]): Promise<void> {
  const { stdout, stderr } = await execute(process.execPath, [npmCommand(command), ...args]);
  const text = stdout + stderr;
  if (/\b[1-9]\d* (?:warning|problem)s?\b/.test(text)) throw new Error(text);
}

/** A command that is built from its modules knows of no newer one than 1.20 by itself. */
const KUBERNETES = "1.33.0";
const EVERY_OPTION = [
  ...["api.autoscaling.enabled", "worker.autoscaling.enabled", "ingress.enabled", "podMonitor.enabled"].map(
    (name) => `${name}=true`,
  ),
  ...["ingress.className=nginx", "ingress.tlsSecret=certificate", "image.tag=1.2.3"],
].flatMap((option) => ["--set", option]);

async function runHelm(): Promise<string> {
  const chart = join(repository, "deploy/helm/knowledge-context-service");
  const helm = async (...args: readonly string[]) => (await execute(goCommand("helm"), args)).stdout;
  const rendered: string[] = [];
  for (const options of [[], EVERY_OPTION]) {
    const rules = [chart, "--kube-version", KUBERNETES, ...options];
    await helm("lint", "--strict", ...rules);
    const kinds = [...(await helm("template", "kcs", ...rules)).matchAll(/^kind: (\w+)$/gm)];
    if (kinds.length === 0) throw new Error("The chart renders nothing.");
    rendered.push(`${kinds.length} objects (${[...new Set(kinds.map(([, kind]) => kind))].join(", ")})`);
  }
  return `no fault of the rules; ${rendered[0]}; with every option ${rendered[1]}`;
}

async function runPythonClient(target: Target): Promise<string> {
  const folder = scratchFolder("client");
  const name = "knowledge_context_service_client";
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify({ package_name_override: name, post_hooks: [] }));
  await execute(pythonCommand("openapi-python-client"), [
    ...["generate", "--path", await documentOf(target), "--config", config, "--fail-on-warning"],
    ...["--meta", "none", "--overwrite", "--output-path", join(folder, name)],
  ]);
  return runScript("build_ontology.py", { ...environmentOf(target), KCS_CLIENT: folder });
}

interface SchemathesisReport {
  readonly complete: boolean;
  readonly operations: { readonly tested: number };
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly {
    readonly title: string;
    readonly count: number;
    readonly operations: readonly string[];
  }[];
}

/** The output, with a command for each failure that repeats it, is kept in the cache. */
async function runSchemathesis(target: Target): Promise<string> {
  const folder = scratchFolder("schemathesis");
  const report = join(folder, "report.json");
  await rm(report, { force: true });
  const { stdout, stderr } = await execute(
    pythonCommand("schemathesis"),
    [
      ...["--config-file", join(here, "schemathesis.toml")],
      ...["run", await documentOf(target), "--url", target.baseUrl],
      ...["--header", `Authorization: Bearer ${target.key}`],
      ...["--checks", "all", "--max-examples", "25", "--seed", "20310505"],
      ...["--report", "json", "--report-json-path", report],
    ],
    { cwd: folder, env: environmentOf(target), maxBuffer: 2 ** 28 },
  ).catch((error: { stdout: string; stderr: string }) => error); // It exits with 1 when it has found something.
  await writeFile(join(folder, "output.txt"), stdout + stderr);
  const read = JSON.parse(await readFile(report, "utf8")) as SchemathesisReport;
  const found = read.failures.map(
    ({ title, count, operations }) => `${title} (${count}): ${operations.join(", ")}`,
  );
  const { complete, operations, test_cases: cases } = read;
  if (found.length > 0 || !complete)
    throw new Error([...found, complete ? "" : "the run is incomplete"].join("; "));
  return `${cases.generated} requests to ${operations.tested} operations, no failure`;
}
