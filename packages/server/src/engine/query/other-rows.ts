/** Tells rows of a table about what a question names from those about something else, which may name it in another column. */
import { nameFinder, normalizeName } from "../text/names/normal-form.ts";
import { queryTerms } from "../text/terms.ts";
import type { SentenceCandidate } from "./summarize-candidates.ts";
import { asksForList } from "./summarize-cues.ts";
import { splitRow } from "./table-rows.ts";

/** Such a question asks for other rows. */
const COMPARES = /\b(?:than|same|others?|else|besides|except|like)\b/i;

/** Of the columns' names, by which a table is known. */
const KNOWN_UNITS = 60;
/** How a row begins: with something else, with a cell that has a name of the question, or with one that the question has as a whole. */
const OTHER = 0;
const PART = 1;
const WHOLE = 2;

/**
 * Returns a test of rows: whether another row of the same table begins more like what the question names. A row that has
 * a name in a column of which the question has a word is none: "Who reports to Ann Lee?" asks for rows with her in "Reports to". `names`: of the question, in normal
 * form.
 */
export function createOtherRows(
  query: string,
  names: readonly string[],
  candidates: readonly SentenceCandidate[],
): (candidate: SentenceCandidate) => boolean {
  if (asksForList(query) || COMPARES.test(query)) return () => false;
  const rows = candidates.filter(({ row }) => row !== null);
  const wholes = keysIn(query, new Set(rows.map(keyOf)));
  const beginning = (candidate: SentenceCandidate): number => {
    if (wholes.has(keyOf(candidate))) return WHOLE;
    return names.some(nameFinder(firstOf(candidate))) ? PART : OTHER;
  };
  const best = new Map<string, number>();
  for (const row of rows) {
    const table = tableOf(row);
    best.set(table, Math.max(best.get(table) ?? OTHER, beginning(row)));
  }
  const asked = new Set(queryTerms(query));
  return (candidate) =>
    candidate.row !== null &&
    beginning(candidate) < (best.get(tableOf(candidate)) ?? OTHER) &&
    !isNamedAsAsked(candidate, { names, asked });
}

/** Those that the question has as a whole, but for those within longer ones alone: "Rose Hill" has no "Rose". */
function keysIn(query: string, keys: ReadonlySet<string>): ReadonlySet<string> {
  let words = ` ${normalizeName(query)} `;
  const found = new Set<string>();
  for (const key of [...keys].toSorted((one, other) => other.length - one.length)) {
    if (key.length > query.length || !words.includes(` ${key} `) || queryTerms(key).length === 0) continue;
    found.add(key);
    words = words.replaceAll(` ${key} `, " | ");
  }
  return found;
}

const firstOf = ({ row }: SentenceCandidate) => row?.cells[0]?.stored ?? "";
const keyOf = (candidate: SentenceCandidate) => normalizeName(firstOf(candidate));

/** By what it stands under at last: the row with the columns' names, of which a chunk within the table may have the beginning alone. */
function tableOf({ versionId, context }: SentenceCandidate): string {
  const columns = splitRow(context.above.at(-1) ?? "").join("\n");
  return `${versionId}\n${columns.slice(0, KNOWN_UNITS)}`;
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
