import type { Explanation, QueryResult } from "@kcs/sdk";
import type { Command } from "../command.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { counted } from "../terminal/progress.ts";
import { oneLine, type Style, shorten, styleOf, table, wrap } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";
import { MAX_WIDTH, QUESTION_OPTIONS, readQuestion } from "./query.ts";

const DEFAULT_ROWS = 10;
const MAX_NAME_CHARACTERS = 48;

export const explain: Command = {
  name: "explain",
  summary: "Shows the result of every step from a question to its answer",
  usage: ["QUESTION [OPTION…]"],
  options: {
    ...QUESTION_OPTIONS,
    rows: {
      type: "string",
      value: "N",
      description: `candidates shown at each step (default: ${DEFAULT_ROWS})`,
    },
  },
  async run(context) {
    const { io, options } = context;
    const rows = options.integer("rows", { min: 1, max: 100, fallback: DEFAULT_ROWS });
    const body = { ...(await readQuestion(context)), include: ["provenance", "explain"] as const };
    const answer = await context.client().query(context.projectId(), body, { signal: io.signal });
    if (options.flag("json")) return printJson(io, answer);
    if (answer.explain === undefined)
      throw new CommandError("The service did not explain its answer. It is older than this command.");
    const width = Math.min(MAX_WIDTH, io.outTerminal?.columns ?? MAX_WIDTH);
    await io.out(describe(answer, answer.explain, { rows, width, style: styleOf(io.outTerminal) }));
    return EXIT.ok;
  },
};

interface Layout {
  readonly rows: number;
  /** Characters per line of text. */
  readonly width: number;
  readonly style: Style;
}

function describe({ results }: QueryResult, explanation: Explanation, layout: Layout): string {
  const { plan, candidates, fused, graph, ranked, dropped, timings_ms: timings } = explanation;
  const scored = (list: Explanation["candidates"]["lexical"]) =>
    list.map(({ score, ...chunk }) => [score.toFixed(4), ...chunkCells(chunk)]);
  const allRows = { ...layout, rows: Number.POSITIVE_INFINITY };
  const parts = [
    section(allRows, "Plan", [
      ["strategy", oneLine(plan.strategy)],
      ["terms", plan.terms.map(oneLine).join(", ") || "none"],
      [
        "entities",
        plan.entities
          .map(({ name, documents }) => `${oneLine(name)} (${counted(documents, "document")})`)
          .join(", ") || "none",
      ],
      ["graph", oneLine(plan.graph)],
      ...(plan.event === undefined ? [] : [["event", describeEvent(plan.event)]]),
      ["index", `version ${plan.index_version}, ${counted(plan.segments, "segment")}`],
    ]),
    section(layout, "→ Lexical candidates (BM25)", scored(candidates.lexical)),
    section(layout, "→ Dense candidates (cosine)", scored(candidates.dense)),
    section(
      layout,
      "→ Fused: score, lexical, dense",
      fused.map((chunk) => [
        ...[chunk.score, chunk.lexical, chunk.dense].map((score) => score.toFixed(4)),
        ...chunkCells(chunk),
      ]),
    ),
    graph === null
      ? section(layout, "→ Graph", [["not used for the ranking"]])
      : section(
          layout,
          `→ Graph: from the names ${graph.names.map(oneLine).join(", ")}`,
          graph.paths.map((path) => [
            path.score.toFixed(4),
            `${oneLine(path.from_chunk_id)} → ${shorten(oneLine(path.name), MAX_NAME_CHARACTERS)} → ${oneLine(path.to_chunk_id)}`,
          ]),
        ),
    section(
      layout,
      "→ Ranked",
      ranked.map((chunk) => [
        chunk.similarity.toFixed(4),
        chunk.returned ? "returned" : "",
        chunk.summarized ? "summarized" : "",
        ...chunkCells(chunk),
      ]),
    ),
    section(
      layout,
      "→ Dropped",
      dropped.map((chunk) => [chunk.score.toFixed(4), oneLine(chunk.reason), ...chunkCells(chunk)]),
    ),
    `${layout.style.bold("→ Summary")}\n${wrap(oneLine(results.summary), layout.width, "  ")}\n`,
    section(
      allRows,
      "Milliseconds",
      Object.entries(timings).map(([step, ms]) => [oneLine(step), ms.toFixed(1)]),
    ),
  ];
  return parts.join("\n");
}

function chunkCells({
  chunk_id,
  source_doc_id,
}: {
  chunk_id: string;
  source_doc_id: string;
}): readonly string[] {
  return [shorten(oneLine(source_doc_id), MAX_NAME_CHARACTERS), oneLine(chunk_id)];
}

function section({ rows, style }: Layout, title: string, cells: readonly (readonly string[])[]): string {
  const shown = cells.slice(0, rows).map(([first = "", ...rest]) => [`  ${first}`, ...rest]);
  const rest = cells.length - shown.length;
  const body = shown.length === 0 ? "  none\n" : table(shown);
  return `${style.bold(title)}\n${body}${rest > 0 ? style.dim(`  and ${rest} more\n`) : ""}`;
}

/** The event by which the question names its time. */
function describeEvent({ text, from, to, evidence }: NonNullable<Explanation["plan"]["event"]>): string {
  const when = from === to ? (from ?? "time not found") : `${from ?? "…"} to ${to ?? "…"}`;
  const where = evidence === null ? "" : ` (${oneLine(evidence.source_doc_id)})`;
  return `${oneLine(text)}: ${when}${where}`;
}
