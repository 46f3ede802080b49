/** Finds names of firms that are made of several names: "Brindle & Oak", "Smith, Jones and Partners". */
import { connectors, functionWords, openers } from "../../../text/names/name-words.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import { isGivenName } from "../types/glossary/given-names.ts";

/** Who else a firm is named after. */
const others = new Set(
  "partners sons son daughters daughter brothers bros sisters associates company co cie".split(" "),
);
const legalForms = new Set("ltd limited llp llc lp inc plc gmbh ag kg corp co company".split(" "));
/** "Terms & Conditions", "the FAQ & Help pages": what pages, departments and shops are called. */
const common = new Set(
  (
    "faq faqs help terms conditions health safety research development sales marketing food drink arts crafts bed breakfast trade industry " +
    "science technology questions answers profit loss mergers acquisitions human resources finance operations support news events privacy " +
    "cookies contact home garden fish chips salt pepper bread butter black white rock roll wear tear pros cons rules regulations policies " +
    "procedures tips tricks bits pieces parts accessories service repair parking travel tourism sports leisure culture heritage media"
  ).split(" "),
);
const MAX_LISTED = 5;
const MAX_SIDE = 4;

/**
 * Ranges of tokens, in order, apart. Two names joined by "&" are one firm unless both are names of people or of firms ("Ada Holt & Bo
 * Lind"); a list is one only where it ends as firms do. Linear.
 */
export function findFirmNames(tokens: readonly TaggedToken[]): readonly TokenRange[] {
  const firms: TokenRange[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text !== "&" && token.lower !== "and") continue;
    const last = firms.at(-1);
    if (last !== undefined && at < last.to) continue;
    const firm = firmAround(tokens, at);
    if (firm !== null && (last === undefined || firm.from >= last.to)) firms.push(firm);
  }
  return firms;
}

function firmAround(tokens: readonly TaggedToken[], joint: number): TokenRange | null {
  const from = startOfSide(tokens, joint);
  let to = endOfSide(tokens, joint + 1);
  if (from === joint || to === joint + 1) return null;
  const isNamedAfterOthers = others.has(plain(tokens[joint + 1]));
  if (tokens[joint]?.text === "&") {
    while (tokens[to]?.text === "&" && endOfSide(tokens, to + 1) > to + 1) to = endOfSide(tokens, to + 1);
  } else if (!isNamedAfterOthers) return null;
  if (tokens[to]?.text === "," && legalForms.has(plain(tokens[to + 1]))) to += 2;
  const isClosed = isNamedAfterOthers || legalForms.has(plain(tokens[to - 1]));
  if (!isClosed && isPairOfNames(tokens, { from, to }, joint)) return null;
  const start = isClosed ? startOfList(tokens, from) : from;
  // "Department of Trade & Industry".
  const before = tokens[start - 1];
  const isPart = before !== undefined && connectors.has(before.lower) && isName(tokens, start - 2);
  return isPart ? null : { from: start, to };
}

function plain(token: TaggedToken | undefined): string {
  return token?.lower.replace(/\.$/, "") ?? "";
}

/** Whether a token is written as a part of a name, and not only because it opens the sentence. */
function isName(tokens: readonly TaggedToken[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !/^\p{Lu}/u.test(token.text) || functionWords.has(token.lower)) return false;
  return at > 0 || !openers.has(token.lower);
}

function startOfSide(tokens: readonly TaggedToken[], end: number): number {
  let from = end;
  while (end - from < MAX_SIDE && isName(tokens, from - 1)) from--;
  return from;
}

function endOfSide(tokens: readonly TaggedToken[], from: number): number {
  let to = from;
  while (to - from < MAX_SIDE && isName(tokens, to)) to++;
  return to;
}

/** "Ada Holt & Bo Lind", "Ada & Bo Lind", "Q & A", "Terms & Conditions". */
function isPairOfNames(tokens: readonly TaggedToken[], { from, to }: TokenRange, joint: number): boolean {
  const [left, right] = [joint - from, to - joint - 1];
  if (tokens.slice(from, to).every(({ lower, text }) => text === "&" || common.has(lower))) return true;
  const isGiven = (at: number) => isGivenName(tokens[at]?.lower ?? "");
  if (left > 1 && right > 1) return true;
  if (tokens[from]?.text.length === 1 && tokens[to - 1]?.text.length === 1) return true;
  return isGiven(from) && isGiven(joint + 1);
}

/** The first of the single names that commas join to this one. */
function startOfList(tokens: readonly TaggedToken[], from: number): number {
  let start = from;
  for (let steps = 0; steps < MAX_LISTED && tokens[start - 1]?.text === ","; steps++) {
    const isSingle = isName(tokens, start - 2) && !isName(tokens, start - 3);
    // "In Cork, Pike & Ross LLP opened": a place, not a partner.
    const isPlace = start === 3 && tokens[0]?.tag === "ADP";
    if (!isSingle || isPlace) break;
    start -= 2;
  }
  return start;
}
