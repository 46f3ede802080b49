/** What classes and slots of LinkML inherit. */
import { OntologyFileError } from "../../ports/ontology-files.ts";
import type { Draft } from "./draft.ts";
import { isYamlMap, type YamlMap, type YamlValue } from "./yaml-text.ts";

/** Of classes and slots, each as often as it is looked at: a few lines can give 2,000 classes what is above them. */
const MAX_STEPS = 3_000_000;

export type LinkMlSchema = ReturnType<typeof createLinkMlSchema>;
type Definitions = ReadonlyMap<string, YamlMap>;

/** A slot or an attribute that a class has. */
interface OwnedSlot {
  readonly name: string;
  /** What narrows it, then its own, then those that it inherits from: the first that says something counts. */
  readonly definitions: readonly YamlMap[];
}

export function createLinkMlSchema(file: YamlMap, draft: Draft) {
  const classes = definitionsOf(draft, file.get("classes"));
  const slots = definitionsOf(draft, file.get("slots"));
  const { count, reach } = createReach();
  const parentsOf = createParentsOf();
  const below = Map.groupBy(
    [...classes].flatMap(([name, own]) => parentsOf(own).map((parent) => ({ name, parent }))),
    ({ parent }) => parent,
  );
  const users = usersOf(classes, slots);
  const slotsByClass = Map.groupBy(
    [...users].flatMap(([slot, all]) => [...all].map((name) => ({ name, slot }))),
    ({ name }) => name,
  );
  const membersOf = (member: "attributes" | "slot_usage") => {
    const all = [...classes.values()].map((own) => [own, definitionsOf(draft, own.get(member))] as const);
    const found = new Map(all);
    return (own: YamlMap): Definitions => found.get(own) ?? new Map();
  };
  const [attributesOf, usagesOf] = [membersOf("attributes"), membersOf("slot_usage")];
  const parentsOfSlot = (name: string) => parentsOf(slots.get(name) ?? new Map());
  const lines = new Map<YamlMap, readonly YamlMap[]>();
  /** Found once for each slot, whichever classes have it. */
  function slotWithParents(slot: YamlMap): readonly YamlMap[] {
    const known = lines.get(slot);
    if (known !== undefined) return known;
    const named = parentsOf(slot).flatMap((parent) => reach(parent, parentsOfSlot));
    const line = [slot, ...[...new Set(named)].flatMap((name) => slots.get(name) ?? [])];
    lines.set(slot, line);
    return line;
  }
  const instances = new Map<string, readonly string[]>();
  return {
    classes,
    slots,
    enums: definitionsOf(draft, file.get("enums")),
    /** "" where the file has none. */
    defaultRange: textOf(file.get("default_range")),
    ...{ count, parentsOf, hasInstances, attributesOf, usagesOf, slotWithParents },
    /** Those that say so themselves. */
    usersOf: (slot: string): ReadonlySet<string> => users.get(slot) ?? new Set(),

    /** Classes with instances that are this one or below it. */
    instancesOf(name: string): readonly string[] {
      const known = instances.get(name);
      count(1 + (known?.length ?? 0));
      if (known !== undefined) return known;
      const all = reach(name, (each) => (below.get(each) ?? []).map((lower) => lower.name));
      const found = all.filter((each) => hasInstances(classes.get(each) ?? new Map()));
      instances.set(name, found);
      return found;
    },

    /** Attributes and slots of a class and of what is above it, those of the nearest first. */
    slotsOf(name: string): readonly OwnedSlot[] {
      const line = reach(name, (each) => parentsOf(classes.get(each) ?? new Map()));
      const owners = line.flatMap((each) => classes.get(each) ?? []);
      const usages = owners.map(usagesOf).filter(({ size }) => size > 0);
      // Before they are walked: each class is given what all classes above it have.
      for (const owner of owners) count(attributesOf(owner).size);
      for (const each of line) count(slotsByClass.get(each)?.length ?? 0);
      const owned = (slot: string, own: YamlMap): OwnedSlot => {
        const line = slotWithParents(own);
        count(line.length + usages.length);
        const narrowed = usages.flatMap((usage) => usage.get(slot) ?? []);
        return { name: slot, definitions: [...narrowed, ...line] };
      };
      const attributes = new Map(owners.toReversed().flatMap((owner) => [...attributesOf(owner)]));
      const named = new Set(line.flatMap((each) => (slotsByClass.get(each) ?? []).map(({ slot }) => slot)));
      return [
        ...[...attributes].map(([slot, own]) => owned(slot, own)),
        ...[...named].map((slot) => owned(slot, slots.get(slot) ?? new Map())),
      ];
    },
  };
}

