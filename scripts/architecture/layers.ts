/** Defines which layers and packages may import each other. ARCHITECTURE.md gives the reasons. */
import { findCircle, type Import, importsOf } from "./imports.ts";
import type { SourceFile } from "./source-text.ts";
import type { Violation } from "./violation.ts";

const server = "packages/server/src/";
const engine = [
  "engine/text",
  "engine/index",
  "engine/graph",
  "engine/ingest",
  "engine/query",
  "engine/ontology",
] as const;

/** For each layer of the server, the other layers that it may import. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ["domain"],
  rpc: ["ports", "domain"],
  "engine/text": ["ports", "domain"],
  "engine/index": ["engine/text", "ports", "domain"],
  "engine/graph": ["engine/index", "engine/text", "ports", "domain"],
  "engine/ingest": ["engine/graph", "engine/index", "engine/text", "ports", "domain"],
  "engine/query": ["engine/graph", "engine/index", "engine/text", "ports", "domain"],
  "engine/ontology": ["engine/index", "engine/text", "ports", "domain"],
  services: [...engine, "ports", "domain"],
  http: ["services", "ports", "domain"],
  mcp: ["services", "ports", "domain"],
  worker: ["services", "ports", "domain"],
  "adapters/auth": ["ports", "domain"],
  "adapters/database": ["rpc", "ports", "domain"],
  "adapters/files": ["ports", "domain"],
  "adapters/models": ["ports", "domain"],
  "adapters/ontologies": ["ports", "domain"],
  "adapters/segments": ["ports", "domain"],
  "adapters/telemetry": ["ports", "domain"],
  "adapters/webhooks": ["ports", "domain"],
};

/** These connect adapters and engine, for a process and for a thread. They may import everything. */
const unrestricted = ["composition", "threads"];

/** Modules that only some layers may import. A name that ends in `/` stands for all modules with that prefix. */
const reserved: readonly { readonly modules: readonly string[]; readonly layers: readonly string[] }[] = [
  { modules: ["kysely"], layers: ["adapters/database", "adapters/auth"] },
  { modules: ["pg", "node:sqlite"], layers: ["adapters/database"] },
  { modules: ["better-auth", "better-auth/", "@better-auth/", "better-call"], layers: ["adapters/auth"] },
  {
    modules: ["@kcs/minilm", "onnxruntime-node", "tokenizers", "ai", "@ai-sdk/", "openai", "@anthropic-ai/"],
    layers: ["adapters/models"],
  },
  {
    modules: [
      "unpdf",
      "mammoth",
      "htmlparser2",
      "yauzl",
      "csv-parse",
      "csv-parse/",
      "postal-mime",
      "chardet",
    ],
    layers: ["adapters/files"],
  },
  { modules: ["aws4fetch"], layers: ["adapters/segments"] },
  { modules: ["n3", "rdfxml-streaming-parser", "yaml"], layers: ["adapters/ontologies"] },
  { modules: ["fastify", "@fastify/"], layers: ["http", "composition"] },
  { modules: ["@modelcontextprotocol/"], layers: ["mcp"] },
  { modules: ["@kcs/contract", "@kcs/contract/"], layers: ["http", "mcp"] },
  {
    modules: ["node:http", "node:https"],
    layers: ["http", "composition", "adapters/models", "adapters/webhooks"],
  },
  { modules: ["pino", "prom-client"], layers: ["composition"] },
];

/** What the other packages may import from npm and from this repository. All of them may import Node's modules. */
const packageMayUse: Readonly<Record<string, readonly string[]>> = {
  "packages/contract": ["zod"],
  "packages/minilm": [],
  "packages/sdk": ["@kcs/contract"],
  "packages/cli": ["@kcs/sdk"],
};

/** Forbidden imports and import cycles. Tests may import everything, but must not be part of a cycle. */
export function checkImports(files: readonly SourceFile[]): readonly Violation[] {
  const imports = files.flatMap(importsOf);
  const circle = findCircle(imports.filter(({ isRelative }) => isRelative));
  const circles =
    circle === null ? [] : [{ path: circle[0] ?? "", line: 1, message: `circle: ${circle.join(" → ")}` }];
  const faults = imports
    .filter(({ from }) => !from.endsWith(".test.ts"))
    .flatMap((item) => {
      const message = faultOf(item);
      return message === null ? [] : [{ path: item.from, line: item.line, message }];
    });
  return [...circles, ...faults];
}

function faultOf(item: Import): string | null {
  return item.from.startsWith(server) ? faultInServer(item) : faultOutside(item);
}

function faultInServer({ from, target, isRelative }: Import): string | null {
  const layer = layerOf(from);
  if (!unrestricted.includes(layer) && mayUse[layer] === undefined) return `the folder ${layer} is no layer`;
  if (!isRelative) return faultOfModule(layer, target);
  if (!target.startsWith(server)) return `leaves the package: ${target}`;
  const used = layerOf(target);
  if (unrestricted.includes(layer) || used === layer) return null;
  return mayUse[layer]?.includes(used) ? null : `${layer} must not import ${used}`;
}

function faultOfModule(layer: string, name: string): string | null {
  if (layer === "domain" || layer === "ports") return `${layer} must not import ${name}`;
  const rule = reserved.find(({ modules }) => modules.some((module) => isNamed(name, module)));
  return rule === undefined || rule.layers.includes(layer) ? null : `${layer} must not import ${name}`;
}

function isNamed(name: string, module: string): boolean {
  return name === module || (module.endsWith("/") && name.startsWith(module));
}

function faultOutside({ from, target, isRelative }: Import): string | null {
  const home = homeOf(from);
  // Benchmarks also measure parts of the service; the learning programs of the evals use its own text processing.
  if (home === "bench" || /^evals\/[^/]+\//.test(from)) return null;
  if (isRelative) return homeOf(target) === home ? null : `${home} must not import ${target}`;
  const allowed = packageMayUse[home];
  if (target.startsWith("node:") || allowed === undefined) return null;
  return allowed.includes(target) ? null : `${home} must not import ${target}`;
}

/** The folder with the package.json to which a file belongs, such as `packages/minilm` or `evals`. */
function homeOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "packages" ? `${first}/${second}` : first;
}

/** The layer of a server file. A file directly in `src` belongs to the composition. */
function layerOf(path: string): string {
  const folders = path.slice(server.length).split("/").slice(0, -1);
  const [first, second] = folders;
  if (first === undefined) return "composition";
  return (first === "engine" || first === "adapters") && second !== undefined ? `${first}/${second}` : first;
}
