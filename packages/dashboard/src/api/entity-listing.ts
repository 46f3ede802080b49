import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type EntityListing, entitiesPage } from "./graph.ts";
import { projectStatsQuery } from "./projects.ts";
import {
  maxListed,
  ofType,
  type RankedEntity,
  type Ranking,
  rankingOf,
  rankMatches,
  withRelationships,
} from "./ranked-entities.ts";
import { service } from "./service.ts";

/** Of a search: as many as the service gives at once. */
const maxMatches = 500;
/** Choosing among all relationships takes the service a second, and pages are turned. */
const rankingStaleMs = 60_000;

export interface ListedEntities {
  /** Of this page. */
  readonly entities: readonly RankedEntity[];
  /** How many the pages have together. */
  readonly listed: number;
  /** How many there are; a search counts up to `maxListed`. */
  readonly all: number;
}

function rankingQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "ranking"],
    queryFn: async ({ signal }) =>
      rankingOf(await service.graph.overview(projectId, { limit: maxListed }, { signal })),
    staleTime: rankingStaleMs,
  });
}

/** Entities of a name and type, those with the most relationships first. */
export function entityListingQuery(client: QueryClient, projectId: string, listing: EntityListing) {
  const { find, type, from } = listing;
  return queryOptions({
    queryKey: ["projects", projectId, "entity-listing", find, type, from],
    queryFn: ({ signal }) => listEntities(client, { projectId, ...listing, signal }),
    placeholderData: keepPreviousData,
  });
}

async function listEntities(
  client: QueryClient,
  { find, ...listing }: Omit<Reading, "ranking"> & EntityListing,
): Promise<ListedEntities> {
  const reading = { ...listing, ranking: await client.fetchQuery(rankingQuery(listing.projectId)) };
  return find === "" ? listAll({ ...reading, client }) : listMatches({ ...reading, find });
}

interface Reading {
  readonly projectId: string;
  readonly type: string | null;
  readonly from: number;
  readonly ranking: Ranking;
  readonly signal: AbortSignal;
}

async function listMatches({
  find,
  ...reading
}: Reading & { readonly find: string }): Promise<ListedEntities> {
  const { entities, total } = await readByName(reading, { search: find, limit: maxMatches });
  const matches = rankMatches(entities, { ...reading, find });
  const { from } = reading;
  return {
    entities: matches.slice(from, from + entitiesPage),
    listed: matches.length,
    all: Math.max(total, matches.length),
  };
}

async function listAll({
  client,
  ...reading
}: Reading & { readonly client: QueryClient }): Promise<ListedEntities> {
  const { ranking, type, from, projectId } = reading;
  const ranked = ofType(ranking, type);
  const { entities_by_type: counts } = await client.fetchQuery(projectStatsQuery(projectId));
  const { total } = await readByName(reading, { limit: 1 });
  const counted = counts.reduce(
    (sum, each) => sum + (type === null || each.type === type ? each.count : 0),
    0,
  );
  const entities = [...ranked.slice(from, from + entitiesPage)];
  const missing = Math.min(entitiesPage, total - from) - entities.length;
  if (missing > 0) {
    const start = Math.max(0, from - ranked.length);
    entities.push(...(await readRest(reading, { start, end: start + missing })));
  }
  // A count of types is of the last change; the list counts what it has.
  return { entities, listed: total, all: total < maxListed ? total : Math.max(total, counted) };
}

/** By name, without those of the ranking: the list is read from its beginning, because nothing tells where they are in it. */
async function readRest(
  reading: Reading,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<readonly RankedEntity[]> {
  const { ranking } = reading;
  const ranked = new Set(ranking.entities.map(({ entity_id: id }) => id));
  const rest: RankedEntity[] = [];
  for (let offset = 0; offset < maxListed && rest.length < end; offset += maxMatches) {
    const { entities } = await readByName(reading, { limit: maxMatches, offset });
    rest.push(
      ...withRelationships(
        entities.filter(({ entity_id: id }) => !ranked.has(id)),
        ranking,
      ),
    );
    if (entities.length < maxMatches) break;
  }
  return rest.slice(start, end);
}

function readByName(
  { projectId, type, signal }: Reading,
  page: { readonly search?: string; readonly limit: number; readonly offset?: number },
) {
  return service.graph.entities(projectId, { ...page, ...(type === null ? {} : { type }) }, { signal });
}
