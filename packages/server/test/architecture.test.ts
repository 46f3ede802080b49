/** Holds the sources to the invariants of ARCHITECTURE.md. */
import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { test } from "node:test";
import { checkContents } from "../../../scripts/architecture/contents.ts";
import { checkImports } from "../../../scripts/architecture/layers.ts";
import type { SourceFile } from "../../../scripts/architecture/source-text.ts";
import type { Violation } from "../../../scripts/architecture/violation.ts";

const root = join(import.meta.dirname, "../../..");
const sources = ["packages/*/src/**/*.{ts,tsx}", "{evals,bench,scripts}/**/*.ts"];

async function readSources(): Promise<readonly SourceFile[]> {
  const exclude = (name: string) => /(^|[\\/])(node_modules|dist)$/.test(name);
  const paths = await Array.fromAsync(glob(sources, { cwd: root, exclude }));
  return Promise.all(
    paths.sort().map(async (path) => ({
      path: path.replaceAll(sep, "/"),
      text: await readFile(join(root, path), "utf8"),
    })),
  );
}

function list(violations: readonly Violation[]): string {
  return violations.map(({ path, line, message }) => `${path}:${line} ${message}`).join("\n");
}

test("imports point downward only and in no circles", async () => {
  const files = await readSources();
  assert.ok(files.some(({ path }) => path === "packages/server/src/main.ts"));
  assert.equal(list(checkImports(files)), "");
});

test("environment, statuses, wire names and module state stay where they belong", async () => {
  assert.equal(list(checkContents(await readSources())), "");
});

const src = "packages/server/src";

/** One file each with one fault, and a part of the message that has to be reported. */
const planted: readonly (readonly [path: string, text: string, message: RegExp])[] = [
  [`${src}/domain/a.ts`, 'import { x } from "../ports/x.ts";', /domain must not import ports/],
  [`${src}/domain/a.ts`, 'import { join } from "node:path";', /domain must not import node:path/],
  [`${src}/ports/a.ts`, 'import type { X } from "zod";', /ports must not import zod/],
  [
    `${src}/engine/text/a.ts`,
    'import { x } from "../index/x.ts";',
    /engine\/text must not import engine\/index/,
  ],
  [`${src}/engine/ingest/a.ts`, 'import { x } from "../query/x.ts";', /ingest must not import engine\/query/],
  [
    `${src}/engine/query/a.ts`,
    'export { x } from "../ontology/x.ts";',
    /query must not import engine\/ontology/,
  ],
  [`${src}/engine/query/a.ts`, 'import { x } from "../../services/x.ts";', /query must not import services/],
  [`${src}/services/a.ts`, 'import type { X } from "../adapters/database/x.ts";', /must not import adapters/],
  [`${src}/services/a.ts`, 'import { x } from "@kcs/contract";', /services must not import @kcs\/contract/],
  [`${src}/http/routes/a.ts`, 'import {\n  x,\n} from "../../worker/x.ts";', /http must not import worker/],
  [`${src}/worker/a.ts`, 'const x = await import("../http/x.ts");', /worker must not import http/],
  [
    `${src}/adapters/auth/a.ts`,
    'import { x } from "../../engine/text/x.ts";',
    /must not import engine\/text/,
  ],
  [
    `${src}/adapters/auth/a.ts`,
    'import { x } from "../database/x.ts";',
    /must not import adapters\/database/,
  ],
  [`${src}/adapters/auth/a.ts`, 'import { DatabaseSync } from "node:sqlite";', /must not import node:sqlite/],
  [`${src}/rpc/a.ts`, 'import { x } from "../threads/x.ts";', /rpc must not import threads/],
  [`${src}/services/a.ts`, 'import { x } from "../rpc/x.ts";', /services must not import rpc/],
  [`${src}/adapters/database/a.ts`, 'import { x } from "../../threads/x.ts";', /must not import threads/],
  [`${src}/services/a.ts`, 'import { log } from "../log.ts";', /services must not import composition/],
  [`${src}/http/a.ts`, 'import type { Config } from "../config.ts";', /http must not import composition/],
  [`${src}/http/a.ts`, 'import { x } from "../threads/x.ts";', /http must not import threads/],
  [`${src}/services/a.ts`, 'import { sql } from "kysely";', /services must not import kysely/],
  [`${src}/compose.ts`, 'import { Kysely } from "kysely";', /composition must not import kysely/],
  [`${src}/threads/a.ts`, 'import pg from "pg";', /threads must not import pg/],
  [`${src}/services/a.ts`, 'import { x } from "better-auth/api";', /must not import better-auth/],
  [`${src}/shared/a.ts`, 'import { x } from "../domain/x.ts";', /shared is no layer/],
  [`${src}/http/a.ts`, 'import { x } from "../../../minilm/src/x.ts";', /leaves the package/],
  ["packages/contract/src/a.ts", 'import { x } from "fastify";', /contract must not import fastify/],
  [
    "packages/contract/src/a.ts",
    'import { x } from "../../server/src/x.ts";',
    /must not import packages\/server/,
  ],
  [
    "evals/a.ts",
    'import { x } from "../packages/server/src/x.ts";',
    /evals must not import packages\/server/,
  ],
  [`${src}/services/a.ts`, "const x = process.env.HOME;", /read the environment/],
  ["packages/minilm/src/a.ts", "const { HOME } = process.env;", /read the environment/],
  [`${src}/services/a.ts`, "export const f = (r: R) => r.status(200);", /HTTP statuses/],
  [`${src}/domain/a.ts`, "const notFound = 404;", /HTTP statuses/],
  [`${src}/adapters/auth/a.ts`, "const x = { statusCode: 500 };", /HTTP statuses/],
  [`${src}/services/a.ts`, "const x = { project_id: 1 };", /names of the wire/],
  [`${src}/engine/query/a.ts`, 'const x = y["source_doc_id"];', /names of the wire/],
  [`${src}/services/a.ts`, "let count = 0;", /state at module level/],
  [`${src}/services/a.ts`, "export var count = 0;", /state at module level/],
  [
    `${src}/services/a.ts`,
    "const seen = new Set<string>();\nfunction f() { seen.add(1); }",
    /seen is changed/,
  ],
  [`${src}/services/a.ts`, "const list: string[] = [];\nfunction f() { list[0] = 1; }", /list is changed/],
  [`${src}/services/a.ts`, "const box = { n: 0 };\nfunction f() { box.n += 1; }", /box is changed/],
  [`${src}/services/a.ts`, "export const all = new Map<string, X>();", /ReadonlyMap/],
  [`${src}/services/a.ts`, "start();", /effect on import/],
  [`${src}/services/a.ts`, "await start();", /effect on import/],
  [`${src}/services/a.ts`, "process.title = `kcs`;", /effect on import/],
  ["scripts/a.ts", "// TODO later", /unfinished/],
  ["bench/a.ts", "const x = 1; /* a\n FIXME */", /unfinished/],
  ["evals/a.ts", "x;\n".repeat(401), /401 lines/],
];

