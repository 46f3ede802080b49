/** The entity that a correction means, as the graph has it now: the reading of an ontology can give its name another type. */
import type { Entity, ListedCorrection } from "@kcs/sdk";
import type { NewCorrection } from "../../../api/corrections.ts";

type Named = Pick<Entity, "name" | "type">;

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
