/**
 * The types of a schema of LinkML: classes with instances are node types, slots whose range is a class edge types, the other slots
 * properties. What classes and slots inherit (`is_a`, `mixins`) is written out, because an ontology has no narrower types.
 */
import { OntologyFileError, type ReadOntologyFile } from "../../ports/ontology-files.ts";
import { createDraft, type Draft, type DraftEdge, exampleOf, leaveOutPairs, placeOf } from "./draft.ts";
import { createLinkMlSchema, type LinkMlSchema, listOf, textOf } from "./linkml-schema.ts";
import { isYamlMap, readYaml, type YamlMap, type YamlValue } from "./yaml-text.ts";

const RANGES = ["range", "any_of", "exactly_one_of"] as const;
const OF_EDGES = ["description", "aliases", "title", "examples", "annotations", "multivalued"];
const OF_SLOTS = ["name", "is_a", "mixins", "domain", "domain_of", ...RANGES];
const OF_CLASSES = ["name", "description", "aliases", "title", "examples", "annotations"];
const INHERITED = ["is_a", "mixins", "abstract", "mixin", "attributes", "slots", "slot_usage"];
const OF_FILES = ["id", "name", "title", "prefixes", "imports", "default_prefix", "default_range"];

/** @throws OntologyFileError */
export function readLinkMl(text: string): ReadOntologyFile {
  const file = readYaml(text);
  for (const name of listOf(file.get("imports")))
    if (name !== "linkml:types")
      throw new OntologyFileError(
        `imports ${textOf(name)}, which is not read: put what it defines into this file`,
      );
  const draft = createDraft();
  draft.name = textOf(file.get("title")) || textOf(file.get("name")) || null;
  const schema = createLinkMlSchema(file, draft);
  for (const [name, definition] of schema.classes) readClass(draft, schema, { name, definition });
  readSlots(draft, schema);
  readUses(draft, schema);
  for (const [name] of schema.enums) draft.leaveOut(name, "is a list of values, for which there is no place");
  leaveOutOthers(draft, "the file", { value: file, read: [...OF_FILES, "classes", "slots", "enums"] });
  return draft.finish();
}

interface Defined {
  readonly name: string;
  readonly definition: YamlMap;
}

function readClass(draft: Draft, schema: LinkMlSchema, { name, definition }: Defined): void {
  for (const parent of schema.parentsOf(definition))
    draft.leaveOut(
      name,
      schema.classes.has(parent)
        ? `is a ${parent}: it has what that has, and is wherever that may be; narrower types have no place`
        : `is a ${parent}, which the file does not define`,
    );
  for (const slot of listOf(definition.get("slots")).map(textOf))
    if (!schema.slots.has(slot))
      draft.leaveOut(name, `has the slot ${slot}, which the file does not define; it is a property now`);
  leaveOutOthers(draft, name, { value: definition, read: [...OF_CLASSES, ...INHERITED] });
  if (!schema.hasInstances(definition)) {
    draft.leaveOut(name, "has no instances, so it is no node type; what it has is given to those below it");
    return;
  }
  const node = draft.node(name);
  readShared(draft, node, definition);
  for (const example of listOf(definition.get("examples")))
    if (isYamlMap(example) && example.has("value")) {
      node.examples.add(textOf(example.get("value")));
      leaveOutOthers(draft, placeOf(name, "examples"), { value: example, read: ["value"] });
    } else draft.leaveOut(name, "has an example without a value");
  for (const [tag, value] of annotationsOf(definition))
    if (tag === "kcs:level") node.level = Number(textOf(value));
    else if (tag === "kcs:readAs") node.readAs = textOf(value);
    else if (tag === "kcs:aggregates") for (const lower of listOf(value)) node.aggregates.add(textOf(lower));
    else draft.leaveOut(name, `has the annotation ${tag}, for which there is no place`);
}

function readShared(draft: Draft, type: ReturnType<Draft["node"]> | DraftEdge, definition: YamlMap): void {
  const description = textOf(definition.get("description"));
  if (type.description !== "" && description !== "" && description !== type.description)
    draft.leaveOut(type.name, `has another description: ${description}`);
  type.description ||= description;
  const title = textOf(definition.get("title"));
  if (title !== "" && title !== type.name) type.aliases.add(title);
  for (const alias of listOf(definition.get("aliases"))) type.aliases.add(textOf(alias));
}

