/** Tells rows of a table about what a question names from those about something else, which may name it in another column. */
import { nameFinder, normalizeName } from "../text/names/normal-form.ts";
import { queryTerms } from "../text/terms.ts";
import type { SentenceCandidate } from "./summarize-candidates.ts";
import { asksForList } from "./summarize-cues.ts";

/** Such a question asks for other rows. */
const COMPARES = /\b(?:than|same|others?|else|besides|except|like)\b/i;

/** How much of the first cell a name is. */
const NOT = 0;
const PART = 1;
const WHOLE = 2;

/**
 * Returns a test of rows: whether another row of the same table begins with a name of the question, or with nothing but it, and this one does not. A row that has
 * a name in a column of which the question has a word is none: "Who reports to Ann Lee?" asks for rows with her in "Reports to". `names`: normal forms.
 */
export function createOtherRows(
  query: string,
  names: readonly string[],
  candidates: readonly SentenceCandidate[],
): (candidate: SentenceCandidate) => boolean {
  if (names.length === 0 || asksForList(query) || COMPARES.test(query)) return () => false;
  const best = new Map<string, number>();
  for (const candidate of candidates) {
    if (candidate.row === null) continue;
    const table = tableOf(candidate);
    best.set(table, Math.max(best.get(table) ?? NOT, beginning(candidate, names)));
  }
  const asked = new Set(queryTerms(query));
  return (candidate) =>
    beginning(candidate, names) < (best.get(tableOf(candidate)) ?? NOT) &&
    !isNamedAsAsked(candidate, { names, asked });
}

function tableOf({ versionId, context, row }: SentenceCandidate): string {
  return row === null ? "" : `${versionId}\n${context.columnNames?.join("\n") ?? row.cells.length}`;
}

function beginning({ row }: SentenceCandidate, names: readonly string[]): number {
  const [first] = row?.cells ?? [];
  if (first === undefined) return NOT;
  const own = normalizeName(first.stored);
  if (names.includes(own)) return WHOLE;
  return names.some(nameFinder(first.stored)) ? PART : NOT;
}

function isNamedAsAsked(
  { row }: SentenceCandidate,
  { names, asked }: { readonly names: readonly string[]; readonly asked: ReadonlySet<string> },
): boolean {
  return (row?.cells ?? [])
    .slice(1)
    .some(
      ({ name, stored }) =>
        names.some(nameFinder(stored)) && (name === "" || queryTerms(name).some((term) => asked.has(term))),
    );
}
