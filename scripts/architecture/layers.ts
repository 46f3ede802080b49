/** Who may import whom. ARCHITECTURE.md says why. */
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

/** The layers of the server and the layers below that each may use besides itself. */
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
  "adapters/models": ["ports", "domain"],
  "adapters/webhooks": ["ports", "domain"],
};

/** Join adapters and engine, the one for a process, the other for a thread: they may use everything. */
const joining = ["composition", "threads"];

/** Modules that only some places may use. A name that ends in `/` or `-` stands for all that begin so. */
const reserved: readonly { readonly modules: readonly string[]; readonly places: readonly string[] }[] = [
  { modules: ["kysely"], places: ["adapters/database", "adapters/auth"] },
  { modules: ["pg", "node:sqlite"], places: ["adapters/database"] },
  { modules: ["better-auth", "better-auth/", "@better-auth/", "better-call"], places: ["adapters/auth"] },
  { modules: ["@kcs/minilm", "ai", "@ai-sdk/", "openai", "@anthropic-ai/"], places: ["adapters/models"] },
  { modules: ["fastify", "@fastify/"], places: ["http", "composition"] },
  { modules: ["@modelcontextprotocol/"], places: ["mcp"] },
  { modules: ["@kcs/contract", "@kcs/contract/"], places: ["http", "mcp"] },
  {
    modules: ["node:http", "node:https"],
    places: ["http", "composition", "adapters/models", "adapters/webhooks"],
  },
  { modules: ["pino", "prom-client"], places: ["composition"] },
];

/** What the other packages may use of npm and of this repository; Node's own modules are free to all of them. */
const packageMayUse: Readonly<Record<string, readonly string[]>> = {
  "packages/contract": ["zod"],
  "packages/minilm": ["onnxruntime-node"],
  "packages/sdk": ["@kcs/contract"],
  "packages/cli": ["@kcs/sdk"],
};

/** Faults in what the files import, the circles among them. Tests are free, except of circles. */
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
  if (!joining.includes(layer) && mayUse[layer] === undefined) return `the folder ${layer} is no layer`;
  if (!isRelative) return faultOfModule(layer, target);
  if (!target.startsWith(server)) return `leaves the package: ${target}`;
  const used = layerOf(target);
  if (joining.includes(layer) || used === layer) return null;
  return mayUse[layer]?.includes(used) ? null : `${layer} must not import ${used}`;
}

function faultOfModule(layer: string, name: string): string | null {
  if (layer === "domain" || layer === "ports") return `${layer} must not import ${name}`;
  const rule = reserved.find(({ modules }) => modules.some((module) => isNamed(name, module)));
  return rule === undefined || rule.places.includes(layer) ? null : `${layer} must not import ${name}`;
}

function isNamed(name: string, module: string): boolean {
  return name === module || (module.endsWith("/") && name.startsWith(module));
}

function faultOutside({ from, target, isRelative }: Import): string | null {
  const home = homeOf(from);
  // Speed is measured inside the service too, against its parts; weights are learned on what the service itself reads.
  if (home === "bench" || /^evals\/[^/]+\//.test(from)) return null;
  if (isRelative) return homeOf(target) === home ? null : `${home} must not import ${target}`;
  const allowed = packageMayUse[home];
  if (target.startsWith("node:") || allowed === undefined) return null;
  return allowed.includes(target) ? null : `${home} must not import ${target}`;
}

/** `packages/minilm` or `evals`: the folder with the package.json that a file belongs to. */
function homeOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "packages" ? `${first}/${second}` : first;
}

/** The layer of a file of the server; a file directly in `src` belongs to the composition. */
function layerOf(path: string): string {
  const folders = path.slice(server.length).split("/").slice(0, -1);
  const [first, second] = folders;
  if (first === undefined) return "composition";
  return (first === "engine" || first === "adapters") && second !== undefined ? `${first}/${second}` : first;
}
