/** Reads the lines of lists: types with their properties, relationships with their ends. */
import { nameKey } from "../../../domain/ontology/fields.ts";
import type { Draft } from "./draft.ts";
import { splitOutside } from "./layout.ts";
import { edgeName, typeName, wordsOf } from "./names.ts";
import { isTemporal, temporalProperties } from "./temporal.ts";

/** Prose that a list item brings along: the part behind a type's name. */
export interface ItemRest {
  readonly type: string;
  readonly sentence: string;
}

const MAX_NAME_WORDS = 5;
const MAX_PROPERTY_WORDS = 4;
const DIVIDER = /[:：]| [-–—] |\b(?:with|has|have|having|which|that)\b/i;

/** "Product (name, price): what is sold" → the type with its properties; null where no name of a type begins the line. */
export function readTypeItem(text: string, draft: Draft): ItemRest | null {
  const plain = text.replace(/\*\*|__|`/g, "").trim();
  const bracket = /\(([^()]*)\)/.exec(plain);
  const outside = bracket === null ? plain : plain.replace(bracket[0], " ");
  const divider = DIVIDER.exec(outside);
  const head = outside.slice(0, divider?.index).trim();
  const rest = divider === null ? "" : outside.slice(divider.index + divider[0].length).trim();
  const names = head
    .replace(/^(?:an?|the|each|every)\s+|[.;]{1,8}$/gi, "")
    .split(/ (?:and|or|&) |[/,]/i)
    .map((name) => name.trim())
    .filter((name) => wordsOf(name).length > 0 && wordsOf(name).length <= MAX_NAME_WORDS);
  const [name] = names;
  if (name === undefined) return null;
  const isOwned = /with|has|have|having/i.test(divider?.[0] ?? "");
  const [owner, owned] = cut(rest, / (?:with|having|has) /i);
  const ownedList = isOwned || owned === null ? null : propertiesOf(owned, true);
  const list =
    ownedList ?? propertiesOf(rest.replace(/^(?:properties|attributes|fields)\s*:\s*/i, ""), isOwned);
  const types = names.map((each) =>
    draft.mention(each, "listed", ownedList !== null ? owner.replace(/,$/, "") : list === null ? rest : ""),
  );
  const [type = ""] = types;
  for (const property of [...bracketProperties(bracket?.[1] ?? ""), ...(list ?? [])])
    draft.addProperty(type, property);
  return list === null && rest !== "" ? { type: name, sentence: rest } : null;
}

/** "(e.g. Acme, Initech)" are names of things, not properties. */
function bracketProperties(text: string): readonly string[] {
  if (/^\s*(?:e\.?g|for example|such as|i\.?e|plural|optional)/i.test(text)) return [];
  return splitOutside(text.replace(/^\s*(?:properties|attributes|fields)\s*:\s*/i, ""), ",")
    .map(cleanProperty)
    .filter((property) => wordsOf(property).length <= MAX_PROPERTY_WORDS);
}

/** The properties of "name, price and weight"; null where the text is something else. */
export function propertiesOf(text: string, isOwned: boolean): readonly string[] | null {
  const parts = splitOutside(text.replace(/\.\s*$/, ""), ",")
    .flatMap((part) => part.split(/\s(?:and|&|\+)\s|^(?:and|&)\s/i))
    .map(cleanProperty)
    .filter((part) => part !== "");
  const isList = parts.length >= (isOwned ? 1 : 2);
  const areShort = parts.every((part) => wordsOf(part).length <= 3 && !/[.;]/.test(part));
  return isList && areShort ? parts : null;
}

/** "the name: string" and "price (in EUR)" are the name and the price. */
function cleanProperty(text: string): string {
  return text
    .replace(/\([^()]*\)|[:=][\s\S]*/g, "")
    .trim()
    .replace(/^(?:an?|the|its|their|one or more|optional)\s+/i, "");
}

/** Whether a line was read as a relationship. Sentences ("Authors write books") are left to the reader of prose. */
export function readEdgeItem(text: string, draft: Draft): boolean {
  const plain = text.replace(/\*\*|__|`/g, "").trim();
  const found = readArrows(plain) ?? readBetweenTypes(plain, draft);
  if (found === null) return false;
  for (const source of endsOf(found.source)) {
    for (const target of endsOf(found.target)) {
      draft.addEdge({
        name: edgeName(found.name) || "RELATED_TO",
        source: draft.mention(source, "linked"),
        target: draft.mention(target, "linked"),
        isTemporal: isTemporal(plain),
        properties: temporalProperties(plain),
      });
    }
  }
  return true;
}

