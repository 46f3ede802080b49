/**
 * Neo4j's graph schema as JSON (`graphSchemaRepresentation`): labels, relationship types, and which relationships join which nodes.
 * The result of `apoc.meta.schema()` is read, too.
 */
import type { OntologySchema } from "../../domain/ontology/types.ts";
import type { ReadOntologyFile } from "../../ports/ontology-files.ts";
import { createDraft, type Draft, placeOf } from "./draft.ts";
import { isObject, type Json, membersOf, readEdgeMembers, readNodeMembers, textsOf } from "./json-members.ts";
import { edgeMembers, nodeMembers } from "./json-schema.ts";
import { createPairs } from "./pairs.ts";

/** Has what Neo4j has no member for. */
const EXTENSION = "x-kcs";
/** Of a property as it is written, without its name. */
const PROPERTY_CHARACTERS = 170;

export function toNeo4j({
  name,
  schema,
}: {
  readonly name: string;
  readonly schema: OntologySchema;
}): unknown {
  const property = (token: string) => ({ token, type: { type: "string" }, nullable: true });
  const propertiesOfEdge = new Map(schema.edgeTypes.map((edge) => [edge, edge.properties.map(property)]));
  const edgesFrom = createPairs(schema.edgeTypes, ({ properties }) =>
    properties.reduce((sum, { length }) => sum + length + PROPERTY_CHARACTERS, 0),
  );
  const pairs = [...edgesFrom].flatMap(([source, edges]) =>
    edges.flatMap((edge) =>
      edge.targetTypes.map((target) => ({
        $id: `r:${edge.name}:${source}:${target}`,
        type: { $ref: `#rt:${edge.name}` },
        from: { $ref: `#n:${source}` },
        to: { $ref: `#n:${target}` },
        properties: propertiesOfEdge.get(edge) ?? [],
      })),
    ),
  );
  const graphSchema = {
    nodeLabels: schema.nodeTypes.map(({ name: token }) => ({ $id: `nl:${token}`, token })),
    relationshipTypes: schema.edgeTypes.map((edge) => ({
      ...{ $id: `rt:${edge.name}`, token: edge.name },
      [EXTENSION]: edgeMembers(edge),
    })),
    nodeObjectTypes: schema.nodeTypes.map((node) => ({
      $id: `n:${node.name}`,
      labels: [{ $ref: `#nl:${node.name}` }],
      properties: node.properties.map(property),
      [EXTENSION]: { ...nodeMembers(node), description: node.description },
    })),
    relationshipObjectTypes: pairs,
  };
  return { graphSchemaRepresentation: { version: "1.0.1", graphSchema }, [EXTENSION]: { name } };
}

export function readNeo4j(file: Json): ReadOntologyFile {
  const draft = createDraft();
  const representation = file["graphSchemaRepresentation"];
  const extension = file[EXTENSION];
  if (isObject(extension) && typeof extension["name"] === "string") draft.name = extension["name"];
  const schema = isObject(representation) ? representation["graphSchema"] : undefined;
  if (isObject(schema)) readGraphSchema(draft, schema);
  else readMetaSchema(draft, file);
  return draft.finish();
}

function readGraphSchema(draft: Draft, schema: Json): void {
  const tokens = new Map<string, string>(
    [...membersOf(schema["nodeLabels"]), ...membersOf(schema["relationshipTypes"])].flatMap(([, each]) =>
      typeof each["token"] === "string" ? [[`#${String(each["$id"])}`, each["token"]] as const] : [],
    ),
  );
  const objects = new Map<string, string>();
  for (const [, object] of membersOf(schema["nodeObjectTypes"])) {
    const [name, ...others] = membersOf(object["labels"]).flatMap(
      ([, label]) => tokens.get(String(label["$ref"])) ?? [],
    );
    if (name === undefined) {
      draft.leaveOut(String(object["$id"]), "has no label");
      continue;
    }
    for (const other of others) draft.leaveOut(name, `also has the label ${other}`);
    objects.set(`#${String(object["$id"])}`, name);
    const node = draft.node(name);
    for (const property of propertiesOf(draft, name, object)) node.properties.add(property);
    const extension = object[EXTENSION];
    if (!isObject(extension)) continue;
    readNodeMembers(node, extension);
    if (typeof extension["description"] === "string") node.description = extension["description"];
  }
  for (const [, type] of membersOf(schema["relationshipTypes"])) {
    const extension = type[EXTENSION];
    if (typeof type["token"] === "string" && isObject(extension))
      readEdgeMembers(draft.edge(type["token"]), extension);
  }
  for (const [, object] of membersOf(schema["relationshipObjectTypes"]))
    readPair(draft, object, { tokens, objects });
}

function readPair(
  draft: Draft,
  object: Json,
  {
    tokens,
    objects,
  }: { readonly tokens: ReadonlyMap<string, string>; readonly objects: ReadonlyMap<string, string> },
): void {
  const refOf = (member: string) => {
    const value = object[member];
    return isObject(value) ? String(value["$ref"]) : "";
  };
  const [type, from, to] = [tokens.get(refOf("type")), objects.get(refOf("from")), objects.get(refOf("to"))];
  if (type === undefined || from === undefined || to === undefined) {
    draft.leaveOut(String(object["$id"]), "refers to what the file does not have");
    return;
  }
  const edge = draft.edge(type);
  edge.sourceTypes.add(from);
  edge.targetTypes.add(to);
  for (const property of propertiesOf(draft, type, object)) edge.properties.add(property);
}

/** Their types are text in an ontology. */
function propertiesOf(draft: Draft, owner: string, object: Json): readonly string[] {
  return membersOf(object["properties"]).flatMap(([, property]) => {
    if (typeof property["token"] !== "string") return [];
    const type = isObject(property["type"]) ? property["type"]["type"] : "string";
    if (type !== "string")
      draft.leaveOut(placeOf(owner, property["token"]), `has the type ${JSON.stringify(type)}`);
    return [property["token"]];
  });
}

function readMetaSchema(draft: Draft, file: Json): void {
  const nodes = membersOf(file).filter(([, each]) => each["type"] === "node");
  for (const [name] of nodes) draft.node(name);
  for (const [name, each] of nodes) {
    const node = draft.node(name);
    for (const [property, value] of membersOf(each["properties"])) {
      node.properties.add(property);
      if (value["type"] !== "STRING")
        draft.leaveOut(placeOf(name, property), `has the type ${String(value["type"])}`);
    }
    for (const label of textsOf(each["labels"])) draft.leaveOut(name, `also has the label ${label}`);
    for (const [type, relationship] of membersOf(each["relationships"])) {
      const edge = draft.edge(type);
      const [own, other] =
        relationship["direction"] === "in"
          ? [edge.targetTypes, edge.sourceTypes]
          : [edge.sourceTypes, edge.targetTypes];
      own.add(name);
      for (const label of textsOf(relationship["labels"])) other.add(label);
      for (const [property] of membersOf(relationship["properties"])) edge.properties.add(property);
    }
  }
}
