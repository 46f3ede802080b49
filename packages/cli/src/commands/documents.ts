import type { AcceptedBatch } from "@kcs/sdk";
import { type Command, type Context, noPositionals, onlyPositional, unknownAction } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { counted, grouped } from "../terminal/progress.ts";
import { oneLine, printable, styleOf, table } from "../terminal/style.ts";
import { jsonText, printJson } from "./print-json.ts";

const DEFAULT_LIMIT = 100;
/** Of one request. */
const MAX_REREAD = 128;

export const documents: Command = {
  name: "documents",
  summary: "Lists, shows, reads again and deletes documents",
  usage: ["[list] [--search TEXT] [--limit N | --all]", "get ID", "reread ID…", "delete ID…"],
  subcommands: ["list", "get", "reread", "delete"],
  options: {
    search: { type: "string", value: "TEXT", description: "only documents whose id contains TEXT" },
    limit: {
      type: "string",
      value: "N",
      description: `number of documents to list, at most 1,000 (default: ${DEFAULT_LIMIT})`,
    },
    all: { type: "boolean", description: "list all documents" },
  },
  run(context) {
    const [action = "list", ...rest] = context.positionals;
    const act = ACTIONS[action];
    if (act === undefined) throw unknownAction("documents", action, ACTIONS);
    return act({ ...context, positionals: rest });
  },
};

const ACTIONS: Readonly<Record<string, (context: Context) => Promise<ExitCode>>> = {
  list,
  get,
  reread,
  delete: remove,
};

async function list(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  noPositionals(context.positionals);
  const limit = options.integer("limit", { min: 1, max: 1000, fallback: DEFAULT_LIMIT });
  const client = context.client();
  const projectId = context.projectId();
  const search = options.text("search");
  const style = styleOf(io.outTerminal);
  if (options.flag("all")) {
    for await (const document of client.documents.each(projectId, { search }, { signal: io.signal })) {
      const line = options.flag("json") ? jsonText(document) : table([rowOf(document, style)]);
      if (!(await io.out(line))) break;
    }
    return EXIT.ok;
  }
  const page = await client.documents.list(projectId, { search, limit }, { signal: io.signal });
  if (options.flag("json")) return printJson(io, page);
  await io.out(table(page.documents.map((document) => rowOf(document, style))));
  if (page.total === 0 && search === undefined) io.err("There is no document yet. Next: kcs ingest FILE…\n");
  const rest = page.total - page.documents.length;
  if (rest > 0) io.err(`and ${grouped(rest)} more: --all lists them\n`);
  return EXIT.ok;
}

function rowOf(
  document: { status: string; chunks: number; updated_at: string; source_doc_id: string },
  style: ReturnType<typeof styleOf>,
): readonly string[] {
  const { status, chunks, updated_at: updated, source_doc_id: id } = document;
  const statusCell = oneLine(status).padEnd("replacing".length);
  return [
    status === "failed" ? style.bad(statusCell) : statusCell,
    `${grouped(chunks).padStart(6)} ${chunks === 1 ? "chunk " : "chunks"}`,
    oneLine(updated).slice(0, 16).replace("T", " "),
    oneLine(id),
  ];
}

async function get(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const id = onlyPositional(context.positionals, "the id of the document");
  const document = await context.client().documents.get(context.projectId(), id, { signal: io.signal });
  if (options.flag("json")) return printJson(io, document);
  const stored = document.text === null ? "" : document.text;
  const text = io.outTerminal === null ? stored : printable(stored);
  if (document.text === null)
    io.err(`No text of ${oneLine(id)} is stored: ${oneLine(document.error_message ?? "ingest it again")}.\n`);
  await io.out(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  return EXIT.ok;
}

async function reread(context: Context): Promise<ExitCode> {
  const { io, options, positionals } = context;
  if (positionals.length === 0) throw new UsageError("the id of the document is missing");
  const jobs: AcceptedBatch["jobs"][number][] = [];
  let sent = 0;
  let refused: { readonly error: unknown } | null = null;
  while (sent < positionals.length && refused === null) {
    const ids = positionals.slice(sent, sent + MAX_REREAD);
    try {
      const accepted = await context
        .client()
        .documents.reread(context.projectId(), ids, { signal: io.signal });
      jobs.push(...accepted.jobs);
      sent += ids.length;
    } catch (error) {
      if (sent === 0) throw error;
      refused = { error };
    }
  }
  if (options.flag("json")) await printJson(io, { jobs });
  const read = new Set(jobs.map(({ source_doc_id: id }) => id));
  const left = positionals.slice(0, sent).filter((id) => !read.has(id));
  for (const id of left)
    io.err(
      `${oneLine(id)} is not read: no text of it is stored, or a limit of the account was reached. Repeat this, or ingest it again.\n`,
    );
  io.err(`${counted(read.size, "document")} to be read again. Next: kcs jobs --watch\n`);
  if (refused !== null) {
    // What was refused says of itself alone that nothing was queued.
    io.err(`The request for the other ${counted(positionals.length - sent, "document")} was refused:\n`);
    throw refused.error;
  }
  return left.length === 0 ? EXIT.ok : EXIT.someFailed;
}

async function remove(context: Context): Promise<ExitCode> {
  const { io, positionals } = context;
  if (positionals.length === 0) throw new UsageError("the id of the document is missing");
  const client = context.client();
  for (const id of positionals) {
    await client.documents.delete(context.projectId(), id, { signal: io.signal });
    io.err(`Deleted ${oneLine(id)}.\n`);
  }
  return EXIT.ok;
}