test("each planted violation is reported, and nothing else in the same file", () => {
  for (const [path, text, message] of planted) {
    const violations = [...checkImports([{ path, text }]), ...checkContents([{ path, text }])];
    assert.match(list(violations), message, `${path}: ${text.slice(0, 80)}`);
    assert.equal(violations.length, 1, list(violations));
  }
});

test("circles are reported, through type imports and several files too", () => {
  const circle = checkImports([
    { path: `${src}/domain/a.ts`, text: 'import type { B } from "./b.ts";' },
    { path: `${src}/domain/b.ts`, text: 'export { c } from "./c.ts";' },
    { path: `${src}/domain/c.ts`, text: 'import { a } from "./a.ts";' },
  ]);
  assert.match(list(circle), /a\.ts → .*b\.ts → .*c\.ts → .*a\.ts/);
});

test("what only looks like a violation is not reported", () => {
  const text = [
    'import { x } from "../domain/x.ts";',
    '// import { y } from "../http/y.ts"; process.env; let z; 404; project_id',
    'const text = "the project_id is missing, answers 404, process.env, // TODO";',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the string is source text.
    'const template = `import { y } from "../http/y.ts" ${nested({ a: `project_id ${1}` })} 404`;',
    "const pattern = /[/\"'`]project_id/;",
    "const ratio = 1 / 2; const other = 3 / 4;",
    "const limit = 500;",
    'const known: ReadonlySet<string> = new Set(["a"]);',
    "function f() {\n  let n = 0;\n  known.has(String(n));\n  return n;\n}",
  ].join("\n");
  assert.equal(list(checkImports([{ path: `${src}/services/a.ts`, text }])), "");
  assert.equal(list(checkContents([{ path: `${src}/services/a.ts`, text }])), "");
});
