import type { GraphMatch, GraphPattern } from "@kcs/sdk";
import { type Command, type Context, onlyPositional } from "../command.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { readAll, readTextFile } from "../io.ts";
import { oneLine, type Style, styleOf } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

const MAX_BYTES = 1024 * 1024;

export const match: Command = {
  name: "match",
  summary: "Finds a pattern of entities and relationships in a project's graph",
  usage: ["JSON|FILE|- [--as-of TIME] [--explain]"],
  options: {
    "as-of": {
      type: "string",
      value: "TIME",
      description: "only relationships that hold in that year, month or day",
    },
    explain: { type: "boolean", description: "also show what was read" },
  },
  async run(context) {
    const { io, options, positionals } = context;
    const written = await readPattern(context, onlyPositional(positionals, "the pattern"));
    const asOf = options.text("as-of");
    const pattern = { ...written, ...(asOf !== undefined && { as_of: asOf }) };
    const body = options.flag("explain") ? { ...pattern, explain: true } : pattern;
    const found = await context.client().graph.match(context.projectId(), body, { signal: io.signal });
    if (options.flag("json")) return printJson(io, found);
    const style = styleOf(io.outTerminal);
    await io.out(linesOf(found, style).join(""));
    for (const { step, nodes_read: nodes, rows } of found.explain?.steps ?? [])
      io.err(`${oneLine(step)}: ${nodes} read, ${rows} rows\n`);
    if (found.rows.length === 0) io.err("The graph does not have this pattern.\n");
    if (!found.is_complete)
      io.err(`There may be more: the search ended at its bound of ${found.bounds_met.join(", ")}.\n`);
    return EXIT.ok;
  },
};

function linesOf({ rows, relationships }: GraphMatch, style: Style): readonly string[] {
  const byId = new Map(relationships.map((each) => [each.relationship_id, each]));
  return rows.map(({ nodes, relationships: ids }) => {
    const parts = nodes.flatMap(({ name, entity_id: id }, at) => {
      const edge = byId.get(ids[at] ?? "");
      if (edge === undefined) return [oneLine(name)];
      const type = oneLine(edge.type);
      return [oneLine(name), style.dim(edge.source.entity_id === id ? `-${type}->` : `<-${type}-`)];
    });
    return `${parts.join(" ")}\n`;
  });
}

async function readPattern({ io }: Context, given: string): Promise<GraphPattern> {
  const text = given === "-" ? await readAll(io.stdin, MAX_BYTES) : await textOf(given);
  try {
    return JSON.parse(text) as GraphPattern; // The service checks it and names its faults.
  } catch (error) {
    throw new CommandError(
      `The pattern is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The argument itself where it is JSON, else the file with that name. */
async function textOf(given: string): Promise<string> {
  if (given.trimStart().startsWith("{")) return given;
  return readTextFile(given);
}
