/** Entities by the number of their relationships, which the service's lists do not order by. */

/** The service finds, counts and ranks no more. */
export const maxListed = 10_000;

export interface RankedEntity {
  readonly entity_id: string;
  readonly name: string;
  readonly type: string;
  /** Number of its relationships that hold now; null: not known. */
  readonly relationships: number | null;
}

/** The best connected entities of a project. */
export interface Ranking {
  /** Those with the most relationships first. */
  readonly entities: readonly RankedEntity[];
  /** All that have relationships are among them. */
  readonly isAll: boolean;
}

interface Found {
  readonly entity_id: string;
  readonly name: string;
  readonly type: string;
  readonly aliases: readonly string[];
}

export function rankingOf({
  entities,
  connected_entities: connected,
  is_complete: isComplete,
}: {
  readonly entities: readonly (Omit<Found, "aliases"> & { readonly degree: number })[];
  readonly connected_entities: number;
  readonly is_complete: boolean;
}): Ranking {
  return {
    entities: entities
      .toSorted((one, other) => other.degree - one.degree)
      .map(({ entity_id, name, type, degree }) => ({ entity_id, name, type, relationships: degree })),
    isAll: isComplete && entities.length === connected,
  };
}

/**
 * What a search has found, and what of the ranking has the text in its name, because a search ends before all that match: those with
 * exactly this name first, then those with the most relationships, else in the order in which they were found.
 */
export function rankMatches(
  found: readonly Found[],
  { ranking, find, type }: { readonly ranking: Ranking; readonly find: string; readonly type: string | null },
): readonly RankedEntity[] {
  const wanted = folded(find);
  const known = new Set(found.map(({ entity_id: id }) => id));
  const others = ofType(ranking, type).filter(
    ({ entity_id: id, name }) => !known.has(id) && folded(name).includes(wanted),
  );
  const exact = new Set(
    [...found, ...others]
      .filter((each) => [each.name, ...("aliases" in each ? each.aliases : [])].some(isWanted))
      .map(({ entity_id: id }) => id),
  );
  return [...withRelationships(found, ranking), ...others].toSorted(
    (one, other) =>
      Number(exact.has(other.entity_id)) - Number(exact.has(one.entity_id)) ||
      (other.relationships ?? 0) - (one.relationships ?? 0),
  );

  function isWanted(name: string): boolean {
    return folded(name) === wanted;
  }
}

export function ofType({ entities }: Ranking, type: string | null): readonly RankedEntity[] {
  return type === null ? entities : entities.filter((each) => each.type === type);
}

export function withRelationships(
  found: readonly Omit<Found, "aliases">[],
  { entities, isAll }: Ranking,
): readonly RankedEntity[] {
  const degrees = new Map(entities.map(({ entity_id: id, relationships }) => [id, relationships]));
  return found.map(({ entity_id, name, type }) => ({
    ...{ entity_id, name, type },
    relationships: degrees.get(entity_id) ?? (isAll ? 0 : null),
  }));
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
