/** Under the name and type of another entity, one that is renamed or gets another type becomes one with it. */
import type { Entity } from "@kcs/sdk";
import type { TypedName } from "./use-show-entity.ts";

/** The other entity among those that a search for the name found, whatever name of its own that is; null: there is none. */
export function ownerOf<Each extends Pick<Entity, "entity_id" | "name" | "type" | "aliases">>(
  { name, type }: TypedName,
  found: readonly Each[],
  ownId: string,
): Each | null {
  const wanted = name.trim().toLowerCase();
  const isCalledSo = ({ name: first, aliases }: Each) =>
    [first, ...aliases].some((each) => each.toLowerCase() === wanted);
  return found.find((each) => each.entity_id !== ownId && each.type === type && isCalledSo(each)) ?? null;
}
