/** Finds the words of a sentence that it does not itself tell: denied, supposed, made up, or left to others. */

import {
  anybody,
  certain,
  claims,
  conditions,
  denials,
  doubts,
  fictions,
  hearsay,
  modals,
  performances,
  proofs,
  sources,
  tales,
  untrue,
  views,
} from "./doubt-words.ts";
import { isFormOfBe, type TaggedToken, type TokenRange } from "./tagged-token.ts";

type Tokens = readonly TaggedToken[];

/** In words: how far before "that" is read, how long an inserted clause is, and a name with what belongs to it. */
const REACH = { matrix: 6, aside: 14, hearsay: 7, opening: 8, outsideQuotes: 6, counted: 4 };

/** For each token 1 where it stands in such a part. A part is looked for at each token, up to the sentence's end, which is in the same chunk. */
export function findUnsettledParts(tokens: Tokens): Uint8Array {
  const found = new Uint8Array(tokens.length);
  for (const at of tokens.keys()) {
    for (const read of readers) {
      const part = read(tokens, at);
      if (part !== null) found.fill(1, part.from, part.to);
    }
  }
  return found;
}

export function overlaps(parts: Uint8Array, { from, to }: TokenRange): boolean {
  return parts.subarray(from, to).includes(1);
}

const isMark = (token: TaggedToken | undefined) => token !== undefined && /^[.;:,()–—]$/.test(token.text);
const isTurn = (token: TaggedToken | undefined) =>
  /^(?:but|yet|although|though|whereas|while)$/.test(token?.lower ?? "");

/** Where what begins at `from` is over: at a semicolon, or where ", but" says otherwise. */
function clauseEnd(tokens: Tokens, from: number): number {
  let at = from;
  while (at < tokens.length) {
    if (/^[;:]$/.test(tokens[at]?.text ?? "")) return at;
    if (tokens[at]?.text === "," && isTurn(tokens[at + 1])) return at;
    at++;
  }
  return at;
}

function commaAfter(tokens: Tokens, from: number): number {
  const at = tokens.findIndex(({ text }, index) => index >= from && /^[,;]$/.test(text));
  return at < 0 ? tokens.length : at;
}

type Read = (tokens: Tokens, at: number) => TokenRange | null;

/** "It is false that …", "the claim that …", "nobody believes that …". */
const readThat: Read = (tokens, at) => {
  if (!opensClause(tokens, at)) return null;
  let to = at;
  // "It is untrue, however, that": an insertion is stepped over.
  if (tokens[to - 1]?.text === ",") to = tokens.slice(0, to - 1).findLastIndex(({ text }) => text === ",");
  if (certain.has(tokens[to - 1]?.lower ?? "")) return null;
  const least = Math.max(0, to - REACH.matrix);
  const from = tokens.slice(least, Math.max(least, to)).findLastIndex(isMark) + 1 + least;
  for (let word = from; word < to; word++)
    if (isOpen(tokens, word, to)) return { from: at, to: clauseEnd(tokens, at) };
  return null;
};

/** Whether "that" does; the tagger takes many of these for relative pronouns. */
function opensClause(tokens: Tokens, at: number): boolean {
  if (tokens[at]?.lower !== "that") return false;
  const before = tokens[at - 1];
  const isTold = isTale(tokens, at - 1) || (before?.tag === "NOUN" && proofs.has(before.lemma));
  return tokens[at]?.tag === "SCONJ" || before?.tag === "VERB" || isTold;
}

/** A noun that opens the sentence is often tagged as a name. */
function isTale(tokens: Tokens, at: number): boolean {
  const { lower = "", lemma = "", tag = "" } = tokens[at] ?? {};
  return at === 0 ? tales.has(lower.replace(/s$/, "")) : tag === "NOUN" && tales.has(lemma);
}

/** Of a word before "that". */
function isOpen(tokens: Tokens, at: number, that: number): boolean {
  const { lower = "", lemma = "", tag = "" } = tokens[at] ?? {};
  if (denials.has(lower) || /^(?:no|little)$/.test(lower))
    return !/^(?:only|until|just)$/.test(tokens[at + 1]?.lower ?? "");
  if (modals.has(lower) || doubts.has(lower) || anybody.has(lower) || isUnvouched(tokens, at)) return true;
  // "The report shows that": the report vouches for it.
  if (isTale(tokens, at)) return !tokens.slice(at + 1, that).some(({ tag: other }) => other === "VERB");
  return (/^(?:ADJ|NOUN)$/.test(tag) && untrue.has(lower)) || (tag === "VERB" && claims.has(lemma));
}

