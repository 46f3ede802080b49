/** What must not stand in a file, or only in some. ARCHITECTURE.md says why. */
import { lineOf, type SourceFile, type SourceLayers, separate } from "./source-text.ts";
import type { Violation } from "./violation.ts";

const maxLines = 400;
const server = "packages/server/src/";

/** Members of the contract's bodies that no other vocabulary of the server has, but for the language of ontologies. */
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
  // The native runtime can be told to be silent through the environment only.
  "packages/minilm/src/silence-runtime.ts",
  "packages/cli/src/io.ts",
];

interface Rule {
  readonly message: string;
  /** Whether the rule holds for a file. */
  readonly covers: (path: string) => boolean;
  readonly searched: keyof SourceLayers;
  readonly pattern: RegExp;
}

const isTest = (path: string) => path.endsWith(".test.ts");
const inServer = (path: string) => path.startsWith(server) && !isTest(path);
const inSource = (path: string) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path);
const inFolders = (path: string, ...folders: readonly string[]) =>
  folders.some((folder) => path.startsWith(`${server}${folder}/`));
/** Files that a process or a thread starts with: they have an effect, and nothing imports them for a value. */
const isEntry = (path: string) =>
  /^packages\/(?:server|cli|dashboard)\/src\/main\.tsx?$/.test(path) || /-(?:thread|process)\.ts$/.test(path);

const namesNoWire = (path: string) =>
  inServer(path) && !inFolders(path, "http", "mcp", "adapters/database", "domain/ontology");

const rules: readonly Rule[] = [
  {
    message: "unfinished work is marked here: finish it or write it down in docs",
    covers: () => true,
    searched: "comments",
    pattern: /\b(?:TODO|FIXME|XXX)\b/g,
  },
  {
    message: "only config.ts reads the environment",
    covers: (path) => inSource(path) && !environmentReaders.includes(path),
    searched: "code",
    pattern: /\bprocess\s*\.\s*env\b/g,
  },
  {
    message: "only http/ knows HTTP statuses",
    // The statuses of a model's provider are its own.
    covers: (path) => inServer(path) && !inFolders(path, "http", "adapters/models"),
    searched: "code",
    // 400 and 500 are common numbers: they count where something named status is near.
    pattern:
      /\.(?:status|code)\(|\b(?:40[13-59]|41[35]|42[29]|50[2-4])\b|\bstatus(?:Code)?\W{1,6}[45]\d\d\b/gi,
  },
  {
    message: "names of the wire stay in the contract, in http/ and in mcp/",
    covers: namesNoWire,
    searched: "code",
    pattern: new RegExp(String.raw`\b(?:${wireNames.join("|")})\b`, "g"),
  },
  {
    message: "names of the wire stay in the contract, in http/ and in mcp/",
    covers: namesNoWire,
    searched: "codeAndStrings",
    pattern: new RegExp(String.raw`(["'])(?:${wireNames.join("|")})\1`, "g"),
  },
  {
    message: "state at module level",
    covers: inSource,
    searched: "code",
    pattern: /^(?:export\s+)?(?:let|var)\s/gm,
  },
  {
    message: "a shared collection that could be changed from outside: annotate it ReadonlyMap or ReadonlySet",
    covers: inSource,
    searched: "code",
    pattern: /^export\s+const\s+\w+\s*=\s*new\s+(?:Map|Set|WeakMap|WeakSet)\b/gm,
  },
  {
    message: "an effect on import",
    covers: (path) => inSource(path) && !isEntry(path),
    searched: "code",
    pattern:
      /^(?:await|void|if|for|while|try|switch)\b|^(?!function\b|import\b)[\w$.]+\(|^[\w$.]+\s*=[^=>]/gm,
  },
];

/** Faults in what stands in the files, other than imports. */
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
  if (!rule.covers(path)) return [];
  return [...layers[rule.searched].matchAll(rule.pattern)].map((match) => ({
    path,
    line: lineOf(text, match.index),
    message: `${rule.message} (${match[0].trim()})`,
  }));
}

/** A constant of the module whose collection the module itself changes is a variable in disguise. */
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
  if (text.startsWith("/** Made by `npm run")) return []; // Nobody reads or edits it as a source.
  const lines = text.trimEnd().split("\n").length;
  return lines <= maxLines
    ? []
    : [{ path, line: maxLines, message: `${lines} lines; the limit is ${maxLines}` }];
}
