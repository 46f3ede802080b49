/** Reads sample inputs and outputs in JSON: records with a type, links with two ends, and nested objects. */
import type { Draft } from "./draft.ts";
import { edgeName, typeName, wordsOf } from "./names.ts";

const MAX_DEPTH = 8;
const MAX_VALUES = 4_000;

type Fields = Readonly<Record<string, unknown>>;

const TYPE_KEYS = ["type", "label", "entity_type", "entityType", "node_type", "kind", "class", "category"];
const NAME_KEYS = ["name", "id", "text", "title", "value", "entity"];
const RELATION_KEYS = [
  "type",
  "relation",
  "relationship",
  "predicate",
  "label",
  "name",
  "edge_type",
  "relation_type",
];
const ENDS: readonly (readonly [source: string, target: string])[] = [
  ["source", "target"],
  ["from", "to"],
  ["subject", "object"],
  ["head", "tail"],
  ["start", "end"],
];
/** Hold records and are no records themselves. */
const CONTAINER =
  /^(?:entit|nodes?$|edges?$|relation|links?$|results?$|data$|items?$|output|input|response|answer|graph$|examples?$|samples?$|objects?$|records?$|triples?$|facts?$|ontology$|schema$|properties$|attributes$|metadata$)/i;

/** Records first: links name their ends by what the records say. */
export function readSamples(samples: readonly unknown[], draft: Draft): void {
  const typeOfName = new Map<string, string>();
  for (const pass of ["records", "links"] as const) {
    let left = MAX_VALUES;
    const visit = (value: unknown, key: string, depth: number): void => {
      if (depth > MAX_DEPTH || left-- <= 0) return;
      if (Array.isArray(value)) {
        for (const item of value.slice(0, 50)) visit(item, key, depth + 1);
      } else if (isFields(value)) {
        if (pass === "records") readRecord(value, key, { draft, typeOfName });
        else readLink(value, { draft, typeOfName });
        for (const [name, member] of Object.entries(value).slice(0, 100)) visit(member, name, depth + 1);
      }
    };
    for (const sample of samples) visit(sample, "", 0);
  }
}

interface Context {
  readonly draft: Draft;
  readonly typeOfName: Map<string, string>;
}

function readRecord(fields: Fields, key: string, { draft, typeOfName }: Context): void {
  if (endsOf(fields) !== null) return;
  const stated = textAt(fields, TYPE_KEYS);
  const name = textAt(fields, NAME_KEYS);
  const isStated = stated !== null && name !== null && wordsOf(stated).length <= 4;
  const isOwn = key !== "" && !CONTAINER.test(key) && wordsOf(key).length <= 4 && hasScalar(fields);
  if (!isStated && !isOwn) return;
  const type = draft.mention(isStated ? stated : key, "listed");
  if (isStated) typeOfName.set(name, stated);
  const inner = fields["properties"] ?? fields["attributes"];
  for (const [property, value] of Object.entries(isFields(inner) ? inner : fields).slice(0, 60)) {
    const isMeta = isStated && (TYPE_KEYS.includes(property) || property === "id");
    if (isMeta || CONTAINER.test(property)) continue;
    if (!isNested(value)) draft.addProperty(type, property);
    else if (!CONTAINER.test(property)) {
      const target = draft.mention(property, "listed");
      draft.addEdge({ ...PLAIN, name: edgeName(`has ${typeWords(property)}`), source: type, target });
    }
  }
  if (isFields(inner) && name !== null) draft.addProperty(type, "name");
}

const PLAIN = { isTemporal: false, properties: [] } as const;

function readLink(fields: Fields, { draft, typeOfName }: Context): void {
  const ends = endsOf(fields);
  const relation = textAt(fields, RELATION_KEYS);
  if (ends === null || relation === null || wordsOf(relation).length > 5) return;
  const [source, target] = ends.map(({ value, key }) => {
    const stated = textAt(fields, [`${key}_type`, `${key}Type`]);
    return stated ?? typeOfName.get(value) ?? "";
  });
  if (source === undefined || target === undefined || source === "" || target === "") return;
  draft.addEdge({
    ...PLAIN,
    name: edgeName(relation),
    source: draft.mention(source, "listed"),
    target: draft.mention(target, "listed"),
  });
}

function endsOf(fields: Fields): readonly { readonly key: string; readonly value: string }[] | null {
  for (const [source, target] of ENDS) {
    const [from, to] = [fields[source], fields[target]];
    if (typeof from === "string" && typeof to === "string")
      return [
        { key: source, value: from },
        { key: target, value: to },
      ];
  }
  return null;
}

function typeWords(key: string): string {
  return wordsOf(typeName(key)).join(" ");
}

function textAt(fields: Fields, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return null;
}

function hasScalar(fields: Fields): boolean {
  return Object.values(fields).some((value) => !isNested(value));
}

function isNested(value: unknown): boolean {
  return isFields(value) || (Array.isArray(value) && value.some(isFields));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