/** In the order of the file, also those that no class has. */
function readSlots(draft: Draft, schema: LinkMlSchema): void {
  for (const [name, definition] of schema.slots) {
    const own = schema.usersOf(name);
    const users = [...own];
    for (const user of [...users, ...listOf(definition.get("domain")).map(textOf)])
      if (!schema.classes.has(user)) draft.leaveOut(name, `is of ${user}, which the file does not define`);
      else if (!own.has(user)) draft.leaveOut(name, `has the domain ${user}, which does not have it`);
    const sources = users.flatMap((user) => schema.instancesOf(user));
    const definitions = schema.slotWithParents(definition);
    if (users.length > 0 && sources.length === 0) draft.leaveOut(name, "is of no class with instances");
    else readDefinition(draft, schema, { name, place: name, definitions });
    const { targets } = rangesOf(schema, definitions);
    if (targets === null && users.length === 0) draft.leaveOut(name, "is a property of no class");
    if (targets === null || targets.size === 0) continue;
    for (const source of users) if (draft.hasNode(source)) draft.edge(name).sourceTypes.add(source);
    if (users.length === 0) for (const target of targets) draft.edge(name).targetTypes.add(target);
  }
  for (const [owner, definition] of schema.classes) {
    if (schema.instancesOf(owner).length === 0) continue;
    for (const [name, attribute] of schema.attributesOf(definition)) {
      const definitions = schema.slotWithParents(attribute);
      readDefinition(draft, schema, { name, place: placeOf(owner, name), definitions });
    }
    for (const [name, usage] of schema.usagesOf(definition)) {
      const place = placeOf(owner, name);
      leaveOutOthers(draft, place, { value: usage, read: ["name", ...RANGES] });
      if (saysRange(usage)) leaveOutRanges(draft, schema, { place, definitions: [usage] });
    }
  }
}

/** What a slot or an attribute says of itself, once, whichever classes have it. */
function readDefinition(
  draft: Draft,
  schema: LinkMlSchema,
  {
    name,
    place,
    definitions,
  }: { readonly name: string; readonly place: string; readonly definitions: readonly YamlMap[] },
): void {
  const [definition] = definitions;
  if (definition === undefined) return;
  const { targets } = rangesOf(schema, definitions);
  leaveOutRanges(draft, schema, { place, definitions });
  for (const parent of schema.parentsOf(definition))
    draft.leaveOut(
      place,
      schema.slots.has(parent)
        ? `is a ${parent}, of which it has the range; narrower types have no place`
        : `is a ${parent}, which the file does not define`,
    );
  if (targets === null) {
    const single = textOf(definition.get("multivalued")) === "true" ? ["multivalued"] : [];
    leaveOutOthers(draft, place, { value: definition, read: [...OF_SLOTS, ...single] });
    return;
  }
  leaveOutOthers(draft, place, { value: definition, read: [...OF_SLOTS, ...OF_EDGES] });
  if (targets.size === 0) {
    draft.leaveOut(place, "has a range without instances, so it is no edge type");
    return;
  }
  readEdge(draft, draft.edge(name), definition);
}

function readEdge(draft: Draft, edge: DraftEdge, definition: YamlMap): void {
  readShared(draft, edge, definition);
  edge.functional ||= textOf(definition.get("multivalued")) === "false";
  for (const each of listOf(definition.get("examples"))) {
    const [value, object] = isYamlMap(each)
      ? [each.get("value"), each.get("object")]
      : [undefined, undefined];
    const text = value === undefined ? {} : { text: textOf(value) };
    const example = exampleOf(isYamlMap(object) ? { ...Object.fromEntries(object), ...text } : value);
    if (example === null)
      draft.leaveOut(edge.name, "has an example that is neither a sentence nor two names");
    else edge.examples.push(example);
    if (isYamlMap(each))
      leaveOutOthers(draft, placeOf(edge.name, "examples"), { value: each, read: ["value", "object"] });
  }
  for (const [tag, value] of annotationsOf(definition))
    if (tag === "kcs:temporal") edge.temporal ||= textOf(value) === "true";
    else if (tag === "kcs:readAs") edge.readAs = textOf(value);
    else if (tag === "kcs:properties") for (const name of listOf(value)) edge.properties.add(textOf(name));
    else draft.leaveOut(edge.name, `has the annotation ${tag}, for which there is no place`);
}

