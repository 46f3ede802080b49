/** Ontologies as schemas of LinkML: node types are classes, properties their attributes, edge types slots between classes. */
import type { EdgeType, NodeType, OntologySchema } from "../../domain/ontology/types.ts";
import { ONTOLOGY_IRI, PREFIXES } from "./vocabulary.ts";
import type { Yaml } from "./yaml-text.ts";

type Members = ReadonlyMap<string, Yaml>;

export function toLinkMl({
  name,
  schema,
}: {
  readonly name: string;
  readonly schema: OntologySchema;
}): Members {
  const slots = new Map<string, string[]>(schema.nodeTypes.map((node) => [node.name, []]));
  for (const edge of schema.edgeTypes)
    for (const source of edge.sourceTypes) slots.get(source)?.push(edge.name);
  return membersOf({
    id: ONTOLOGY_IRI,
    name: "ontology",
    title: name,
    prefixes: membersOf({ linkml: "https://w3id.org/linkml/", kcs: PREFIXES.kcs }),
    imports: ["linkml:types"],
    default_prefix: "kcs",
    classes: new Map(schema.nodeTypes.map((node) => [node.name, classOf(node, slots.get(node.name) ?? [])])),
    slots: new Map(schema.edgeTypes.map((edge) => [edge.name, slotOf(edge)])),
  });
}

function classOf(node: NodeType, slots: readonly string[]): Members {
  const { description, aliases, examples, level, aggregates, properties, readAs = "" } = node;
  return withoutEmpty({
    ...{ description, aliases },
    examples: examples.map((value) => membersOf({ value })),
    annotations: withoutEmpty({
      "kcs:level": level === 0 ? "" : level,
      ...{ "kcs:aggregates": aggregates, "kcs:readAs": readAs },
    }),
    slots,
    attributes: new Map(properties.map((property) => [property, new Map()])),
  });
}

function slotOf(edge: EdgeType): Members {
  const {
    description,
    aliases,
    sourceTypes,
    targetTypes,
    temporal,
    functional,
    properties,
    readAs = "",
  } = edge;
  const ranges = targetTypes.map((range) => membersOf({ range }));
  const examples = edge.examples.map(({ source, target, text }) =>
    withoutEmpty({
      value: text ?? "",
      object: source === null ? "" : membersOf({ source, target: target ?? "" }),
    }),
  );
  return withoutEmpty({
    ...{ description, aliases, domain_of: sourceTypes },
    ...(ranges.length === 1 ? { range: targetTypes[0] ?? "" } : { any_of: ranges }),
    ...{ multivalued: !functional, examples },
    annotations: withoutEmpty({
      "kcs:temporal": temporal || "",
      ...{ "kcs:properties": properties, "kcs:readAs": readAs },
    }),
  });
}

function membersOf(members: Readonly<Record<string, Yaml>>): Members {
  return new Map(Object.entries(members));
}

function withoutEmpty(members: Readonly<Record<string, Yaml>>): Members {
  const isEmpty = (value: Yaml) =>
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (value instanceof Map && value.size === 0);
  return new Map(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}
