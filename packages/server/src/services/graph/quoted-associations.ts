import type { Page, Store } from "../../ports/store.ts";
import { type Association, findAssociations } from "./associations.ts";
import { type EntityName, readNames } from "./entity-names.ts";
import { type Quote, quotePlaces } from "./quotes.ts";

export interface QuotedAssociation extends Pick<Association, "strength" | "chunks"> {
  /** The other entity. */
  readonly entity: EntityName;
  readonly evidence: readonly Quote[];
}

/**
 * The associations of an entity with names and quotes, without those whose other entity no longer exists. `total`
 * counts those on all pages; without `page` all are returned.
 */
export async function listAssociations(
  store: Store,
  { projectId, entityId, page }: { projectId: string; entityId: string; page?: Page },
): Promise<{ readonly associations: readonly QuotedAssociation[]; readonly total: number }> {
  const total = await store.countChunks({ projectId });
  const all = await findAssociations(store, { projectId, entityId, total });
  const found = page === undefined ? all : all.slice(page.offset, page.offset + page.limit);
  const ids = found.map((association) => association.entityId);
  const names = await readNames(store, projectId, ids);
  const places = found.flatMap((association) => association.places);
  const quotes = await quotePlaces(store, projectId, places);
  const associations = found.flatMap((association): readonly QuotedAssociation[] => {
    const entity = names.get(association.entityId);
    const { strength, chunks } = association;
    const evidence = association.places.flatMap((place) => quotes.get(place) ?? []);
    return entity === undefined ? [] : [{ entity, strength, chunks, evidence }];
  });
  return { associations, total: all.length };
}
