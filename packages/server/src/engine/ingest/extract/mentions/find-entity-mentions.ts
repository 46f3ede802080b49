/** Finds what may be an entity in a sentence: names, terms, titles in quotes, dates, amounts, nationalities. */

import { dateAt } from "../../../text/date-patterns.ts";
import { isFormOfBe, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";
import { amountAt } from "./amounts.ts";
import { isDemonym, isUnsureDemonym } from "./demonyms.ts";
import { titleSubject } from "./document-title.ts";
import { type EntityMention, MENTION_LIMITS, type MentionKind } from "./entity-mention.ts";
import { findFirmNames } from "./firm-names.ts";
import { findNameRuns, findNameTokens, looselyExtended } from "./name-runs.ts";
import { findTermRuns, isTermEnd, isTermStart } from "./term-runs.ts";

/**
 * The mentions of a sentence by where they begin, longer ones first; readings that overlap stand side by side, each linked to the
 * one that it varies. Deterministic, at most `MENTION_LIMITS.mentions`; about 0.05 ms for a sentence.
 * `title`: of the document, where the chunk says something of it; null = none.
 */
export function findEntityMentions(
  tokens: readonly TaggedToken[],
  title: string | null = null,
): readonly EntityMention[] {
  const draft = createDraft(tokens);
  const titled = title === null ? null : titleSubject(tokens, title);
  if (titled !== null) draft.add(titled, "proper", -1, { isTitle: true });
  const isTaken = addDates(draft);
  if (titled !== null) isTaken.fill(true, titled.from, titled.to);
  addQuoted(draft);
  const isName = findNameTokens(tokens).map((name, at) => name && !isTaken[at]);
  const firms = findFirmNames(tokens);
  const isOfFirm = ({ from, to }: TokenRange) => firms.some((firm) => from < firm.to && firm.from < to);
  for (const firm of firms) draft.add(firm, "proper", -1, { isFirm: true });
  for (const run of findNameRuns(tokens, isName)) if (!isOfFirm(run)) addName(draft, run, isName);
  const isUsed = isTaken.map((taken, at) => taken || isOfFirm({ from: at, to: at + 1 }));
  for (const run of findTermRuns(tokens, isName, isUsed)) addTerm(draft, run, isName);
  return draft.finish();
}

type MentionForm = Pick<EntityMention, "isFirm" | "isNamed" | "isTitle">;

interface Draft {
  readonly tokens: readonly TaggedToken[];
  /** Index of the mention of these tokens, also where it is known already; −1 beyond the limits. */
  add(range: TokenRange, kind: MentionKind, variantOf: number, form?: MentionForm): number;
  finish(): readonly EntityMention[];
}

interface DraftMention extends TokenRange, MentionForm {
  readonly kind: MentionKind;
  readonly variantOf: number;
}

function createDraft(tokens: readonly TaggedToken[]): Draft {
  const found: DraftMention[] = [];
  const known = new Map<number, number>();
  return {
    tokens,
    add(range, kind, variantOf, form) {
      const length = range.to - range.from;
      if (length < 1 || length > MENTION_LIMITS.tokens || range.to > tokens.length) return -1;
      const key = range.from * (tokens.length + 1) + range.to;
      const before = known.get(key);
      if (before !== undefined) return before;
      if (found.length >= MENTION_LIMITS.mentions) return -1;
      known.set(key, found.length);
      found.push({ from: range.from, to: range.to, kind, variantOf, ...form });
      return found.length - 1;
    },
    finish: () => ordered(found, tokens),
  };
}

function ordered(found: readonly DraftMention[], tokens: readonly TaggedToken[]): readonly EntityMention[] {
  const order = found.map((_, index) => index);
  order.sort((a, b) => found[a]!.from - found[b]!.from || found[b]!.to - found[a]!.to);
  const place = new Int32Array(found.length);
  for (const [at, index] of order.entries()) place[index] = at;
  return order.map((index) => {
    const { from, to, kind, variantOf, isFirm, isNamed, isTitle } = found[index]!;
    const linked = variantOf < 0 ? null : (place[variantOf] ?? null);
    const [start, end] = [tokens[from]!.start, tokens[to - 1]!.end];
    // All of one shape, which what reads thousands of them is faster with.
    return { start, end, kind, from, to, variantOf: linked, isFirm, isNamed, isTitle };
  });
}

/** For each token whether it is part of a date or an amount. */
function addDates(draft: Draft): boolean[] {
  const { tokens } = draft;
  const isTaken = new Array<boolean>(tokens.length).fill(false);
  let at = 0;
  while (at < tokens.length) {
    const date = dateAt(tokens, at);
    const amount = date.to > at ? date : amountAt(tokens, at);
    const isOfName = amount.to === at + 1 && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? "");
    if (amount.to === at) at++;
    else {
      draft.add(amount, date.to > at ? "date" : "number", -1);
      if (!isOfName && (date.to > at + 1 || amount.to > at + 1)) isTaken.fill(true, at, amount.to);
      at = amount.to;
    }
  }
  return isTaken;
}

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "«": "»",
  "‘": "’",
  "``": "''",
  "„": "“",
};

