/** A correction as a caller gives it. */
import type { CorrectionChange, NamedEntity } from "../domain/correction.ts";

/** `also` absent: the names that the entity has in the graph. */
export type GivenEntity = Omit<NamedEntity, "also"> & { readonly also?: NamedEntity["also"] | undefined };

type Given<Change> = Change extends unknown
  ? { readonly [Key in keyof Change]: Change[Key] extends NamedEntity ? GivenEntity : Change[Key] }
  : never;

export type GivenCorrection = Given<CorrectionChange> & { readonly reason: string | null };

export function entitiesOf(given: GivenCorrection): readonly GivenEntity[] {
  return "entity" in given ? [given.entity] : [given.source, given.target];
}
