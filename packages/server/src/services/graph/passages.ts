/** The passages that state facts, with the dates of their documents. */
import { dateOfDocument } from "../../engine/text/document-date.ts";
import { createPace } from "../../engine/text/pace.ts";
import type { Entity, GraphStore, Relationship } from "../../ports/graph-store.ts";
import type { IndexStore } from "../../ports/index-store.ts";
import { readInSteps } from "../read-in-steps.ts";
import { type Place, type Quote, quotePlaces } from "./quotes.ts";

export interface Passage extends Quote {
  /** A year, month or day; null where the document does not say it. */
  readonly documentDate: string | null;
}

export interface Stated<Item> {
  readonly items: readonly Item[];
  /** By the places that the items have; without those whose chunk has gone meanwhile. */
  readonly passages: ReadonlyMap<Place, Passage>;
}

export type PassageStore = Pick<IndexStore, "readChunks" | "readHeads">;

/** Items whose passages are read together: an entity can have 150 of them, a relationship 3. */
const ITEMS_PER_PART = { entities: 4, relationships: 100 } as const;
const DOCUMENTS_PER_STEP = 32;
/** Dates that are looked for in a turn of the event loop, in about a millisecond. */
const DATES_PER_TURN = 16;
/** Dates that are kept for the next passages, because many are of the same documents. */
const MAX_KEPT_DATES = 10_000;

/** Without entities that no longer exist. */
export async function* stateEntities(
  store: PassageStore & Pick<GraphStore, "readEntities">,
  projectId: string,
  idPages: AsyncIterable<readonly string[]>,
): AsyncGenerator<Stated<Entity>> {
  const passagesOf = createPassageReader(store, projectId);
  for await (const ids of idPages)
    for (const entityIds of partsOf(ids, ITEMS_PER_PART.entities)) {
      const items = await store.readEntities({ projectId, entityIds });
      const places = items.flatMap(({ properties }) => properties.flatMap((property) => property.places));
      yield { items, passages: await passagesOf(places) };
    }
}

export async function* stateRelationships(
  store: PassageStore,
  projectId: string,
  pages: AsyncIterable<readonly Relationship[]>,
): AsyncGenerator<Stated<Relationship>> {
  const passagesOf = createPassageReader(store, projectId);
  for await (const page of pages)
    for (const items of partsOf(page, ITEMS_PER_PART.relationships))
      yield { items, passages: await passagesOf(items.flatMap(({ evidence }) => evidence)) };
}

/** At least one part, which may be empty: also what yields nothing ends here when the client has gone. */
function partsOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function createPassageReader(store: PassageStore, projectId: string) {
  const dates = new Map<string, string | null>();

  async function readDates(quotes: readonly Quote[]): Promise<void> {
    if (dates.size > MAX_KEPT_DATES) dates.clear();
    const versions = new Map(quotes.map(({ sourceDocId, versionId }) => [sourceDocId, versionId]));
    const unknown = [...versions].filter(([sourceDocId]) => !dates.has(sourceDocId));
    if (unknown.length === 0) return;
    const heads = await readInSteps(
      unknown.map(([, versionId]) => versionId),
      { itemsPerStep: DOCUMENTS_PER_STEP },
      (versionIds) => store.readHeads({ projectId, versionIds }),
    );
    const pace = createPace(DATES_PER_TURN);
    for (const [at, [sourceDocId]] of unknown.entries()) {
      await pace(1);
      const { text, metadata } = heads[at] ?? { text: "", metadata: {} };
      dates.set(sourceDocId, dateOfDocument(text, { metadata, sourceDocId }));
    }
  }

  return async (places: readonly Place[]): Promise<ReadonlyMap<Place, Passage>> => {
    const quotes = await quotePlaces(store, projectId, places);
    await readDates([...quotes.values()]);
    return new Map(
      [...quotes].map(([place, quote]) => [
        place,
        { ...quote, documentDate: dates.get(quote.sourceDocId) ?? null },
      ]),
    );
  };
}
