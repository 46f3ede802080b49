import type { ListedCorrection } from "@kcs/sdk";
import { type Command, type Context, noPositionals, onlyPositional, unknownAction } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { counted } from "../terminal/progress.ts";
import { oneLine, styleOf, table } from "../terminal/style.ts";
import { addCorrections } from "./add-corrections.ts";
import { printJson } from "./print-json.ts";

/** Listed at most. */
const PAGE = 100;

export const corrections: Command = {
  name: "corrections",
  summary: "Corrects a project's graph; lists, exports, undoes and teaches corrections",
  usage: ["list [--without-evidence]", "add FILE|- [--from LINE]", "export", "undo ID", "teach [--bind]"],
  subcommands: ["list", "add", "export", "undo", "teach"],
  options: {
    from: { type: "string", value: "LINE", description: "the line to begin with (default: 1)" },
    bind: { type: "boolean", description: "moves the project to the version that has the examples" },
    "without-evidence": { type: "boolean", description: "only corrections that change nothing at present" },
  },
  run(context) {
    const [action = "", ...rest] = context.positionals;
    const act = ACTIONS[action];
    if (act === undefined) throw unknownAction("corrections", action, ACTIONS);
    return act({ ...context, positionals: rest });
  },
};

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<ExitCode>>> = {
  list,
  add: addCorrections,
  export: exportAll,
  undo,
  teach,
};

async function list(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const page = await context.client().corrections.list(
    context.projectId(),
    {
      limit: PAGE,
      ...(options.flag("without-evidence") ? { state: "without_evidence" as const } : {}),
    },
    { signal: io.signal },
  );
  if (options.flag("json")) return printJson(io, page);
  const style = styleOf(io.outTerminal);
  await io.out(
    table(
      page.corrections.map((each) => [
        style.dim(oneLine(each.correction_id)),
        each.created_at.slice(0, 10),
        effectOf(each),
        oneLine(describe(each)),
      ]),
    ),
  );
  const rest = page.total - page.corrections.length;
  if (rest > 0) io.err(`and ${rest} more: export them\n`);
  for (const { type, asserted, proposed } of page.taught)
    if (asserted + proposed > 0)
      io.err(
        `verdicts on ${oneLine(type)}: ${counted(asserted, "more statement")} asserted, ${proposed} only proposed\n`,
      );
  return EXIT.ok;
}

function effectOf({ chunks, conflicts }: ListedCorrection): string {
  const effect = chunks === 0 ? "without evidence" : counted(chunks, "chunk");
  return conflicts === 0 ? effect : `${effect}, ${counted(conflicts, "later text")} against it`;
}

/** What it does, in a line. */
function describe(each: ListedCorrection): string {
  switch (each.kind) {
    case "rename":
      return `rename ${each.entity.name} to ${each.name}`;
    case "retype":
      return `${each.entity.name} is a ${each.type}, not a ${each.entity.type}`;
    case "merge":
      return `merge ${each.entity.name} into ${each.into.name}`;
    case "split":
      return `in ${each.documents.join(", ")} ${each.entity.name} is ${each.into.name}`;
    case "add_property":
      return `add ${each.property} = ${each.value} to ${each.entity.name}`;
    case "remove_property":
      return `remove ${each.property}${each.value === null ? "" : ` = ${each.value}`} from ${each.entity.name}`;
    case "add_relationship":
    case "reject":
    case "confirm": {
      const verb = each.kind === "add_relationship" ? "add" : each.kind;
      const times = each.kind === "add_relationship" ? timesOf(each) : "";
      return `${verb} ${each.source.name} ${each.type} ${each.target.name}${times}`;
    }
  }
}

function timesOf({
  valid_from: from,
  valid_to: to,
}: Extract<ListedCorrection, { kind: "add_relationship" }>): string {
  return `${from === null ? "" : ` from ${from}`}${to === null ? "" : ` until ${to}`}`;
}

async function exportAll(context: Context): Promise<ExitCode> {
  const { io } = context;
  noPositionals(context.positionals);
  for await (const each of context.client().corrections.each(context.projectId(), { signal: io.signal }))
    if (!(await io.out(`${JSON.stringify(each)}\n`))) break;
  return EXIT.ok;
}

async function undo(context: Context): Promise<ExitCode> {
  const { io } = context;
  const id = onlyPositional(context.positionals, "the id of the correction");
  await context.client().corrections.delete(context.projectId(), id, { signal: io.signal });
  io.err("Undone.\n");
  return EXIT.ok;
}

/** Puts what was confirmed into the next version of the project's ontology. */
async function teach(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const bind = options.flag("bind");
  const made = await context
    .client()
    .corrections.addExamples(context.projectId(), { bind }, { signal: io.signal });
  if (options.flag("json")) return printJson(io, made);
  const { ontology, node_types, edge_types, moved } = made;
  for (const { name, added, left_out } of [...node_types, ...edge_types])
    await io.out(
      `${oneLine(name)}: ${counted(added, "example")} added${left_out === 0 ? "" : `, ${left_out} left out`}\n`,
    );
  const documents = moved?.reread?.documents_total ?? 0;
  const reread = documents === 0 ? "" : `; ${counted(documents, "document")} to be read again`;
  io.err(
    `Version ${ontology.version} of ${oneLine(ontology.id)} has them.${moved === null ? " Next: kcs corrections teach --bind" : ` The project is bound to it${reread}.`}\n`,
  );
  return EXIT.ok;
}