/** What each class has: its own, and what is above it has; as the nearest `slot_usage` narrows it. */
function readUses(draft: Draft, schema: LinkMlSchema): void {
  const pairs = new Map<DraftEdge, number>();
  for (const [source, definition] of schema.classes) {
    const owned = schema.slotsOf(source);
    const names = new Set(owned.map(({ name }) => name));
    for (const [name] of schema.usagesOf(definition))
      if (!names.has(name))
        draft.leaveOut(placeOf(source, name), "narrows a slot that the class does not have");
    if (!schema.hasInstances(definition)) continue;
    for (const { name, definitions } of owned) {
      const { targets } = rangesOf(schema, definitions);
      if (targets === null) draft.node(source).properties.add(name);
      if (targets === null || targets.size === 0) continue;
      schema.count(targets.size);
      const edge = draft.edge(name);
      edge.sourceTypes.add(source);
      for (const target of targets) edge.targetTypes.add(target);
      pairs.set(edge, (pairs.get(edge) ?? 0) + targets.size);
    }
  }
  leaveOutPairs(draft, pairs);
}

/** `targets`: classes with instances that are in the range; null: the range is no class. */
function rangesOf(schema: LinkMlSchema, definitions: readonly YamlMap[]) {
  const said = definitions.find(saysRange);
  const alternatives = alternativesOf(said);
  schema.count(alternatives.length);
  const either = alternatives.flatMap((each) => textOf(each.get("range")) || []);
  const single = textOf(said?.get("range"));
  const names = either.length > 0 ? either : [single || schema.defaultRange].filter(Boolean);
  const classes = names.filter((name) => schema.classes.has(name));
  const targets = new Set(classes.flatMap((name) => schema.instancesOf(name)));
  return {
    targets: classes.length === 0 ? null : targets,
    // Alternatives say more exactly what a range besides them says.
    others: [
      ...names.filter((name) => !schema.classes.has(name)),
      ...(either.length > 0 && single ? [single] : []),
    ],
  };
}

function alternativesOf(definition: YamlMap | undefined): readonly YamlMap[] {
  return [...listOf(definition?.get("any_of")), ...listOf(definition?.get("exactly_one_of"))].filter(
    isYamlMap,
  );
}

/** By tag; the value may be a member of its own. */
function annotationsOf(definition: YamlMap): readonly (readonly [string, YamlValue])[] {
  const annotations = definition.get("annotations");
  if (!isYamlMap(annotations)) return listOf(annotations).map((each) => [textOf(each), ""] as const);
  return [...annotations].map(([tag, value]) => [tag, isYamlMap(value) ? (value.get("value") ?? "") : value]);
}

/** Values of properties are texts, whatever type a file gives them. */
function leaveOutRanges(
  draft: Draft,
  schema: LinkMlSchema,
  { place, definitions }: { readonly place: string; readonly definitions: readonly YamlMap[] },
): void {
  const { targets, others } = rangesOf(schema, definitions);
  for (const range of others)
    if (targets !== null || range !== "string")
      draft.leaveOut(place, `has the range ${range}, for which there is no place`);
  for (const each of alternativesOf(definitions.find(saysRange)))
    leaveOutOthers(draft, placeOf(place, "any_of"), { value: each, read: ["range"] });
}

function saysRange(definition: YamlMap): boolean {
  return RANGES.some((member) => definition.has(member));
}

function leaveOutOthers(
  draft: Draft,
  item: string,
  { value, read }: { readonly value: YamlMap; readonly read: readonly string[] },
): void {
  for (const member of value.keys())
    if (!read.includes(member)) draft.leaveOut(item, `has ${member}, for which there is no place`);
}
