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
import { unknownType } from "./spelling.ts";
import { type NodeType, ONTOLOGY_LIMITS } from "./types.ts";

/** A node type whose aggregates have not been looked up yet. */
export type ReadNodeType = Omit<NodeType, "aggregates"> & { readonly aggregates: readonly Named[] };

/** What references are looked up in, and where their faults go. */
export interface Lookup {
  readonly known: ReadonlyMap<string, ReadNodeType>;
  readonly references: FaultList;
}

/** What has been met so far: places of level numbers, and names by their key. */
interface Seen {
  readonly levels: Map<number, string>;
  readonly types: Map<string, Named>;
}

export interface Hierarchy {
  /** By level, then in the order of JSON.parse. */
  readonly types: readonly ReadNodeType[];
  /** Whether no level and no node type had to be left out. */
  readonly isWhole: boolean;
}

export function readHierarchy(field: Field): Hierarchy {
  const { faults, place } = field;
  const max = ONTOLOGY_LIMITS.nodeTypes;
  const seen: Seen = { levels: new Map(), types: new Map() };
  const levels = readItems(field, { expected: "an array of levels", max: ONTOLOGY_LIMITS.levels });
  const read = levels.map((entry) => readLevel(entry, seen));
  const types = read.flatMap((level) => level ?? []);
  if (Array.isArray(field.value) && !read.includes(null) && !seen.levels.has(0)) {
    faults.add("level", place, () => "has no level 0, expected the concrete node types there");
  }
  if (types.length > max) {
    faults.add("shape", place, () => `has more than ${max} node types`);
  }
  const whole = types.filter((type) => type !== null);
  return {
    types: whole.sort((one, other) => one.level - other.level).slice(0, max),
    isWhole:
      Array.isArray(field.value) &&
      levels.length === field.value.length &&
      !read.includes(null) &&
      whole.length === types.length &&
      types.length <= max,
  };
}

/** The node types of a level, null for each that does not hold; null for a level that does not hold. */
function readLevel(field: Field, seen: Seen): readonly (ReadNodeType | null)[] | null {
  if (!requireObject(field, "a level: an object with level and node_types")) return null;
  const level = readLevelNumber(member(field, "level"), seen.levels);
  const types = readMembers(member(field, "node_types"), {
    expected: "an object from node type names to node types",
    max: ONTOLOGY_LIMITS.nodeTypes + 1, // One more shows that there are too many.
  });
  if (level === null || types === null) return null;
  return types.map(([name, content]) =>
    isNewName({ name, place: content.place }, { seen: seen.types, faults: field.faults })
      ? readNodeType(content, { name, level })
      : null,
  );
}

/** Repeated levels are a fault, but their types can be used. */
function readLevelNumber(field: Field, seen: Map<number, string>): number | null {
  const { value, place, faults } = field;
  const highest = ONTOLOGY_LIMITS.highestLevel;
  if (typeof value !== "number") {
    addUnexpected(field, "a whole level number, 0 for the concrete level");
    return null;
  }
  if (!Number.isInteger(value) || value < 0 || value > highest) {
    faults.add("level", place, () => `got ${value}, expected a whole number from 0 to ${highest}`);
    return null;
  }
  const level = Math.abs(value); // -0 is 0.
  const earlier = seen.get(level);
  if (earlier === undefined) seen.set(level, place);
  else faults.add("level", place, () => `level ${level} is repeated, it is also at ${earlier}`);
  return level;
}

/** Whether a name holds and is not yet taken; remembers it. */
function isNewName(named: Named, context: { seen: Map<string, Named>; faults: FaultList }): boolean {
  const { seen, faults } = context;
  const fault = nameFault(named.name, { expected: "the name of a node type", max: NAME_CHARACTERS });
  if (fault !== null) {
    faults.add("name", named.place, () => fault);
    return false;
  }
  const key = nameKey(named.name);
  const earlier = seen.get(key);
  if (earlier === undefined) {
    seen.set(key, named);
    return true;
  }
  faults.add("name", named.place, () => `${repeated(named.name, earlier.name)}, see ${earlier.place}`);
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
export function lowerTypes(type: ReadNodeType, { known, references }: Lookup): readonly string[] {
  const lower: string[] = [];
  for (const { name, place } of type.aggregates) {
    const level = known.get(name)?.level;
    if (level !== undefined && level < type.level) lower.push(name);
    else if (level === undefined) references.add("reference", place, () => unknownType(name, known.keys()));
    else if (name === type.name)
      references.add("reference", place, () => `${quoted(name)} cannot aggregate itself`);
    else {
      const expected = `expected a node type of a level below ${type.level}`;
      references.add("reference", place, () => `${quoted(name)} is on level ${level}, ${expected}`);
    }
  }
  return lower;
}
