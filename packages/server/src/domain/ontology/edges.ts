/** Reads the edge types of an ontology. */
import { memberPath } from "./faults.ts";
import {
  type Field,
  isAbsent,
  member,
  NAME_CHARACTERS,
  type Named,
  nameKey,
  readFlag,
  readName,
  readNames,
  readOptionalItems,
  repeated,
  requireObject,
} from "./fields.ts";
import type { Lookup } from "./hierarchy.ts";
import { readEdgeExamples, readShared } from "./members.ts";
import { type EdgeType, ONTOLOGY_LIMITS } from "./types.ts";

/** The valid edge types: with a unique name, and at least one known type at each end. */
export function readEdgeTypes(field: Field, lookup: Lookup): readonly EdgeType[] {
  const expected = "an array of edge types";
  const seen = new Map<string, Named>();
  return readOptionalItems(field, { expected, max: ONTOLOGY_LIMITS.edgeTypes })
    .map((entry) => readEdgeType(entry, { seen, lookup }))
    .filter((edge) => edge !== null);
}

function readEdgeType(field: Field, context: { seen: Map<string, Named>; lookup: Lookup }): EdgeType | null {
  const { seen, lookup } = context;
  if (!requireObject(field, "an edge type: an object with name, source_types and target_types")) return null;
  const name = readName(member(field, "name"), {
    expected: "the name of the edge type",
    max: NAME_CHARACTERS,
  });
  const sourceTypes = readEnds(member(field, "source_types"), lookup);
  const targetTypes = readEnds(member(field, "target_types"), lookup);
  const functional = readFlag(member(field, "functional"));
  const rest = {
    ...readShared(field),
    // What is one at a time changes with time.
    temporal: readFlag(member(field, "temporal")) || functional,
    functional,
    examples: readEdgeExamples(member(field, "examples")),
  };
  if (name === null || !isNewName({ name, path: field.path }, { seen, field })) return null;
  if (sourceTypes.length === 0 || targetTypes.length === 0) return null;
  return { name, sourceTypes, targetTypes, ...rest };
}

/**
 * Names are unique even for different ends: with two edge types of one name it would
 * be unclear which pairs are allowed.
 */
function isNewName(named: Named, context: { seen: Map<string, Named>; field: Field }): boolean {
  const { seen, field } = context;
  const key = nameKey(named.name);
  const earlier = seen.get(key);
  if (earlier === undefined) {
    seen.set(key, named);
    return true;
  }
  const path = memberPath(field.path, "name");
  field.faults.add("name", path, () => `${repeated(named.name, earlier.name)}, see ${earlier.path}`);
  return false;
}

function readEnds(field: Field, { known, references, describeUnknown }: Lookup): readonly string[] {
  const { value, path, faults } = field;
  const expected = "an array of at least one node type name";
  if (isAbsent(field)) {
    faults.add("shape", path, () => `${value === null ? "got null" : "missing"}, expected ${expected}`);
    return [];
  }
  if (Array.isArray(value) && value.length === 0) {
    faults.add("shape", path, () => `is empty, expected ${expected}`);
    return [];
  }
  const max = ONTOLOGY_LIMITS.nodeTypes;
  // No two types have names that differ in case or spaces alone. Edge types list hundreds of thousands of types.
  if (isListOf(value, known) && value.length <= max) return value;
  const ends = readNames(field, { expected, item: "the name of a node type", max });
  return ends
    .filter((end) => {
      const isKnown = known.has(end.name);
      if (!isKnown) references.add("reference", end.path, () => describeUnknown(end.name));
      return isKnown;
    })
    .map((end) => end.name);
}

/** Each once. */
function isListOf(value: unknown, known: Lookup["known"]): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === "string" && known.has(name)) &&
    new Set(value).size === value.length
  );
}
