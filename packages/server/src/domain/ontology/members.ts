/** Reads description, properties, aliases and examples of node types and edge types. */
import {
  addUnexpected,
  type Field,
  isAbsent,
  member,
  NAME_CHARACTERS,
  readName,
  readNames,
  readOptionalItems,
  readText,
} from "./fields.ts";
import { type EdgeExample, type NodeType, ONTOLOGY_LIMITS } from "./types.ts";

/** Reads the members that node types and edge types have in common. */
export function readShared(
  field: Field,
): Pick<NodeType, "description" | "properties" | "aliases" | "readAs"> {
  const properties = readNames(member(field, "properties"), {
    expected: "an array of property names",
    item: "the name of a property",
    max: ONTOLOGY_LIMITS.properties,
  });
  const aliases = readOptionalItems(member(field, "aliases"), {
    expected: "an array of other names of the type",
    max: ONTOLOGY_LIMITS.aliases,
  });
  const alias = { expected: "another name of the type", max: NAME_CHARACTERS };
  const earlier = member(field, "read_as");
  const readAs = isAbsent(earlier)
    ? null
    : readName(earlier, { expected: "the name that the type is read under", max: NAME_CHARACTERS });
  return {
    description: readText(member(field, "description"), ONTOLOGY_LIMITS.descriptionCharacters),
    properties: properties.map(({ name }) => name),
    aliases: unique(aliases.map((entry) => readName(entry, alias))),
    ...(readAs === null ? {} : { readAs }),
  };
}

export function readNodeExamples(field: Field): readonly string[] {
  const expected = "an array of names of entities";
  const items = readOptionalItems(field, { expected, max: ONTOLOGY_LIMITS.examples });
  const item = { expected: "the name of an entity", max: ONTOLOGY_LIMITS.exampleCharacters };
  return unique(items.map((entry) => readName(entry, item)));
}

export function readEdgeExamples(field: Field): readonly EdgeExample[] {
  const expected = "an array of facts or sentences";
  const items = readOptionalItems(field, { expected, max: ONTOLOGY_LIMITS.examples });
  return items.map(readEdgeExample).filter((example) => example !== null);
}

const EDGE_EXAMPLE = "a sentence or an object with source, target and text";

/**
 * Reads a sentence, `{source, target, text?}`, `{subject, object, text?}`, `[source, target]` or
 * `[source, edge type, target]`.
 */
function readEdgeExample(field: Field): EdgeExample | null {
  const { value } = field;
  if (typeof value === "string") {
    const text = readPart(field, EDGE_EXAMPLE);
    return text === null ? null : { source: null, target: null, text };
  }
  if (Array.isArray(value)) return readTriple(field, value);
  if (typeof value !== "object" || value === null) {
    addUnexpected(field, EDGE_EXAMPLE);
    return null;
  }
  const hasSubject = isAbsent(member(field, "source")) && !isAbsent(member(field, "subject"));
  const source = readPart(member(field, hasSubject ? "subject" : "source"), "the name of an entity");
  const target = readPart(member(field, hasSubject ? "object" : "target"), "the name of an entity");
  const textField = member(field, "text");
  const text = isAbsent(textField) ? null : readPart(textField, "a sentence that states the fact");
  return source === null || target === null ? null : { source, target, text };
}

function readTriple(field: Field, parts: readonly unknown[]): EdgeExample | null {
  if (parts.length !== 2 && parts.length !== 3) {
    addUnexpected(field, "source and target, or source, edge type and target");
    return null;
  }
  const names = parts.map((value, index) =>
    readPart({ value, path: `${field.path}[${index}]`, faults: field.faults }, "a name"),
  );
  const [source = null, target = null] = [names.at(0), names.at(-1)];
  return source === null || target === null ? null : { source, target, text: null };
}

function readPart(field: Field, expected: string): string | null {
  return readName(field, { expected, max: ONTOLOGY_LIMITS.exampleCharacters, hasLines: true });
}

function unique(names: readonly (string | null)[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== null);
}
