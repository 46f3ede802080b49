/** The result as a table in Markdown. */
import type { EmbedderAlone } from "./input.ts";
import type { Outcome, Way } from "./peer.ts";

const HEADERS = [
  ["", "---"],
  ["Version", "---"],
  ["Way", "---"],
  ["Ingest s", "--:"],
  ["CPU s", "--:"],
  ["Peak MiB", "--:"],
  ["Disk MiB", "--:"],
  ["p50 ms", "--:"],
  ["p95 ms", "--:"],
  ["CPU ms", "--:"],
  ["Recall@2", "--:"],
  ["Recall@5", "--:"],
  ["Needed", "---"],
] as const;

type Cell = string | number | null;

/** A row for each way to ask; a peer that was not measured has one with the reason. `passages`: how many there are. */
export function tableOf(
  outcomes: readonly Outcome[],
  { embedder, passages }: { readonly embedder: EmbedderAlone; readonly passages: number },
): string {
  const { passagesSeconds, passagesCpuSeconds, question } = embedder;
  const alone = [
    ...["the bundled model alone", "", "", rounded(passagesSeconds), rounded(passagesCpuSeconds), "", ""],
    ...[rounded(question.p50Ms), rounded(question.p95Ms), "", "", "", ""],
  ];
  const rows = [
    HEADERS.map(([name]) => name),
    HEADERS.map(([, line]) => line),
    alone,
    ...outcomes.flatMap((outcome) => rowsOf(outcome, passages)),
  ];
  return rows.map((row) => `| ${row.map(cellOf).join(" | ")} |`).join("\n");
}

function rowsOf(outcome: Outcome, passages: number): readonly (readonly Cell[])[] {
  const { name, version, needed } = outcome;
  if (outcome.kind !== "measured") {
    const verdict = outcome.kind === "missing" ? "Not installed" : "Failed";
    const blank = HEADERS.slice(2, -1).map(() => "");
    return [[name, version, ...blank, `${verdict}: ${outcome.reason}. Needs ${needed}`]];
  }
  const { ingest, peakPssMiB, diskMiB, ways } = outcome;
  const part = ingest.passages < passages ? ` for ${ingest.passages} passages` : "";
  const embedding = ingest.model === undefined ? "" : ` (${rounded(ingest.model.embeddedSeconds)} embedding)`;
  const of = [
    `${rounded(ingest.seconds)}${part}${embedding}`,
    rounded(ingest.cpuSeconds),
    peakPssMiB,
    diskMiB,
  ];
  return ways.map((way, at) =>
    at === 0
      ? [name, version, way.way, ...of, ...figuresOf(way), needed]
      : ["", "", way.way, ...of.map(() => ""), ...figuresOf(way), ""],
  );
}

function figuresOf({ p50Ms, p95Ms, cpuMs, recall2, recall5 }: Way): readonly Cell[] {
  return [rounded(p50Ms), rounded(p95Ms), rounded(cpuMs), recall2, recall5];
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function cellOf(cell: Cell): string {
  if (cell === null || Number.isNaN(cell)) return "–";
  return String(cell).replaceAll("|", "\\|").replaceAll("\n", " ");
}