/** "Is said", "it was widely reported", "some say", "legend has it". */
export function isUnvouched(tokens: Tokens, at: number): boolean {
  const { lemma = "", lower = "" } = tokens[at] ?? {};
  const before = tokens[tokens[at - 1]?.tag === "ADV" ? at - 2 : at - 1];
  if (before === undefined) return false;
  const isSource = sources.has(before.lemma) || sources.has(before.lower);
  if (isSource && (hearsay.has(lemma) || /^(?:has|holds)$/.test(lower))) return true;
  return hearsay.has(lemma) && (isFormOfBe(before) || anybody.has(before.lower));
}

/** "Few think X founded Y", "some say X did": the same without "that". */
const readView: Read = (tokens, at) => {
  const { lemma = "", tag = "" } = tokens[at] ?? {};
  const isView = (tag === "VERB" && views.has(lemma)) || (lemma === "say" && isUnvouched(tokens, at));
  if (!isView || !/^(?:PROPN|DET|PRON|NOUN)$/.test(tokens[at + 1]?.tag ?? "")) return null;
  const length = tokens.slice(at + 2).findIndex((token) => isMark(token) || isVerbal(token));
  const next = tokens[at + 2 + length];
  return next !== undefined && isVerbal(next) ? { from: at + 1, to: clauseEnd(tokens, at) } : null;
};

const isVerbal = ({ tag }: TaggedToken) => tag === "VERB" || tag === "AUX";

