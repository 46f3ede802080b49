/** What a local reader is asked for: the names of an ontology's concrete types, or broad types where there is none. */
import type { EdgeType, NodeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { EntityLabel, ReaderLabels } from "../../../../ports/entity-reader.ts";
import { readableName } from "../../../text/type-names.ts";

export interface AskedTypes {
  readonly labels: ReaderLabels;
  /** The type of each label of entities, and the edge type of each of relations. */
  readonly types: readonly string[];
  readonly edges: readonly EdgeType[];
  /** null where no ontology gives any types. */
  readonly schema: OntologySchema | null;
}

const MAX_NAME = 80;
const MAX_DESCRIPTION = 200;

/** The broad types of the built-in engine and of language models, in words that readers were trained on. */
const OPEN_LABELS = [
  ["Person", "person"],
  ["Organization", "organization"],
  ["Location", "location"],
  ["Event", "event"],
  ["Work", "work of art"],
  ["Product", "product"],
] as const;

export const OPEN_TYPES: AskedTypes = {
  labels: { entities: OPEN_LABELS.map(([, name]) => ({ name, description: "" })), relations: [] },
  types: OPEN_LABELS.map(([type]) => type),
  edges: [],
  schema: null,
};

/** `schema`: the concrete types only. */
export function askForTypes(schema: OntologySchema): AskedTypes {
  const { nodeTypes, edgeTypes } = schema;
  const names = uniqueNames(nodeTypes);
  const kinds = uniqueNames(edgeTypes);
  const place = new Map(nodeTypes.map(({ name }, at) => [name, at]));
  const placesOf = (types: readonly string[]) => types.flatMap((type) => place.get(type) ?? []);
  const entities: readonly EntityLabel[] = nodeTypes.map(({ description }, at) => ({
    name: names[at] ?? "",
    description: oneLine(description).slice(0, MAX_DESCRIPTION),
  }));
  const relations = edgeTypes.map(({ sourceTypes, targetTypes }, at) => ({
    label: kinds[at] ?? "",
    sources: placesOf(sourceTypes),
    targets: placesOf(targetTypes),
  }));
  const types = nodeTypes.map(({ name }) => name);
  return { labels: { entities, relations }, types, edges: edgeTypes, schema };
}

/** Of several types that read alike, the later ones keep the names that the ontology writes. */
function uniqueNames(types: readonly (NodeType | EdgeType)[]): readonly string[] {
  const taken = new Set<string>();
  return types.map((type) => {
    const text = labelOf(type);
    const name = taken.has(text) ? type.name.slice(0, MAX_NAME) : text;
    taken.add(name);
    return name;
  });
}

/** The name in words; where it says nothing, as "T047", another name or the description. */
function labelOf({ name, aliases, description }: NodeType | EdgeType): string {
  const candidates = [name, ...aliases].map(readableName);
  const telling = candidates.find((text) => /\p{L}{3}/u.test(text) && !/\d/.test(text));
  return (telling ?? (oneLine(description) || candidates[0] || name)).slice(0, MAX_NAME);
}

function oneLine(text: string): string {
  return text.slice(0, 1_000).replace(/\s+/g, " ").trim();
}
