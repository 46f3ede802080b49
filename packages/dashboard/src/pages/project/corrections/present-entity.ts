/** The entity that a correction means, as the graph has it now: the reading of an ontology can give its name another type. */
import type { Entity, ListedCorrection } from "@kcs/sdk";
import type { NewCorrection } from "../../../api/corrections.ts";

type Named = Pick<Entity, "name" | "type">;

/** What is to be told of a name, after it, and the entity for which its correction can be made again. */
export interface PresentName<Each> {
  readonly words: string;
  readonly entity: Each | null;
}

/** A correction of a single entity. */
export type EntityCorrection = Extract<ListedCorrection, { readonly entity: unknown }>;

export function isOfEntity(correction: ListedCorrection): correction is EntityCorrection {
  return "entity" in correction;
}

/** The only entity of the name; none where several have it, of which any could be meant. */
export function presentEntity<Each extends Named>(found: readonly Each[]): Each | null {
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

/** What became of the entity of a correction without effect, among those that have its name; null: it is as it was, and its evidence is gone. */
export function presentName<Each extends Named>(
  { name, type }: Named,
  found: readonly Each[],
): PresentName<Each> | null {
  const called = found.filter((each) => each.name === name);
  if (called.some((each) => each.type === type)) return null;
  const types = [...new Set(called.map((each) => each.type))].join(", ");
  const entity = presentEntity(called);
  if (entity !== null) return { words: `is of the type ${entity.type} now.`, entity };
  if (called.length > 1)
    return { words: `is there under several types now (${types}). Correct it on its page.`, entity };
  const others = found.map((each) => `“${each.name}” (${each.type})`).join(", ");
  return { words: others === "" ? "names nothing in the graph now." : `is a name of ${others} now.`, entity };
}

/** What an entity of this type that gets the name is called under the present corrections, given the newest first. */
export function lastName(corrections: readonly ListedCorrection[], { name, type }: Named): string {
  return corrections.reduceRight((last, each) => {
    const isOf = isOfEntity(each) && each.entity.type === type && each.entity.name === last;
    if (isOf && each.kind === "rename") return each.name;
    return isOf && each.kind === "merge" && each.into.type === type ? each.into.name : last;
  }, name);
}

/**
 * The same for the entity under its present type; null: there is nothing left to do, because it is so already. `other`: as the graph has the one
 * that a merge or split leads to now, if it has only one.
 */
export function correctionOfPresent(
  correction: EntityCorrection,
  { name, type }: Named,
  other: Named | null = null,
): NewCorrection | null {
  const { reason, kind } = correction;
  const [entity, note] = [{ name, type }, reason === null ? {} : { reason }];
  const into = other === null ? {} : { into: { name: other.name, type: other.type } };
  switch (kind) {
    case "rename":
      return correction.name === name ? null : { kind, entity, name: correction.name, ...note };
    case "retype":
      return correction.type === type ? null : { kind, entity, type: correction.type, ...note };
    case "merge":
      return { kind, entity, into: correction.into, ...into, ...note };
    case "split":
      return { kind, entity, documents: [...correction.documents], into: correction.into, ...into, ...note };
    case "add_property":
      return { kind, entity, property: correction.property, value: correction.value, ...note };
    case "remove_property":
      return { kind, entity, property: correction.property, value: correction.value, ...note };
  }
}
