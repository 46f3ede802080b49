/** Reads an extraction's reply item by item: what can be read is kept, the rest counted. Nothing in it is trusted yet. */
import { readOpenType } from "./model-types.ts";

export interface ReplyFact {
  readonly source: string;
  /** null where the kind says it, or nothing does. */
  readonly sourceType: string | null;
  /** A kind's label, an edge type, or the text's own words. */
  readonly kind: string;
  readonly target: string;
  readonly targetType: string | null;
  /** null where the kind is in the text's own words. */
  readonly evidence: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export interface ExtractionReply {
  readonly facts: readonly ReplyFact[];
  readonly entities: readonly { readonly name: string; readonly type: string }[];
  readonly properties: readonly {
    readonly name: string;
    readonly property: string;
    readonly value: string;
  }[];
  readonly aliases: readonly { readonly name: string; readonly alias: string }[];
  /** Items that could not be read. */
  readonly malformed: readonly string[];
}

/** Nobody states more in a chunk: the rest of a longer list is not looked at. */
const MAX_ITEMS = 200;
const MAX_TEXT = 1_000;
/** Of one source in one row. */
const MAX_ROW_FACTS = 40;
const LISTS = ["facts", "entities", "properties", "aliases"] as const;
/** Between two names of one thing, in rows. */
const SAME = /^(?:=|aka|also known as|also called|alias)$/i;

type Item = Readonly<Record<string, unknown>>;

/**
 * null where there is no usable structure: no list of facts or entities, or none of the items of any list can be read. A list alone
 * is taken for the facts. Items may be objects, or rows of strings: [name, type], [name, =, name],
 * [source, relation, target] and [source, type, relation, target, type], the last two with evidence behind, the last also with
 * further facts of the source behind: relation, target, type.
 */
export function readReply(value: unknown): ExtractionReply | null {
  const root: Item | null = Array.isArray(value) ? { facts: value } : asItem(value);
  if (root === null || !LISTS.slice(0, 2).some((list) => Array.isArray(root[list]))) return null;
  const reply = {
    facts: [] as ReplyFact[],
    entities: [] as { name: string; type: string }[],
    properties: [] as { name: string; property: string; value: string }[],
    aliases: [] as { name: string; alias: string }[],
    malformed: [] as string[],
  };
  for (const list of LISTS) {
    const items = root[list];
    if (!Array.isArray(items)) continue;
    for (const item of (items as readonly unknown[]).slice(0, MAX_ITEMS)) {
      if (!readItem(item, list, reply)) reply.malformed.push(quoteOf(item));
    }
  }
  const isNothingRead = LISTS.every((list) => reply[list].length === 0);
  return isNothingRead && reply.malformed.length > 0 ? null : reply;
}

type Collected = {
  -readonly [List in keyof ExtractionReply]: ExtractionReply[List][number][];
};

function readItem(item: unknown, list: (typeof LISTS)[number], into: Collected): boolean {
  if (Array.isArray(item)) return list === "facts" || list === "entities" ? readRow(item, into) : false;
  const fields = asItem(item);
  if (fields === null) return false;
  const field = (...names: readonly string[]) => textOf(names.map((name) => fields[name]).find(isText));
  const name = field("name");
  const alias = field("alias");
  if (list === "properties") {
    const [property, value] = [field("property"), field("value")];
    return name !== null && property !== null && value !== null
      ? into.properties.push({ name, property, value }) > 0
      : false;
  }
  if (list === "aliases") return name !== null && alias !== null && into.aliases.push({ name, alias }) > 0;
  const type = field("type");
  const [source, kind, target] = [field("source"), field("kind", "relation", "type"), field("target")];
  if (source === null && target === null && name !== null && type !== null)
    return into.entities.push({ name, type }) > 0;
  if (source === null || kind === null || target === null) return false;
  into.facts.push({
    ...{ source, kind, target },
    sourceType: field("source_type"),
    targetType: field("target_type"),
    evidence: field("evidence"),
    from: field("from"),
    to: field("to"),
  });
  return true;
}

function readRow(row: readonly unknown[], into: Collected): boolean {
  if (row.length < 2 || row.length > 2 + 3 * MAX_ROW_FACTS) return false;
  const texts = row.map((text) => (isText(text) ? text.trim() : ""));
  if (texts.slice(0, texts.length > 6 ? 2 : 6).includes("")) return false;
  const [first = "", second = "", third = "", fourth] = texts;
  if (texts.length === 2) into.entities.push({ name: first, type: second });
  else if (texts.length === 3 && SAME.test(second)) into.aliases.push({ name: first, alias: third });
  else if (texts.length < 5) into.facts.push(factOf([first, null], second, [third, null], fourth ?? null));
  else readFacts(texts, into);
  return true;
}

/** [source, type] and then one fact after the other; behind a single one its evidence. */
function readFacts(texts: readonly string[], into: Collected): void {
  const [source = "", sourceType = "", ...rest] = texts;
  // Where a model has left out a type here or there, the types' own names tell which.
  const isRegular = rest.length % 3 === 0 || rest.length === 4;
  for (let at = 0; at + 1 < rest.length && into.facts.length < MAX_ITEMS; ) {
    const [kind = "", target = "", type] = rest.slice(at, at + 3);
    const isTyped = type !== undefined && (isRegular || readOpenType(type) !== null);
    const evidence = rest.length === 4 ? (rest[3] ?? null) : null;
    if (kind === "" || target === "") into.malformed.push(quoteOf([source, kind, target]));
    else
      into.facts.push(factOf([source, sourceType], kind, [target, isTyped ? type || null : null], evidence));
    at += evidence !== null ? rest.length : isTyped ? 3 : 2;
  }
}

type TypedName = readonly [name: string, type: string | null];

function factOf(
  [source, sourceType]: TypedName,
  kind: string,
  [target, targetType]: TypedName,
  evidence: string | null,
): ReplyFact {
  return { source, sourceType, kind, target, targetType, evidence, from: null, to: null };
}

function asItem(value: unknown): Item | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Item) : null; // Of unknown members.
}

/** Longer ones are no names, and no few words either. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_TEXT;
}

function textOf(value: string | undefined): string | null {
  return value === undefined ? null : value.trim();
}

/** For the report; never throws, as it was JSON. */
function quoteOf(item: unknown): string {
  return (JSON.stringify(item) ?? "").slice(0, MAX_TEXT);
}
