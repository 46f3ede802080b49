import { addToAnswer, emptyAnswer, type Query, type QueryResult } from "@kcs/sdk";
import type { Command, Context } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { readAll, type Terminal } from "../io.ts";
import { oneLine, printable, type Style, styleOf, table, wrap } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

const MAX_QUESTION_BYTES = 64 * 1024;
export const MAX_WIDTH = 100;

export const QUESTION_OPTIONS: Command["options"] = {
  mode: {
    type: "string",
    choices: ["static", "dynamic"],
    description: "dynamic searches in several steps if needed (default: static)",
  },
  "top-k": { type: "string", short: "k", value: "N", description: "passages, 1 to 100 (default: 10)" },
  "max-per-document": {
    type: "string",
    value: "N",
    description: "passages of one document, 1 to 100 (default: any number)",
  },
  document: {
    type: "string",
    multiple: true,
    value: "ID",
    description: "search only this document; may be repeated",
  },
  metadata: {
    type: "string",
    multiple: true,
    value: "KEY=VALUE",
    description: "search only documents with this metadata; may be repeated",
  },
  "as-of": {
    type: "string",
    value: "DATE",
    description: "relationships that hold in this year, month or on this day, as 2031-04",
  },
};

export const query: Command = {
  name: "query",
  summary: "Answers a question with a summary, passages, entities and relationships",
  usage: ["QUESTION [OPTION…]", "- < file-with-the-question"],
  options: {
    ...QUESTION_OPTIONS,
    stream: { type: "boolean", description: "show the summary as it is written, then the rest" },
  },
  async run(context) {
    const { io, options } = context;
    const body: Query = { ...(await readQuestion(context)), include: ["provenance"] };
    if (options.flag("stream") && !options.flag("json")) return streamAnswer(context, body);
    const answer = await context.client().query(context.projectId(), body, { signal: io.signal });
    if (options.flag("json")) return printJson(io, answer);
    await io.out(describeAnswer(answer, io.outTerminal));
    return EXIT.ok;
  },
};

/** The summary is not wrapped, because its lines are not known yet. */
async function streamAnswer({ io, client, projectId }: Context, body: Query): Promise<ExitCode> {
  let answer = emptyAnswer;
  for await (const event of client().streamQuery(projectId(), body, { signal: io.signal })) {
    answer = addToAnswer(answer, event);
    if (event.type === "summary" && answer.results.chunks.length > 0) await io.out(printable(event.text));
  }
  const { chunks } = answer.results;
  await io.out(
    chunks.length === 0 ? "Nothing was found.\n" : `\n\n${describeSources(answer, io.outTerminal)}`,
  );
  return EXIT.ok;
}

/** The request body from the question and its options. */
export async function readQuestion({ io, options, positionals }: Context): Promise<Query> {
  const [first] = positionals;
  const text = first === "-" ? await readAll(io.stdin, MAX_QUESTION_BYTES) : positionals.join(" ");
  if (text.trim() === "") throw new UsageError("the question is missing");
  const documents = options.texts("document");
  const metadata = readMetadata(options.texts("metadata"));
  const topK = options.integer("top-k", { min: 1, max: 100, fallback: 10 });
  const asOf = options.text("as-of");
  const perDocument = options.integer("max-per-document", { min: 1, max: 100, fallback: topK });
  return {
    query: text.trim(),
    mode: options.choice("mode", ["static", "dynamic"]),
    top_k: topK,
    ...(perDocument < topK && { max_per_document: perDocument }),
    ...(asOf !== undefined && { as_of: asOf }),
    filter: {
      ...(documents.length > 0 && { source_doc_id: [...documents] }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
  };
}

/** The value of `year=1994` is a number; those of `port=Orrin` and `year="1994"` are texts. */
export function readMetadata(pairs: readonly string[]): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at <= 0) throw new UsageError(`--metadata is ${pair}, expected KEY=VALUE`);
      const value = pair.slice(at + 1);
      const isNumber = /^-?\d+(\.\d+)?$/.test(value);
      return [pair.slice(0, at), isNumber ? Number(value) : value.replace(/^"(.*)"$/, "$1")];
    }),
  );
}

function describeAnswer(answer: QueryResult, terminal: Terminal | null): string {
  if (answer.results.chunks.length === 0) return "Nothing was found.\n";
  return `${wrap(oneLine(answer.results.summary), widthOf(terminal))}\n\n${describeSources(answer, terminal)}`;
}

function widthOf(terminal: Terminal | null): number {
  return Math.min(MAX_WIDTH, terminal?.columns ?? MAX_WIDTH);
}

/** The passages, entities and relationships. */
function describeSources(
  { results, strategy_used: strategy }: QueryResult,
  terminal: Terminal | null,
): string {
  const style = styleOf(terminal);
  const width = widthOf(terminal);
  const { chunks, entities, relationships } = results;
  const parts = [
    `${style.bold("Passages")} ${style.dim(`(${oneLine(strategy)})`)}\n${chunks.map((chunk, at) => describePassage(chunk, { at, width, style })).join("")}`,
  ];
  if (entities.length > 0) {
    const rows = entities.map(({ type, name, properties }) => [
      `  ${oneLine(type)}`,
      oneLine(name),
      style.dim(
        Object.entries(properties)
          .map(([key, value]) => `${oneLine(key)}: ${oneLine(value)}`)
          .join(", "),
      ),
    ]);
    parts.push(`${style.bold("Entities")}\n${table(rows)}`);
  }
  if (relationships.length > 0) {
    const rows = relationships.map(({ source, type, target }) => [
      `  ${oneLine(source)}`,
      style.dim(oneLine(type)),
      oneLine(target),
    ]);
    parts.push(`${style.bold("Relationships")}\n${table(rows)}`);
  }
  return parts.join("\n");
}

function describePassage(
  { text, similarity, source_doc_id: document = "" }: QueryResult["results"]["chunks"][number],
  { at, width, style }: { at: number; width: number; style: Style },
): string {
  const head = `${String(at + 1).padStart(3)}  ${similarity.toFixed(2)}  ${style.good(oneLine(document))}`;
  return `${head}\n${wrap(oneLine(text), width, "     ")}\n`;
}
