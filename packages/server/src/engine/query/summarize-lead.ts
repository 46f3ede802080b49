/** Finds the headings and labels that are quoted above a line which says little alone. */
import type { Block, Span } from "../text/blocks.ts";
import type { LineContext, OutlinedBlock } from "./summarize-outline.ts";

export const MAX_LEAD_LINES = 2;
/** Longer ones, as of a table of dozens of columns, are left out: they would be most of the summary. */
const MAX_LEAD_UNITS = 420;

export interface Source {
  readonly chunk: { readonly text: string; readonly start: number };
  /** Whether the document begins with a heading that has no equals: it heads everything and tells lines apart from nothing. */
  readonly hasTitle: boolean;
}

export function hasTitle(chunk: Source["chunk"], [first, ...others]: readonly OutlinedBlock[]): boolean {
  if (chunk.start > 0 || first === undefined) return false;
  const most = first.level ?? 0;
  return !others.some(({ level }) => level !== null && level <= most);
}

/** The last headings and labels before a place, verbatim, one a line. A title is left out, unless it is what a list or an answer stands under. */
export function labelsAbove(
  {
    context,
    start: at,
    block,
  }: { readonly context: LineContext; readonly start: number; readonly block?: Block },
  { chunk, hasTitle }: Source,
  count: number,
): string {
  const { text } = chunk;
  const before = context.labels.filter(({ end }) => end <= at);
  const isLeadIn = (label: Span) =>
    label === before.at(-1) &&
    (block?.kind === "item" || context.isAnswer || /[:：]$/.test(text.slice(label.start, label.end)));
  const own = before.filter((label) => label.start > 2 || !hasTitle || isLeadIn(label));
  return short(
    own
      .slice(-count)
      .map(({ start, end }) => text.slice(start, end))
      .join("\n"),
  );
}

/** The empty string for one that is too long. */
export function short(lead: string): string {
  return lead.length > MAX_LEAD_UNITS ? "" : lead;
}
