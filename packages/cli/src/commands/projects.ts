import { type Command, type Context, noPositionals, onlyPositional, unknownAction } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { writeSettings } from "../settings.ts";
import { grouped } from "../terminal/progress.ts";
import { oneLine, styleOf, table } from "../terminal/style.ts";
import { bind } from "./bind.ts";
import { printJson } from "./print-json.ts";
import { REEMBED_OPTIONS, reembed } from "./reembed.ts";

export const projects: Command = {
  name: "projects",
  summary: "Lists, creates, selects and deletes projects, and moves them to another embedding model",
  usage: [
    "[list]",
    "create NAME [--vector-only | --ontology ID]",
    "use ID",
    "stats [ID]",
    "reembed [ID] [--to MODEL | --status | --cancel]",
    "bind [ID] --ontology ID [--ontology-version N] [--dry-run]",
    "delete ID",
  ],
  subcommands: ["list", "create", "use", "stats", "reembed", "bind", "delete"],
  options: {
    "vector-only": { type: "boolean", description: "create the project without a graph" },
    ontology: { type: "string", value: "ID", description: "limit the graph to the types of this ontology" },
    "ontology-version": {
      type: "string",
      value: "N",
      description: "version of the ontology (default: the newest)",
    },
    "dry-run": { type: "boolean", description: "only tell what another ontology would change" },
    ...REEMBED_OPTIONS,
  },
  run(context) {
    const [action = "list", ...rest] = context.positionals;
    const act = ACTIONS[action];
    if (act === undefined) throw unknownAction("projects", action, ACTIONS);
    return act({ ...context, positionals: rest });
  },
};

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<ExitCode>>> = {
  list,
  create,
  use,
  stats,
  reembed,
  bind,
  delete: remove,
};

async function list(context: Context): Promise<ExitCode> {
  const { io, options, positionals, stored } = context;
  noPositionals(positionals);
  const { projects: found } = await context.client().projects.list({}, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found);
  if (found.length === 0) io.err("There is no project yet. Next: kcs projects create NAME\n");
  const style = styleOf(io.outTerminal);
  const rows = found.map((project) => [
    project.project_id === stored.project ? style.good("*") : " ",
    oneLine(project.project_id),
    project.mode === "vector_only" ? "vectors" : "graph",
    oneLine(project.created_at).slice(0, 10),
    oneLine(project.name),
  ]);
  await io.out(table(rows));
  return EXIT.ok;
}

async function create(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const name = onlyPositional(context.positionals, "the name of the project");
  const ontology = options.text("ontology");
  const body = { name, vector_only: options.flag("vector-only"), ontology_id: ontology };
  const project = await context.client().projects.create(body, { signal: io.signal });
  const id = oneLine(project.project_id);
  await select(context, id);
  if (options.flag("json")) return printJson(io, project);
  await io.out(`${id}\n`);
  io.err("It is now the selected project. Next: kcs ingest FILE…\n");
  return EXIT.ok;
}

async function use(context: Context): Promise<ExitCode> {
  const { io } = context;
  const id = onlyPositional(context.positionals, "the id of the project");
  const project = await context.client().projects.get(id, { signal: io.signal });
  const name = oneLine(project.name);
  await select(context, oneLine(project.project_id));
  io.err(`${name} is now the selected project.\n`);
  return EXIT.ok;
}

/** Writes the stored settings only, not the values that come from the environment. */
function select({ io, stored }: Context, project: string): Promise<void> {
  return writeSettings(io.env, { ...stored, project });
}

async function stats(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  const id =
    positionals.length === 0 ? context.projectId() : onlyPositional(positionals, "the id of the project");
  const found = await context.client().projects.stats(id, { signal: io.signal });
  if (options.flag("json")) return printJson(io, found);
  const { entities_by_type: entities, relationships_by_type: relationships, jobs } = found;
  await io.out(
    table([
      ["documents", grouped(found.documents)],
      ["chunks", grouped(found.chunks)],
      ["bytes", grouped(found.bytes)],
      ["tokens", grouped(found.tokens)],
      [
        "jobs",
        `${jobs.pending} pending, ${jobs.running} running, ${jobs.completed} completed, ${jobs.failed} failed`,
      ],
      ...countsOf("entities", entities),
      ...countsOf("relationships", relationships),
    ]),
  );
  return EXIT.ok;
}

/** A row with the sum, followed by a row for each type. */
function countsOf(
  label: string,
  types: readonly { readonly type: string; readonly count: number }[],
): readonly (readonly string[])[] {
  if (types.length === 0) return [];
  const sum = types.reduce((total, { count }) => total + count, 0);
  return [
    [label, grouped(sum)],
    ...types.map(({ type, count }) => [`  ${oneLine(type)}`, `  ${grouped(count)}`]),
  ];
}

async function remove(context: Context): Promise<ExitCode> {
  const { io, stored } = context;
  const id = onlyPositional(context.positionals, "the id of the project");
  await context.client().projects.delete(id, { signal: io.signal });
  if (stored.project === id) {
    const { project: _deleted, ...rest } = stored;
    await writeSettings(io.env, rest);
  }
  io.err(`Deleted ${id} and everything in it.\n`);
  return EXIT.ok;
}
