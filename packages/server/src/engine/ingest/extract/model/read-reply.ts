/** Reads an extraction's reply item by item: what can be read is kept, the rest counted. Nothing in it is trusted yet. */

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
const LISTS = ["facts", "entities", "properties", "aliases"] as const;
/** Between two names of one thing, in rows. */
const SAME = /^(?:=|aka|also known as|also called|alias)$/i;

type Item = Readonly<Record<string, unknown>>;

/**
 * null where there is no usable structure: no list of facts or entities, or none of the items of any list can be read. A list alone
 * is taken for the facts. Items may be objects, or rows of strings: [name, type], [name, =, name],
 * [source, relation, target] and [source, type, relation, target, type], the last two with evidence behind.
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
  let found = 0;
  for (const list of LISTS) {
    const items = root[list];
    if (!Array.isArray(items)) continue;
    for (const item of (items as readonly unknown[]).slice(0, MAX_ITEMS)) {
      found++;
      if (!readItem(item, list, reply)) reply.malformed.push(quoteOf(item));
    }
  }
  return found > 0 && reply.malformed.length === found ? null : reply;
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
  if (row.length < 2 || row.length > 6 || !row.every(isText)) return false;
  const [first = "", second = "", third = "", fourth = "", fifth = "", sixth] = row.map((text) =>
    text.trim(),
  );
  if (row.length === 2) return into.entities.push({ name: first, type: second }) > 0;
  if (row.length === 3 && SAME.test(second)) return into.aliases.push({ name: first, alias: third }) > 0;
  const isTyped = row.length > 4;
  const times = { from: null, to: null };
  into.facts.push(
    isTyped
      ? {
          source: first,
          sourceType: second,
          kind: third,
          target: fourth,
          targetType: fifth,
          evidence: sixth ?? null,
          ...times,
        }
      : {
          source: first,
          sourceType: null,
          kind: second,
          target: third,
          targetType: null,
          evidence: row.length === 4 ? fourth : null,
          ...times,
        },
  );
  return true;
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
