/** Reads the levels of an ontology and the node types on them. */
import { type FaultList, quoted } from "./faults.ts";
import {
  addUnexpected,
  type Field,
  member,
  NAME_CHARACTERS,
  type Named,
  nameFault,
  nameKey,
  readItems,
  readMembers,
  readNames,
  repeated,
  requireObject,
} from "./fields.ts";
import { readNodeExamples, readShared } from "./members.ts";
import { type NodeType, ONTOLOGY_LIMITS } from "./types.ts";

/** A node type whose aggregates are not yet checked. */
export type ReadNodeType = Omit<NodeType, "aggregates"> & { readonly aggregates: readonly Named[] };

/** The types that references are resolved against, and the list that their faults are added to. */
export interface Lookup {
  readonly known: ReadonlyMap<string, ReadNodeType>;
  readonly references: FaultList;
  /** The message for a name that is not known. */
  readonly describeUnknown: (name: string) => string;
}

/** Level numbers and their paths, and names by their `nameKey`, as read so far. */
interface Seen {
  readonly levels: Map<number, string>;
  readonly types: Map<string, Named>;
}

export interface Hierarchy {
  /** By level, then in the order of JSON.parse. */
  readonly types: readonly ReadNodeType[];
  /** False when a level or a node type was left out, as invalid or as one too many. */
  readonly isComplete: boolean;
}

export function readHierarchy(field: Field): Hierarchy {
  const { faults, path } = field;
  const max = ONTOLOGY_LIMITS.nodeTypes;
  const seen: Seen = { levels: new Map(), types: new Map() };
  const levels = readItems(field, { expected: "an array of levels", max: ONTOLOGY_LIMITS.levels });
  const read = levels.map((entry) => readLevel(entry, seen));
  const types = read.flatMap((level) => level ?? []);
  if (Array.isArray(field.value) && !read.includes(null) && !seen.levels.has(0)) {
    faults.add("level", path, () => "has no level 0, expected the concrete node types there");
  }
  if (types.length > max) {
    faults.add("shape", path, () => `has more than ${max} node types`);
  }
  const valid = types.filter((type) => type !== null);
  return {
    types: valid.sort((one, other) => one.level - other.level).slice(0, max),
    isComplete:
      Array.isArray(field.value) &&
      levels.length === field.value.length &&
      !read.includes(null) &&
      valid.length === types.length &&
      types.length <= max,
  };
}

/** The node types of a level, with null for each invalid one; null for an invalid level. */
function readLevel(field: Field, seen: Seen): readonly (ReadNodeType | null)[] | null {
  if (!requireObject(field, "a level: an object with level and node_types")) return null;
  const level = readLevelNumber(member(field, "level"), seen.levels);
  const types = readMembers(member(field, "node_types"), {
    expected: "an object from node type names to node types",
    max: ONTOLOGY_LIMITS.nodeTypes + 1, // One more than allowed, to detect an excess.
  });
  if (level === null || types === null) return null;
  return types.map(([name, content]) =>
    isNewName({ name, path: content.path }, { seen: seen.types, faults: field.faults })
      ? readNodeType(content, { name, level })
      : null,
  );
}

/** Repeated levels are a fault, but their types can be used. */
function readLevelNumber(field: Field, seen: Map<number, string>): number | null {
  const { value, path, faults } = field;
  const highest = ONTOLOGY_LIMITS.highestLevel;
  if (typeof value !== "number") {
    addUnexpected(field, "a whole level number, 0 for the concrete level");
    return null;
  }
  if (!Number.isInteger(value) || value < 0 || value > highest) {
    faults.add("level", path, () => `got ${value}, expected a whole number from 0 to ${highest}`);
    return null;
  }
  const level = Math.abs(value); // -0 is 0.
  const earlier = seen.get(level);
  if (earlier === undefined) seen.set(level, path);
  else faults.add("level", path, () => `level ${level} is repeated, see ${earlier}`);
  return level;
}

/** Whether a name is valid and not yet used; adds it to `seen`. */
function isNewName(named: Named, context: { seen: Map<string, Named>; faults: FaultList }): boolean {
  const { seen, faults } = context;
  const fault = nameFault(named.name, { expected: "the name of a node type", max: NAME_CHARACTERS });
  if (fault !== null) {
    faults.add("name", named.path, () => fault);
    return false;
  }
  const key = nameKey(named.name);
  const earlier = seen.get(key);
  if (earlier === undefined) {
    seen.set(key, named);
    return true;
  }
  faults.add("name", named.path, () => `${repeated(named.name, earlier.name)}, see ${earlier.path}`);
  return false;
}

function readNodeType(field: Field, given: { name: string; level: number }): ReadNodeType | null {
  if (!requireObject(field, "a node type: an object with properties and a description")) return null;
  return {
    ...given,
    ...readShared(field),
    aggregates: readNames(member(field, "aggregates"), {
      expected: "an array of node type names",
      item: "the name of a node type",
      max: ONTOLOGY_LIMITS.nodeTypes,
    }),
    examples: readNodeExamples(member(field, "examples")),
  };
}

/** The aggregates that name a node type on a lower level. */
export function lowerTypes(type: ReadNodeType, lookup: Lookup): readonly string[] {
  const { known, references, describeUnknown } = lookup;
  const lower: string[] = [];
  for (const { name, path } of type.aggregates) {
    const level = known.get(name)?.level;
    if (level !== undefined && level < type.level) lower.push(name);
    else if (level === undefined) references.add("reference", path, () => describeUnknown(name));
    else if (name === type.name)
      references.add("reference", path, () => `${quoted(name)} cannot aggregate itself`);
    else {
      const expected = `expected a node type of a level below ${type.level}`;
      references.add("reference", path, () => `${quoted(name)} is on level ${level}, ${expected}`);
    }
  }
  return lower;
}