function addQuoted(draft: Draft): void {
  const { tokens } = draft;
  for (let at = 0; at < tokens.length; at++) {
    const close = closing[tokens[at]?.text ?? ""];
    if (close === undefined) continue;
    const end = tokens.findIndex((token, index) => index > at + 1 && token.text === close);
    if (end < 0 || end - at - 1 > MENTION_LIMITS.tokens) continue;
    const to = /^[,.;]$/.test(tokens[end - 1]?.text ?? "") ? end - 1 : end;
    draft.add({ from: at + 1, to }, "quoted", -1);
    at = end;
  }
}

const isAbbreviation = /^(?:Bros|Inc|Corp|Co|Ltd|Jr|Sr)$/;

function addName(draft: Draft, run: TokenRange, isName: readonly boolean[]): void {
  const { tokens } = draft;
  const kind = kindOf(tokens, run.from, run.to);
  const whole = draft.add(run, kind, -1);
  addPieces(draft, run, whole);
  if (isAbbreviation.test(tokens[run.to - 1]!.text) && tokens[run.to]?.text === ".")
    draft.add({ from: run.from, to: run.to + 1 }, kind, whole);
  const starts = startsOf(tokens, run);
  for (const from of starts) draft.add({ from, to: run.to }, "proper", whole);
  let to = run.to;
  for (let steps = 0; steps < 2; steps++) {
    const extended = looselyExtended(tokens, to, isName);
    if (extended === to) break;
    to = extended;
    for (const from of [run.from, ...starts]) draft.add({ from, to }, "proper", whole);
  }
}

/** Where else a name may begin: at the small words before it that have a capital, and behind a leading number. */
function startsOf(tokens: readonly TaggedToken[], run: TokenRange): readonly number[] {
  const starts: number[] = [];
  let from = run.from;
  while (from > 0 && run.from - from < 3 && /^\p{Lu}/u.test(tokens[from - 1]!.text)) starts.push(--from);
  if (tokens[run.from - 1]?.text === "the") starts.push(run.from - 1);
  const isNumbered = /^\d/.test(tokens[run.from]!.text) && run.to - run.from > 1;
  return isNumbered ? [...starts, run.from + 1] : starts;
}

/** The parts of a name on both sides of what joins them, and the name without its first or last words. */
function addPieces(draft: Draft, run: TokenRange, whole: number): void {
  const { tokens } = draft;
  let from = run.from;
  for (let at = run.from + 1; at < run.to; at++) {
    const token = tokens[at]!;
    if (/^[\p{Lu}\d]/u.test(token.text)) continue;
    draft.add({ from, to: at }, kindOf(tokens, from, at), whole);
    let next = at + 1;
    while (next < run.to && !/^[\p{Lu}\d]/u.test(tokens[next]!.text)) next++;
    if (/^['’]s?$/.test(token.text)) draft.add({ from: run.from, to: at }, "proper", whole);
    draft.add({ from: next, to: run.to }, kindOf(tokens, next, run.to), whole);
    from = next;
  }
  if (from > run.from) draft.add({ from, to: run.to }, kindOf(tokens, from, run.to), whole);
  if (run.to - run.from > 1 && run.to - run.from <= 6) {
    for (let at = run.from + 1; at < run.to; at++) {
      if (/^[\p{Lu}\d]/u.test(tokens[at]!.text))
        draft.add({ from: at, to: run.to }, kindOf(tokens, at, run.to), whole);
      if (/^[\p{Lu}\d]/u.test(tokens[at - 1]!.text))
        draft.add({ from: run.from, to: at }, kindOf(tokens, run.from, at), whole);
    }
  }
}

function kindOf(tokens: readonly TaggedToken[], from: number, to: number): MentionKind {
  return to - from === 1 && isPeople(tokens, from) ? "demonym" : "proper";
}

/** "a Samoan sailor", "Samoans", "is Samoan"; "from Tehran" and "Edith Halloran" are names. */
function isPeople(tokens: readonly TaggedToken[], at: number): boolean {
  const { text } = tokens[at]!; // Of a run.
  if (!isDemonym(text)) return false;
  if (!isUnsureDemonym(text) || /s$/.test(text)) return true;
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  const isAdjective = next !== undefined && /^\p{Ll}/u.test(next.text) && /^(?:NOUN|ADJ)$/.test(next.tag);
  const isJoined = next?.text === "-" || before?.text === "-";
  return (
    isAdjective ||
    isJoined ||
    (before !== undefined && (isFormOfBe(before) || /^(?:an?)$/.test(before.lower)))
  );
}

/** A term and its parts that could stand alone: from any of its words that may begin one to any that may end one. */
function addTerm(draft: Draft, run: TokenRange, isName: readonly boolean[]): void {
  const { tokens } = draft;
  const hasSmall = (from: number, to: number) => isName.slice(from, to).includes(false);
  const whole = draft.add(run, "noun", -1, formOfTerm(tokens, run, isName));
  const last = Math.min(run.to, run.from + 8);
  for (let from = run.from; from < last; from++) {
    if (!isTermStart(tokens, from)) continue;
    for (let to = last; to > from; to--) {
      if (isTermEnd(tokens, to) && hasSmall(from, to)) draft.add({ from, to }, "noun", whole);
    }
  }
}

function formOfTerm(
  tokens: readonly TaggedToken[],
  { from, to }: TokenRange,
  isName: readonly boolean[],
): MentionForm {
  const before = tokens[from - 1];
  const names = isName.slice(from, to - 1);
  const isTold = names[0] === true && isName[to - 1] !== true && !isDemonym(tokens[from]!.text); // In the run.
  return isTold && before?.lower === "the" ? { isNamed: true } : {};
}
