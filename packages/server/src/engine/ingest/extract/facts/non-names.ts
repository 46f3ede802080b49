/** What is written as a name is and names nothing: amounts, contractions and headings in capitals. */
import type { Span } from "../../../../domain/graph.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import { hasLegalForm } from "./alias-candidates.ts";

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const eras: ReadonlySet<string> = new Set(["AD", "BC", "BCE", "CE"]);

/** "40 Wh", "EUR 390", "AD 780"; and "I'll", "Can't". */
export function isAmountOrContraction(written: string): boolean {
  if (/^\p{L}{1,8}['’](?:d|ll|m|re|t|ve)$/u.test(written)) return true;
  if (/^\d[\d.,]*\s?\p{L}{1,3}$/u.test(written)) return true;
  const code = /^(\p{Lu}{2,3})\s?\d[\d.,]*$/u.exec(written)?.[1] ?? "";
  return currencies.has(code) || eras.has(code);
}

/** A line of its own in capitals, which is no firm. `text`: of the passage; `span`: within it. */
export function isHeadingInCapitals(text: string, { start, end }: Span): boolean {
  const written = text.slice(start, end);
  if (/\p{Ll}/u.test(written) || !/\s/.test(written) || hasLegalForm(normalizeName(written))) return false;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const lineEnd = text.indexOf("\n", end);
  const after = text.slice(end, lineEnd < 0 ? text.length : lineEnd);
  return (
    !/[\p{L}\p{N}]/u.test(before.replace(/^[\s#*]*(?:\(?\d+[.)]*)+/, "")) && !/[\p{L}\p{N}]/u.test(after)
  );
}
