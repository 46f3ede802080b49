/** An entity that has another id since its address was shared: it was renamed, merged or given another type. */
import type { Entity, EntityDetail } from "@kcs/sdk";

export interface NamedEntity {
  readonly name: string;
  readonly type: string;
}

/** What an address calls it: as its texts do, so that it is still found when a new name is taken back. */
export function nameForAddress({
  name,
  type,
  aliases,
  evidence,
}: Pick<EntityDetail, "name" | "type" | "aliases" | "evidence">): NamedEntity {
  const written = [name, ...aliases].find((each) => evidence.some(({ text }) => text.includes(each)));
  return { name: written ?? name, type };
}

/** The one that is meant among those that a search for the name found; texts may still write the name of one that was renamed. */
export function entityCalled<Each extends Pick<Entity, "name" | "type" | "aliases">>(
  { name, type }: NamedEntity,
  found: readonly Each[],
): Each | null {
  const named = found.filter((each) => each.name === name);
  const written = found.filter(({ aliases }) => aliases.includes(name));
  const likely = [...named, ...written];
  return likely.find((each) => each.type === type) ?? likely[0] ?? null;
}
