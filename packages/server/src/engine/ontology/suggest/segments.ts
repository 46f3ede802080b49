/** Divides a sentence where grammar does not reach across: brackets, dashes, colons, and lists of properties after what has them. */
import { isPropertyNoun } from "./framing-words.ts";
import { propertiesOf } from "./list-items.ts";
import { wordsOf } from "./names.ts";
import { singular } from "./word-forms.ts";

export type Segment =
  | { readonly kind: "prose"; readonly text: string; readonly isItem: boolean }
  /** "pubs (name, town)", "pubs: name, town": the owner is the last, or the first, thing that `owner` names. */
  | {
      readonly kind: "properties";
      readonly owner: string;
      readonly isLast: boolean;
      readonly names: readonly string[];
    };

const BRACKET = /\s?\(([^()]{0,400})\)/g;
const OWNER_UNITS = 80;
const FEWEST_PARTS = 3;
/** Of the names of a list that stands alone so many tell properties; where an owner stands before, one is enough. */
const SOLE_SHARE = 0.5;

/** "persons / firms / places": signs between single words. */
const SLASHES = /(?<=\s\w{1,30})\s\/\s(?=\w{1,30}(?:\s\/|[,.;]|$))/g;

export function segmentsOf(sentence: string, isItem: boolean): readonly Segment[] {
  const found: Segment[] = [];
  const whole = sentence
    .replace(/^\s*\(([^()]*)\)\s*$/, "$1")
    .replace(/\s[-–—]\s([^-–—]{1,60})\s[-–—]\s/g, " ($1) ");
  const text = whole.replace(BRACKET, (_, inner: string, at: number) =>
    readBracket(inner, textBefore(whole, at), found),
  );
  const parts = text
    .replace(SLASHES, ", ")
    .split(/;|\s\/\s|\s[-–—]\s/)
    .map((part) => part.trim());
  const [owner = ""] = parts;
  const read = (part: string, at: number) => {
    const names = part.includes(":") ? null : listOf(part, SOLE_SHARE);
    if (names === null) return readPart(part, isItem || parts.length >= FEWEST_PARTS);
    return [{ kind: "properties" as const, owner: at === 0 ? "" : owner, isLast: false, names }];
  };
  return [...parts.flatMap(read), ...found];
}

function textBefore(text: string, at: number): string {
  const from = Math.max(0, at - OWNER_UNITS);
  const before = text.slice(from, at).replace(/\([^()]*\)/g, "");
  return from > 0 ? before.replace(/^\S*\s/, "") : before;
}

/** What stands in its place: "born in (village)" lacks the village. */
function readBracket(inner: string, before: string, found: Segment[]): string {
  if (/\b(?:in|at|on|to|by|of|from|with|for)$/i.test(before)) return ` ${inner}`;
  const names = listOf(inner, 0);
  const [last = ""] = wordsOf(before).slice(-1);
  if (names !== null) found.push({ kind: "properties", owner: before, isLast: true, names });
  else if (isPropertyNoun(singular(last)) && wordsOf(inner).length <= 2)
    found.push({
      kind: "properties",
      owner: inner,
      isLast: true,
      names: [before.replace(/^.*[,;:(]/, "").trim()],
    });
  else if (
    /^\s*(?:(?:who|which|that)|\w{2,20}(?:ed|en|wn|ught) (?:by|in|at|from|to|on|with|for))\s/.test(inner)
  )
    found.push({ kind: "prose", text: `${before.replace(/^.*[,;:(]/, "")} ${inner}`, isItem: false });
  else if (wordsOf(inner).length > 2 && !inner.includes(","))
    found.push({ kind: "prose", text: inner, isItem: false });
  return " ";
}

/** The names of a list of properties, by the share of those that are sure to be; null for any other text. */
function listOf(text: string, share: number): readonly string[] | null {
  if (/^\s*(?:e\.?g|for example|such as|i\.?e)|\.\.\.|…/i.test(text)) return null;
  const names = propertiesOf(text, true) ?? [];
  const sure = names.filter((name) => isPropertyNoun(wordsOf(name).at(-1) ?? ""));
  return sure.length > 0 && sure.length >= share * names.length ? names : null;
}

function readPart(part: string, isItem: boolean): readonly Segment[] {
  const colon = part.search(/:\s/);
  if (colon < 0) return part === "" ? [] : [{ kind: "prose", text: part, isItem }];
  const [head, rest] = [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
  if (/^(?:is|are|was|were|has|have|can|may|must|own|use|run)\s/.test(rest))
    return [{ kind: "prose", text: `${head} ${rest}`, isItem }];
  const names = listOf(rest, 0);
  const title: Segment = { kind: "prose", text: head, isItem };
  if (names !== null) return [title, { kind: "properties", owner: head, isLast: false, names }];
  return [title, ...readPart(rest, true)];
}
