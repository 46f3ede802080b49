import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "@kcs/sdk";
import { type Command, type Context, noPositionals, onlyPositional, unknownAction } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { fileNamed } from "../io.ts";
import { counted } from "../terminal/progress.ts";
import { oneLine, styleOf, table } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

const FORMATS = ["jsonld", "graphml", "csv"] as const;
const PARTS = ["entities", "relationships", "associations", "proposals"] as const;

export const graph: Command = {
  name: "graph",
  summary: "Shows a project's graph and exports it",
  usage: [
    "export [--format FORMAT] [--part PART] [--out FILE]",
    "entities [--search TEXT] [--type TYPE]",
    "entity ID",
    "associations ID",
    "proposals [--type TYPE]",
    "fit",
  ],
  subcommands: ["export", "entities", "entity", "associations", "proposals", "fit"],
  options: {
    format: { type: "string", choices: FORMATS, description: "format of the export (default: jsonld)" },
    part: { type: "string", choices: PARTS, description: "rows of a CSV file (default: entities)" },
    out: {
      type: "string",
      short: "o",
      value: "FILE",
      description: "write the export to FILE instead of standard output (-)",
    },
    search: { type: "string", value: "TEXT", description: "only entities whose name contains TEXT" },
    type: { type: "string", value: "TYPE", description: "only entities or proposals of this type" },
  },
  run(context) {
    const [action = "", ...rest] = context.positionals;
    const act = ACTIONS[action];
    if (act === undefined) throw unknownAction("graph", action, ACTIONS);
    return act({ ...context, positionals: rest });
  },
};

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<ExitCode>>> = {
  export: exportGraph,
  entities,
  entity,
  associations,
  proposals,
  fit,
};

async function exportGraph(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const input = { format: options.choice("format", FORMATS), part: options.choice("part", PARTS) };
  const stream = await context.client().graph.export(context.projectId(), input, { signal: io.signal });
  const out = fileNamed(options.text("out"));
  if (out === undefined) {
    for await (const part of stream) if (!(await io.out(part))) break;
  } else {
    await writeAtomically(out, stream, io.signal);
    io.err(`Wrote ${out}.\n`);
  }
  return EXIT.ok;
}

/**
 * Writes to a temporary name and renames at the end, so that an incomplete export is never mistaken for a complete one. What is there and is no
 * file, as a pipe or a device, is written to; of a link, the file that it leads to is replaced.
 */
async function writeAtomically(
  path: string,
  stream: Awaited<ReturnType<Client["graph"]["export"]>>,
  signal: AbortSignal,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => null);
  if (found !== null && !found.isFile() && !found.isDirectory())
    return pipeline(Readable.from(stream), createWriteStream(target), { signal });
  const draft = `${target}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(stream), createWriteStream(draft, { flags: "wx" }), { signal });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function entities(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const filter = { search: options.text("search"), type: options.text("type") };
  const page = await context.client().graph.entities(context.projectId(), filter, { signal: io.signal });
  if (options.flag("json")) return printJson(io, page);
  const style = styleOf(io.outTerminal);
  const rows = page.entities.map((listed) => [
    style.dim(oneLine(listed.entity_id)),
    oneLine(listed.type),
    counted(listed.chunks, "chunk"),
    oneLine(listed.name),
  ]);
  await io.out(table(rows));
  const rest = page.total - page.entities.length;
  if (rest > 0) io.err(`and ${rest} more: narrow the search, or export the graph\n`);
  return EXIT.ok;
}

async function entity(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const id = onlyPositional(context.positionals, "the id of the entity");
  const found = await context.client().graph.entity(context.projectId(), id, {}, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found);
  const style = styleOf(io.outTerminal);
  const properties = Object.entries(found.properties).map(
    ([name, values]) => `  ${oneLine(name)}: ${values.map(oneLine).join("; ")}\n`,
  );
  const evidence = found.evidence.map(
    ({ source_doc_id: document, text }) => `  ${style.dim(oneLine(document))}  ${oneLine(text)}\n`,
  );
  await io.out(
    [
      `${style.bold(oneLine(found.name))} (${oneLine(found.type)})\n`,
      ...properties,
      table(
        found.relationships.map(({ source, type, target }) => [
          `  ${oneLine(source.name)}`,
          style.dim(oneLine(type)),
          oneLine(target.name),
        ]),
      ),
      ...evidence,
    ].join(""),
  );
  return EXIT.ok;
}

async function associations(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const id = onlyPositional(context.positionals, "the id of the entity");
  const page = { entity_id: id };
  const found = await context.client().graph.associations(context.projectId(), page, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found);
  const style = styleOf(io.outTerminal);
  const rows = found.associations.map(({ entity, strength, chunks }) => [
    style.dim(oneLine(entity.entity_id)),
    oneLine(entity.type),
    strength.toFixed(2),
    counted(chunks, "chunk"),
    oneLine(entity.name),
  ]);
  if (rows.length === 0) io.err("No entity is mentioned together with it often enough.\n");
  else await io.out(table(rows));
  return EXIT.ok;
}

/** Each with its surest sentence. */
async function proposals(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const filter = { type: options.text("type") };
  const page = await context.client().graph.proposals(context.projectId(), filter, { signal: io.signal });
  if (options.flag("json")) return printJson(io, page);
  const style = styleOf(io.outTerminal);
  const rows = page.proposals.map(({ source, type, target, confidence, evidence }) => [
    confidence.toFixed(2),
    oneLine(source.name),
    style.dim(oneLine(type)),
    oneLine(target.name),
    oneLine(evidence[0]?.text ?? ""),
  ]);
  if (rows.length === 0) io.err("No relationship is proposed.\n");
  else await io.out(table(rows));
  const rest = page.total - page.proposals.length;
  if (rest > 0) io.err(`and ${rest} more: export them with --format csv --part proposals\n`);
  return EXIT.ok;
}

async function fit(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const found = await context.client().graph.fit(context.projectId(), {}, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found);
  const entityRows = found.entities.map(({ type, count, example }) => [
    String(count),
    oneLine(type),
    oneLine(example),
  ]);
  const relationshipRows = found.relationships.map((unfit) => [
    String(unfit.count),
    `${oneLine(unfit.source_type)} ${oneLine(unfit.type)} ${oneLine(unfit.target_type)}`,
    oneLine(unfit.example),
  ]);
  if (entityRows.length + relationshipRows.length === 0)
    io.err("The ontology has a type for everything that was extracted.\n");
  else await io.out(table([...entityRows, ...relationshipRows]));
  return EXIT.ok;
}