function createReach() {
  let steps = 0;
  /** @throws OntologyFileError */
  const count = (more: number): void => {
    steps += more;
    if (steps > MAX_STEPS) throw new OntologyFileError("has too many classes that inherit too much");
  };
  /** With all that `next` leads to, each once; what leads back to itself ends there. */
  const reach = (start: string, next: (name: string) => readonly string[]): readonly string[] => {
    count(1);
    const reached = new Set([start]);
    for (const name of reached)
      for (const other of next(name)) {
        count(1);
        reached.add(other);
      }
    return [...reached];
  };
  return { count, reach };
}

/** The classes that have each slot by themselves: by their list, by the list of the slot, or as the domain of a slot that none has. */
function usersOf(classes: Definitions, slots: Definitions): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>([...slots.keys()].map((slot) => [slot, new Set()]));
  for (const [slot, own] of slots)
    for (const user of listOf(own.get("domain_of"))) users.get(slot)?.add(textOf(user));
  for (const [name, own] of classes)
    for (const slot of listOf(own.get("slots")).map(textOf)) {
      const known = users.get(slot);
      if (known === undefined) users.set(slot, new Set([name]));
      else known.add(name);
    }
  for (const [slot, own] of slots)
    if (users.get(slot)?.size === 0)
      for (const domain of listOf(own.get("domain"))) users.get(slot)?.add(textOf(domain));
  return users;
}

/** The nearer ones first, each once; found once, because the file may name the same one many times. */
function createParentsOf() {
  const found = new Map<YamlMap, readonly string[]>();
  return (definition: YamlMap): readonly string[] => {
    const known = found.get(definition);
    if (known !== undefined) return known;
    const named = [...listOf(definition.get("mixins")), ...listOf(definition.get("is_a"))];
    const parents = [...new Set(named.map(textOf))];
    found.set(definition, parents);
    return parents;
  };
}

function hasInstances(definition: YamlMap): boolean {
  return ["abstract", "mixin"].every((member) => textOf(definition.get(member)) !== "true");
}

/** By name, from a map or from a list of maps with names. */
function definitionsOf(draft: Draft, value: YamlValue | undefined): Definitions {
  const named = isYamlMap(value)
    ? [...value]
    : listOf(value).map((each) => [textOf(isYamlMap(each) ? each.get("name") : each), each] as const);
  const found = new Map<string, YamlMap>();
  for (const [name, each] of named) {
    if (found.has(name)) draft.leaveOut(name, "is defined twice; the first one counts");
    else found.set(name, isYamlMap(each) ? each : new Map());
    if (!isYamlMap(each) && isYamlMap(value) && textOf(each) !== "")
      draft.leaveOut(name, "is no map, so what is written there is not read");
  }
  return found;
}

/** A value that is no list counts as one of it; nothing as none. */
export function listOf(value: YamlValue | undefined): readonly YamlValue[] {
  if (Array.isArray(value)) return value as readonly YamlValue[];
  return value === undefined || value === "" ? [] : [value as YamlValue];
}

export function textOf(value: YamlValue | undefined): string {
  return typeof value === "string" ? value : "";
}