interface FoundEdge {
  readonly name: string;
  readonly source: string;
  readonly target: string;
}

/** "A → does → B", "does: A → B", "(A)-[:DOES]→(B)", "A → B (does)", "A → B: does". */
function readArrows(text: string): FoundEdge | null {
  const parts = text.split("→").map((part) => part.trim());
  if (/^(?:wh\w{2,3}|how) /i.test(parts.at(-1) ?? "")) return null;
  if (parts.length === 3) {
    const [source = "", name = "", target = ""] = parts;
    const end = tailOf(target);
    return hasWords(source, name, end.noun)
      ? { source: beforeName(source).noun, name, target: end.noun }
      : null;
  }
  if (parts.length !== 2) return null;
  const [left = "", right = ""] = parts;
  const [, source = "", inBrackets = ""] = /^([^[]*)\[([^[\]]*)\] ?-{0,8}$/.exec(left) ?? [];
  const end = tailOf(right);
  if (hasWords(source, inBrackets, end.noun)) return { source, name: inBrackets, target: end.noun };
  const named = beforeName(left);
  const isTailName = wordsOf(end.tail).length <= 4;
  const name = named.name !== "" ? named.name : isTailName ? end.tail : "";
  if (!hasWords(named.noun, end.noun)) return null;
  return { source: named.noun, name, target: end.noun };
}

/** "works for: Person" → name and noun; "works for (Person" likewise. */
function beforeName(left: string): { readonly name: string; readonly noun: string } {
  const [name, noun] = cut(left, /[:(]/);
  if (noun === null || noun === "" || wordsOf(name).length === 0) return { name: "", noun: left };
  return { name, noun };
}

/** "Company (since a date)" and "Company: where somebody works" → noun and the rest. */
function tailOf(right: string): { readonly noun: string; readonly tail: string } {
  const [noun, tail] = cut(right.replace(/^\(/, ""), /[:(,–—]| - /);
  const bare = noun.replace(/\)$/, "").trim();
  return tail === null || bare === "" || bare.includes(")")
    ? { noun: right.replace(/[()[\].]/g, " ").trim(), tail: "" }
    : { noun: bare, tail: tail.replace(/\)$/, "") };
}

/** What stands before and after the first place of the pattern, trimmed; null for what follows where there is no such place. */
function cut(text: string, at: RegExp): readonly [before: string, after: string | null] {
  const found = at.exec(text);
  if (found === null) return [text, null];
  return [text.slice(0, found.index).trim(), text.slice(found.index + found[0].length).trim()];
}

/** "Guide leads Tour", where lists have named both ends. */
function readBetweenTypes(text: string, draft: Draft): FoundEdge | null {
  const words = text.replace(/[.;]\s*$/, "").split(/\s+/);
  if (words.length < 3 || words.length > 10) return null;
  const ends = { source: 0, target: 0 };
  for (let length = 1; length <= 3; length++) {
    if (isKnown(words.slice(0, length), draft)) ends.source = length;
    if (isKnown(words.slice(-length), draft)) ends.target = length;
  }
  const name = words
    .slice(ends.source, words.length - ends.target)
    .filter((word) => !/^(?:an?|the)$/i.test(word));
  if (ends.source === 0 || ends.target === 0 || name.length === 0 || name.length > 4) return null;
  const [source, target] = [words.slice(0, ends.source), words.slice(-ends.target)];
  return { name: name.join(" "), source: source.join(" "), target: target.join(" ") };
}

function isKnown(words: readonly string[], draft: Draft): boolean {
  return draft.types.get(nameKey(typeName(words.join(" "))))?.evidence.has("listed") === true;
}

function hasWords(...parts: readonly string[]): boolean {
  return parts.every((part) => {
    const count = wordsOf(part).length;
    return count > 0 && count <= 8;
  });
}

/** "Person or Company" are two ends. */
function endsOf(text: string): readonly string[] {
  return text
    .split(/ (?:and|or|&) |[/,|]/i)
    .map((end) => end.trim().replace(/^(?:an?|the|each|every) /i, ""))
    .filter((end) => wordsOf(end).length > 0)
    .slice(0, 6);
}
