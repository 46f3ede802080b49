/** Compares figures with their limits. */
import { round } from "../report.ts";

export interface Row {
  readonly what: string;
  readonly limit: string;
  /** null = not measured in this run. */
  readonly value: number | null;
  readonly unit: string;
  readonly met: boolean | null;
}

interface Figure {
  readonly what: string;
  readonly value: number | null;
  readonly limit: number;
  readonly unit: string;
}

export function atMost(figure: Figure): Row {
  return toRow(figure, "≤", (value) => value <= figure.limit);
}

export function atLeast(figure: Figure): Row {
  return toRow(figure, "≥", (value) => value >= figure.limit);
}

export function under(figure: Figure): Row {
  return toRow(figure, "<", (value) => value < figure.limit);
}

function toRow({ what, value, limit, unit }: Figure, sign: string, isMet: (value: number) => boolean): Row {
  const measured = value !== null && Number.isFinite(value) ? value : null;
  return {
    what,
    limit: `${sign} ${limit} ${unit}`.trim(),
    value: measured === null ? null : round(measured, 3),
    unit,
    met: measured === null ? null : isMet(measured),
  };
}

/** One line per row, with aligned columns. */
export function printTable(rows: readonly Row[]): string {
  const cells = rows.map(({ what, limit, value, unit, met }) => [
    met === null ? "–" : met ? "met" : "MISSED",
    value === null ? "not measured" : `${value} ${unit}`.trim(),
    limit,
    what,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}\n`)
    .join("");
}
