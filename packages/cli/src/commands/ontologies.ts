import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Client, OntologySchema } from "@kcs/sdk";
import { type Command, type Context, noPositionals, onlyPositional, unknownAction } from "../command.ts";
import { CommandError, EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { fileNamed, readAll, readTextFile } from "../io.ts";
import { diffOntologies } from "../ontology-diff.ts";
import { oneLine, styleOf, table } from "../terminal/style.ts";
import { exportFile, FORMATS, importFile, remove, versions } from "./ontology-versions.ts";
import { jsonText, printJson } from "./print-json.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export const ontologies: Command = {
  name: "ontologies",
  summary: "Lists, suggests, checks, compares and creates ontologies and their versions",
  usage: [
    "[list]",
    "get ID",
    "suggest TEXT|FILE|- [--out FILE]",
    "lint FILE|-",
    "create FILE|- [--name NAME]",
    "update ID FILE|- [--name NAME]",
    "versions ID",
    "delete ID",
    "import FILE|- [--format FORMAT] [--name NAME]",
    "export ID [--format FORMAT] [--out FILE]",
    "diff FILE|ID FILE|ID",
  ],
  subcommands: [
    "list",
    "get",
    "suggest",
    "lint",
    "create",
    "update",
    "versions",
    "delete",
    "import",
    "export",
    "diff",
  ],
  options: {
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      description: "write the result to FILE instead of standard output (-)",
    },
    format: {
      type: "string",
      choices: FORMATS,
      description: "format of an imported or exported file (default: turtle)",
    },
    name: { type: "string", value: "NAME", description: "name of the ontology, instead of that in the file" },
  },
  run(context) {
    const [action = "list", ...rest] = context.positionals;
    const act = ACTIONS[action];
    if (act === undefined) throw unknownAction("ontologies", action, ACTIONS);
    return act({ ...context, positionals: rest });
  },
};

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<ExitCode>>> = {
  list,
  get,
  suggest,
  lint,
  create,
  update,
  versions,
  delete: remove,
  import: importFile,
  export: exportFile,
  diff,
};

async function list(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const found = await context.client().ontologies.list({}, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found.ontologies);
  const style = styleOf(io.outTerminal);
  const rows = found.ontologies.map((ontology) => [
    style.dim(oneLine(ontology.id)),
    oneLine(ontology.created_at).slice(0, 10),
    oneLine(ontology.name),
  ]);
  await io.out(table(rows));
  return EXIT.ok;
}

async function get(context: Context): Promise<ExitCode> {
  const { io } = context;
  const id = onlyPositional(context.positionals, "the id of the ontology");
  await io.out(fileText(await context.client().ontologies.get(id, { signal: io.signal })));
  return EXIT.ok;
}

/** The file format of `create`, `lint` and `diff`. @throws TypeError for an answer without a schema */
function fileText({ name, schema }: { readonly name: string; readonly schema: OntologySchema }): string {
  if (!isObject(schema)) throw new TypeError("The answer has no schema.");
  return jsonText({ name, schema }, 2);
}

async function suggest(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  const useCase = await textOf(context, positionals.join(" "));
  if (useCase.trim() === "") throw new UsageError("a description of the use case is missing");
  const suggestion = await context.client().ontologies.suggest(useCase, { signal: io.signal });
  const text = fileText(suggestion);
  const out = fileNamed(options.text("out"));
  if (out === undefined) await io.out(text);
  else {
    await writeFile(out, text);
    io.err(`Wrote ${out}. Next: edit it, kcs ontologies lint ${out}, kcs ontologies create ${out}\n`);
  }
  return EXIT.ok;
}

/** The content of standard input for `-` or of a file with that name; otherwise the argument itself. */
async function textOf({ io }: Context, given: string): Promise<string> {
  if (given === "-") return readAll(io.stdin, MAX_BYTES);
  if (/\s/.test(given)) return given;
  return existsSync(given) ? readTextFile(given) : given;
}

