/** The actions of `kcs ontologies` on versions and on files of other formats. */
import { writeFile } from "node:fs/promises";
import { type Context, onlyPositional } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { fileNamed, readAll, readTextFile } from "../io.ts";
import { counted } from "../terminal/progress.ts";
import { oneLine, table } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

export const FORMATS = ["turtle", "rdfxml", "json-schema", "neo4j", "linkml"] as const;
const MAX_BYTES = 2 * 1024 * 1024;

export async function importFile(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const path = onlyPositional(context.positionals, "the file");
  const format = options.choice("format", FORMATS) ?? "turtle";
  const content = path === "-" ? await readAll(io.stdin, MAX_BYTES) : await readTextFile(path);
  const name = options.text("name");
  const body = { content, ...(name !== undefined && { name }) };
  const made = await context.client().ontologies.import(body, { format }, { signal: io.signal });
  if (options.flag("json")) return printJson(io, made);
  for (const { item, reason } of made.left_out) io.err(`left out: ${oneLine(item)} ${oneLine(reason)}\n`);
  await io.out(`${oneLine(made.ontology.id)}\n`);
  return EXIT.ok;
}

export async function exportFile(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const id = onlyPositional(context.positionals, "the id of the ontology");
  const format = options.choice("format", FORMATS) ?? "turtle";
  const text = await context.client().ontologies.export(id, { format }, { signal: io.signal });
  const out = fileNamed(options.text("out"));
  if (out === undefined) await io.out(text);
  else await writeFile(out, text);
  return EXIT.ok;
}

export async function versions(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const id = onlyPositional(context.positionals, "the id of the ontology");
  const found = await context.client().ontologies.versions(id, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found);
  const rows = found.versions.map(({ version, name, created_at: created, projects }) => [
    ...[String(version), oneLine(created).slice(0, 10), counted(projects, "project"), oneLine(name)],
  ]);
  await io.out(table(rows));
  return EXIT.ok;
}

export async function remove(context: Context): Promise<ExitCode> {
  const id = onlyPositional(context.positionals, "the id of the ontology");
  await context.client().ontologies.delete(id, { signal: context.io.signal });
  return EXIT.ok;
}