/** "Was not, as is often written, born": what goes on behind the insertion is denied. */
const readInsertion: Read = (tokens, at) => {
  const isDenied =
    denials.has(tokens[at]?.lower ?? "") && tokens.slice(Math.max(0, at - 2), at).some(isVerbal);
  const mark = tokens[at + 1]?.text ?? "";
  if (!isDenied || !/^[,(–—]$/.test(mark)) return null;
  const closing = mark === "(" ? ")" : mark;
  const length = tokens.slice(at + 2, at + 2 + REACH.aside).findIndex(({ text }) => text === closing);
  const from = at + 3 + length;
  const goesOn = /^(?:VERB|AUX|ADJ|ADV|DET|ADP|NOUN)$/.test(tokens[from]?.tag ?? "");
  return length > 0 && goesOn ? { from, to: clauseEnd(tokens, from) } : null;
};

/** "It was not X who founded Y." */
const readCleft: Read = (tokens, at) => {
  const [it, be] = tokens.slice(Math.max(0, at - 2), at);
  if (tokens[at]?.lower !== "not" || it?.lower !== "it" || be === undefined || !isFormOfBe(be)) return null;
  if (!/^(?:PROPN|DET|ADP)$/.test(tokens[at + 1]?.tag ?? "") || tokens[at + 1]?.lower === "until")
    return null;
  const to = clauseEnd(tokens, at);
  const goesOn = tokens.slice(at, to).some(({ lower }) => /^(?:who|that|which)$/.test(lower));
  return goesOn ? { from: at, to } : null;
};

/** "Had X bought Y, …", "suppose that X …", "if X …". */
const readCondition: Read = (tokens, at) => {
  const { lower = "", lemma = "" } = tokens[at] ?? {};
  if (conditions.has(lower)) return { from: at, to: commaAfter(tokens, at) };
  const isFirst = at === 0 || (at === 1 && tokens[0]?.tag === "CCONJ");
  if (!isFirst) return null;
  const next = tokens[at + 1];
  if (/^(?:suppose|imagine|assume|pretend)$/.test(lemma) && next?.lower === "that")
    return { from: at, to: clauseEnd(tokens, at) };
  const isInverted = /^(?:had|were|should)$/.test(lower) && /^(?:PROPN|DET|PRON|NOUN)$/.test(next?.tag ?? "");
  const to = commaAfter(tokens, at);
  return isInverted && to < tokens.length && tokens.slice(at + 1, to).some(isVerbal)
    ? { from: at, to }
    : null;
};

/** "Everyone but X", "except X", "unlike X", "not X but Y": the sentence tells nothing of X, or not this. */
const readException: Read = (tokens, at) => {
  const from = exceptedFrom(tokens, at);
  if (from < 0) return null;
  let to = from;
  while (to < tokens.length && !isTurn(tokens[to]) && belongsToName(tokens[to])) to++;
  return { from, to };
};

/** Where the name of the excepted begins, −1 where nothing is. "None other than X", "nobody but X" except nobody. */
function exceptedFrom(tokens: Tokens, at: number): number {
  const { lower = "" } = tokens[at] ?? {};
  const before = tokens[at - 1];
  const isPair = exceptingPairs.test(`${before?.lower} ${lower}`);
  if (isPair || excepts.test(lower))
    return nobody.test(tokens[isPair ? at - 2 : at - 1]?.lower ?? "") ? -1 : at + 1;
  if (lower === "but") {
    const near = tokens.slice(Math.max(0, at - REACH.counted), at);
    const all = near.findLastIndex((token) => everybody.test(token.lower));
    const isJoined = all >= 0 && !near.slice(all).some((token) => isVerbal(token) || isMark(token));
    return isJoined ? at + 1 : -1;
  }
  const isOther = lower === "not" && /^(?:PROPN|DET|ADP)$/.test(tokens[at + 1]?.tag ?? "");
  return isOther && (at === 0 || isMark(before)) ? at + 1 : -1;
}

const exceptingPairs = /^(?:rather than|other than|instead of|apart from|exception of)$/;
const excepts = /^(?:except|excepting|excluding|unlike)$/;
const nobody = /^(?:none|nobody|nothing|one)$/;
const everybody = /^(?:all|every|everyone|everybody|everything|any|anyone|anybody|anything)$/;

const belongsToName = (token: TaggedToken | undefined) =>
  token !== undefined &&
  (/^(?:DET|ADJ|NOUN|PROPN|NUM|PRON|ADP|CCONJ|PART)$/.test(token.tag) || /^["“”'’]$/.test(token.text));

/** "In the novel, X was born in Y", "according to legend, …". */
const readFiction: Read = (tokens, at) => {
  const isStart = at === 0 || isMark(tokens[at - 1]) || tokens[at - 1]?.tag === "CCONJ";
  const { lower = "" } = tokens[at] ?? {};
  const isAccording = lower === "according" && tokens[at + 1]?.lower === "to";
  if (!isStart || !(lower === "in" || isAccording)) return null;
  const comma = commaAfter(tokens, at);
  const opening = tokens.slice(at, comma);
  if (opening.length > REACH.opening || /^(?:which|who|whose)$/.test(tokens[comma + 1]?.lower ?? ""))
    return null;
  const isMadeUp = opening.some((token, index) =>
    isAccording ? sources.has(token.lemma) : isFiction(opening, index),
  );
  const to = clauseEnd(tokens, comma);
  const verb = tokens.slice(comma, to).find(({ tag }) => tag === "VERB");
  return isMadeUp && !performances.has(verb?.lemma ?? "") ? { from: comma, to } : null;
};

/** "His first film" is a work of somebody's life, but "her dream" is none; "the story of the firm" is told as true. */
function isFiction(opening: Tokens, at: number): boolean {
  const { lemma = "", lower = "", tag = "" } = opening[at] ?? {};
  if (/^(?:fictional|imaginary)$/.test(lower)) return true;
  const next = opening[at + 1];
  if (!/^(?:NOUN|ADJ)$/.test(tag) || /^(?:of|['’]s?)$/.test(next?.lower ?? "") || next?.tag === "NOUN")
    return false;
  const isOwn = /^(?:his|her|its|their)$/.test(opening[1]?.lower ?? "");
  const onScreen =
    /^(?:series|game|show|drama)$/.test(lower) &&
    /^(?:tv|television|video|computer)$/.test(opening[at - 1]?.lower ?? "");
  return onScreen || (fictions.has(lemma) && (!isOwn || lemma === "dream"));
}

/** ", it is claimed," ", so the story goes," ", or so he claimed": all of the sentence is somebody's claim. */
const readAside: Read = (tokens, at) => {
  if (!/^[,(–—]$/.test(tokens[at]?.text ?? "") || !/^(?:as|so|or|it)$/.test(tokens[at + 1]?.lower ?? ""))
    return null;
  const length = tokens.slice(at + 1, at + 2 + REACH.hearsay).findIndex(isMark);
  const aside = tokens.slice(at + 1, at + 1 + length);
  const last = aside.at(-1);
  if (length < 2 || last === undefined) return null;
  const isClaim = last.tag === "VERB" && (views.has(last.lemma) || isUnvouched(tokens, at + length));
  if (!isClaim && !aside.some(({ lemma }) => sources.has(lemma))) return null;
  const from = tokens.slice(0, at).findLastIndex(({ text }) => /^[;:]$/.test(text)) + 1;
  return { from, to: clauseEnd(tokens, at + 1 + length) };
};

/** 'The claim "X founded Y"', '"X founded Y" is a myth'. */
const readQuotation: Read = (tokens, at) => {
  if (!/^["“]$/.test(tokens[at]?.text ?? "")) return null;
  const length = tokens.slice(at + 1).findIndex(({ text }) => /^["”]$/.test(text));
  const to = at + 1 + length;
  if (length < 3 || !tokens.slice(at + 1, to).some(isVerbal)) return null;
  for (let word = Math.max(0, at - 2); word <= to + REACH.outsideQuotes; word++) {
    const isInside = word >= at && word <= to;
    // 'The song "X" is a tale of Y'.
    const isAbout = /^(?:of|about|by)$/.test(tokens[word + 1]?.lower ?? "");
    const isTaken = (isTale(tokens, word) && !isAbout) || untrue.has(tokens[word]?.lower ?? "");
    if (!isInside && isTaken) return { from: at, to };
  }
  return null;
};

const readers = [
  readThat,
  readView,
  readInsertion,
  readCleft,
  readCondition,
  readException,
  readFiction,
  readAside,
  readQuotation,
] as const;