async function lint(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const { schema } = await readOntology(context, onlyPositional(context.positionals, "the file"));
  const checked = await context.client().ontologies.lint({ schema }, { signal: io.signal });
  if (options.flag("json")) await printJson(io, checked);
  else if (checked.valid) io.err("No faults found.\n");
  else {
    await io.out(checked.faults.map((fault) => `${oneLine(fault)}\n`).join(""));
    const rest = checked.fault_count - checked.faults.length;
    if (rest > 0) io.err(`and ${rest} more\n`);
  }
  return checked.valid ? EXIT.ok : EXIT.failed;
}

async function create(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const read = await readOntology(context, onlyPositional(context.positionals, "the file"));
  const name = options.text("name") ?? read.name;
  if (name === null) throw new UsageError("the ontology has no name: add --name NAME");
  const schema = read.schema as unknown as OntologySchema; // The service checks it and lists its faults.
  const body = { name, schema };
  const created = await context.client().ontologies.create(body, { signal: io.signal });
  if (options.flag("json")) return printJson(io, created);
  const id = oneLine(created.id);
  await io.out(`${id}\n`);
  io.err(`Next: kcs projects create NAME --ontology ${id}\n`);
  return EXIT.ok;
}

/** Makes a new version; without a name in the file or the options under the name that it has. */
async function update(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  const [id, ...rest] = positionals;
  if (id === undefined) throw new UsageError("the id of the ontology is missing");
  const read = await readOntology(context, onlyPositional(rest, "the file"));
  const client = context.client();
  const given = options.text("name") ?? read.name;
  const name = given ?? (await client.ontologies.get(id, { signal: io.signal })).name;
  const schema = read.schema as unknown as OntologySchema; // The service checks it and lists its faults.
  const made = await client.ontologies.replace(id, { name, schema }, { signal: io.signal });
  if (options.flag("json")) return printJson(io, made);
  await io.out(`version ${made.version}\n`);
  io.err(`Next: kcs projects bind --ontology ${oneLine(id)} --dry-run\n`);
  return EXIT.ok;
}

/** Exits with 1 when the ontologies differ, like diff(1). */
async function diff(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  const [before, after, ...rest] = positionals;
  if (before === undefined || after === undefined || rest.length > 0) {
    throw new UsageError("expected two files or ids");
  }
  const client = context.client();
  const changes = diffOntologies(
    (await fileOrStored(context, client, before)).schema,
    (await fileOrStored(context, client, after)).schema,
  );
  if (options.flag("json")) await printJson(io, changes);
  else {
    const style = styleOf(io.outTerminal);
    const colour = { "+": style.good, "-": style.bad, "~": style.bold } as const;
    await io.out(changes.map(({ sign, text }) => `${colour[sign](sign)} ${oneLine(text)}\n`).join(""));
  }
  return changes.length === 0 ? EXIT.ok : EXIT.failed;
}

async function fileOrStored(context: Context, client: Client, given: string): Promise<ReadOntology> {
  if (!/^ont_[0-9a-f]+$/.test(given)) return readOntology(context, given);
  const { name, schema } = await client.ontologies.get(given, { signal: context.io.signal });
  return { name, schema: { ...schema } };
}

interface ReadOntology {
  readonly name: string | null;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Accepts `{name, schema}` or the schema alone: `{ontology: …}`. */
async function readOntology({ io }: Context, path: string): Promise<ReadOntology> {
  const text = path === "-" ? await readAll(io.stdin, MAX_BYTES) : await readTextFile(path);
  const value = parse(text, path);
  const { name, schema } = value;
  if (isObject(schema)) return { name: typeof name === "string" ? name : null, schema };
  if ("ontology" in value) return { name: null, schema: value };
  throw new CommandError(`${path} is not an ontology, expected an object with name and schema`);
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new CommandError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new CommandError(`${path} is not an ontology, expected an object with name and schema`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
