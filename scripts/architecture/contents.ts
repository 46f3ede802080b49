/** Forbids certain contents in all files or outside certain folders. ARCHITECTURE.md gives the reasons. */
import { lineOf, type SourceFile, type SourceLayers, separate } from "./source-text.ts";
import type { Violation } from "./violation.ts";

const maxLines = 400;
const server = "packages/server/src/";

/** Member names that belong to the contract only. Ontology schemas share some of them. */
const wireNames = [
  "project_id",
  "ontology_id",
  "source_doc_id",
  "job_id",
  "chunk_id",
  "error_message",
  "chunks_processed",
  "nodes_created",
  "edges_created",
  "strategy_used",
  "created_at",
  "started_at",
  "completed_at",
  "edge_types",
  "use_case",
  "top_k",
];

const environmentReaders = [
  `${server}config.ts`,
  `${server}process-environment.ts`,
  // Only an environment variable can disable the telemetry of the native runtime.
  `${server}adapters/models/runtime/silence-runtime.ts`,
  "packages/cli/src/io.ts",
];

interface Rule {
  readonly message: string;
  /** Whether the rule applies to a file. */
  readonly appliesTo: (path: string) => boolean;
  readonly searched: keyof SourceLayers;
  readonly pattern: RegExp;
}

const isTest = (path: string) => path.endsWith(".test.ts");
const inServer = (path: string) => path.startsWith(server) && !isTest(path);
const inSource = (path: string) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path);
const inFolders = (path: string, ...folders: readonly string[]) =>
  folders.some((folder) => path.startsWith(`${server}${folder}/`));
/** Entry files of a process or a thread: they may have effects on import, and no other file imports a value from them. */
const isEntry = (path: string) =>
  /^packages\/(?:server|cli|dashboard)\/src\/main\.tsx?$/.test(path) || /-(?:thread|process)\.ts$/.test(path);

const mustNotUseWireNames = (path: string) =>
  inServer(path) && !inFolders(path, "http", "mcp", "adapters/database", "domain/ontology");

const rules: readonly Rule[] = [
  {
    message: "a marker of unfinished work: finish the work or describe it in docs",
    appliesTo: () => true,
    searched: "comments",
    pattern: /\b(?:TODO|FIXME|XXX)\b/g,
  },
  {
    message: "only config.ts and process-environment.ts read the environment",
    appliesTo: (path) => inSource(path) && !environmentReaders.includes(path),
    searched: "code",
    pattern: /\bprocess\s*\.\s*env\b/g,
  },
  {
    message: "only http/ knows HTTP statuses",
    // These adapters handle the statuses of model providers, of collectors and of buckets.
    appliesTo: (path) =>
      inServer(path) &&
      !inFolders(path, "http", "adapters/models", "adapters/segments", "adapters/telemetry"),
    searched: "code",
    // 400 and 500 are common numbers: they match only next to something named status.
    pattern:
      /\.(?:status|code)\(|\b(?:40[13-59]|41[35]|42[29]|50[2-4])\b|\bstatus(?:Code)?\W{1,6}[45]\d\d\b/gi,
  },
  {
    message: "names of the wire stay in the contract, in http/ and in mcp/",
    appliesTo: mustNotUseWireNames,
    searched: "code",
    pattern: new RegExp(String.raw`\b(?:${wireNames.join("|")})\b`, "g"),
  },
  {
    message: "names of the wire stay in the contract, in http/ and in mcp/",
    appliesTo: mustNotUseWireNames,
    searched: "codeAndStrings",
    pattern: new RegExp(String.raw`(["'])(?:${wireNames.join("|")})\1`, "g"),
  },
  {
    message: "state at module level",
    appliesTo: inSource,
    searched: "code",
    pattern: /^(?:export\s+)?(?:let|var)\s/gm,
  },
  {
    message: "a shared collection that could be changed from outside: annotate it ReadonlyMap or ReadonlySet",
    appliesTo: inSource,
    searched: "code",
    pattern: /^export\s+const\s+\w+\s*=\s*new\s+(?:Map|Set|WeakMap|WeakSet)\b/gm,
  },
  {
    message: "an effect on import",
    appliesTo: (path) => inSource(path) && !isEntry(path),
    searched: "code",
    pattern:
      /^(?:await|void|if|for|while|try|switch)\b|^(?!function\b|import\b)[\w$.]+\(|^[\w$.]+\s*=[^=>]/gm,
  },
];

/** Violations in the contents of files, other than imports. */
export function checkContents(files: readonly SourceFile[]): readonly Violation[] {
  return files.flatMap((file) => {
    const layers = separate(file.text);
    return [
      ...rules.flatMap((rule) => applyRule(rule, file, layers)),
      ...findChanges(file, layers),
      ...tooLong(file),
    ];
  });
}

function applyRule(rule: Rule, { path, text }: SourceFile, layers: SourceLayers): readonly Violation[] {
  if (!rule.appliesTo(path)) return [];
  return [...layers[rule.searched].matchAll(rule.pattern)].map((match) => ({
    path,
    line: lineOf(text, match.index),
    message: `${rule.message} (${match[0].trim()})`,
  }));
}

/** A module constant with a collection that the module changes counts as state. */
function findChanges({ path, text }: SourceFile, { code }: SourceLayers): readonly Violation[] {
  if (!inSource(path)) return [];
  const changing = "set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill";
  const names = [...code.matchAll(/^(?:export\s+)?const\s+(\w+)[^=\n]*=\s*(?:new\s+\w+|\[|\{)/gm)].map(
    (match) => match[1],
  );
  return names.flatMap((name) => {
    const change = new RegExp(
      String.raw`(?<![\w$.])${name}(?:\.(?:${changing})\(|(?:\.\w+|\[[^\]\n]*\])+\s*(?:[-+*/|&^]?=[^=>]|\+\+|--))`,
      "g",
    );
    return [...code.matchAll(change)].map((match) => ({
      path,
      line: lineOf(text, match.index),
      message: `state at module level: ${name} is changed`,
    }));
  });
}

function tooLong({ path, text }: SourceFile): readonly Violation[] {
  if (text.startsWith("/** Made by `npm run")) return []; // Generated files may be longer.
  const lines = text.trimEnd().split("\n").length;
  return lines <= maxLines
    ? []
    : [{ path, line: maxLines, message: `${lines} lines; the limit is ${maxLines}` }];
}
