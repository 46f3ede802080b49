import type { Explanation, QueryResult } from "@kcs/sdk";
import type { Command } from "../command.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { counted } from "../terminal/progress.ts";
import { oneLine, type Style, shorten, styleOf, table, wrap } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";
import { MAX_WIDTH, QUESTION_OPTIONS, readQuestion } from "./query.ts";

const SHOWN = 10;
const MAX_NAME = 48;

export const explain: Command = {
  name: "explain",
  summary: "Shows the value at every step from a question to its answer",
  usage: ["QUESTION [OPTION…]"],
  options: {
    ...QUESTION_OPTIONS,
    rows: { type: "string", value: "N", description: `candidates shown at each step (default: ${SHOWN})` },
  },
  async run(context) {
    const { io, options } = context;
    const rows = options.integer("rows", { min: 1, max: 100, fallback: SHOWN });
    const body = { ...(await readQuestion(context)), include: ["provenance", "explain"] as const };
    const answer = await context.client().query(context.projectId(), body, { signal: io.signal });
    if (options.flag("json")) return printJson(io, answer);
    if (answer.explain === undefined)
      throw new CommandError("The service is too old to explain its answers.");
    const width = Math.min(MAX_WIDTH, io.outTerminal?.columns ?? MAX_WIDTH);
    await io.out(describe(answer, answer.explain, { rows, width, style: styleOf(io.outTerminal) }));
    return EXIT.ok;
  },
};

interface Layout {
  readonly rows: number;
  /** Of a line of text. */
  readonly width: number;
  readonly style: Style;
}

function describe({ results }: QueryResult, explanation: Explanation, layout: Layout): string {
  const { plan, candidates, fused, graph, ranked, dropped, timings_ms: timings } = explanation;
  const scored = (list: Explanation["candidates"]["lexical"]) =>
    list.map(({ score, ...place }) => [score.toFixed(4), ...placeOf(place)]);
  const whole = { ...layout, rows: Number.POSITIVE_INFINITY };
  const parts = [
    section(whole, "Plan", [
      ["strategy", plan.strategy],
      ["terms", plan.terms.map(oneLine).join(", ") || "none"],
      [
        "entities",
        plan.entities
          .map(({ name, documents }) => `${oneLine(name)} (${counted(documents, "document")})`)
          .join(", ") || "none",
      ],
      ["graph", plan.graph],
      ["index", `version ${plan.index_version}, ${counted(plan.segments, "segment")}`],
    ]),
    section(layout, "→ Lexical candidates (BM25)", scored(candidates.lexical)),
    section(layout, "→ Dense candidates (cosine)", scored(candidates.dense)),
    section(
      layout,
      "→ Fused: score, lexical, dense",
      fused.map((one) => [
        ...[one.score, one.lexical, one.dense].map((score) => score.toFixed(4)),
        ...placeOf(one),
      ]),
    ),
    graph === null
      ? section(layout, "→ Graph", [["the graph had no word"]])
      : section(
          layout,
          `→ Graph: from the names ${graph.names.map(oneLine).join(", ")}`,
          graph.paths.map((path) => [
            path.score.toFixed(4),
            `${path.from_chunk_id} → ${shorten(oneLine(path.name), MAX_NAME)} → ${path.to_chunk_id}`,
          ]),
        ),
    section(
      layout,
      "→ Ranked",
      ranked.map((one) => [
        one.similarity.toFixed(4),
        one.returned ? "returned" : "",
        one.summarized ? "summarized" : "",
        ...placeOf(one),
      ]),
    ),
    section(
      layout,
      "→ Dropped",
      dropped.map((one) => [one.score.toFixed(4), one.reason, ...placeOf(one)]),
    ),
    `${layout.style.bold("→ Summary")}\n${wrap(oneLine(results.summary), layout.width, "  ")}\n`,
    section(
      whole,
      "Milliseconds",
      Object.entries(timings).map(([step, ms]) => [step, ms.toFixed(1)]),
    ),
  ];
  return parts.join("\n");
}

function placeOf({
  chunk_id,
  source_doc_id,
}: {
  chunk_id: string;
  source_doc_id: string;
}): readonly string[] {
  return [shorten(oneLine(source_doc_id), MAX_NAME), chunk_id];
}

function section({ rows, style }: Layout, title: string, cells: readonly (readonly string[])[]): string {
  const shown = cells.slice(0, rows).map(([first = "", ...rest]) => [`  ${first}`, ...rest]);
  const rest = cells.length - shown.length;
  const body = shown.length === 0 ? "  none\n" : table(shown);
  return `${style.bold(title)}\n${body}${rest > 0 ? style.dim(`  and ${rest} more\n`) : ""}`;
}
