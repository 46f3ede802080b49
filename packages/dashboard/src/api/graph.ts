import type { Entity, Proposal } from "@kcs/sdk";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { entityCalled, type NamedEntity } from "./renamed-entity.ts";
import { survivors } from "./retained-key.ts";
import { service } from "./service.ts";

export const entitiesPage = 50;
/** Of an entity, the best supported relationships that are drawn and listed. */
export const maxRelationships = 100;

export interface EntityListing {
  /** Part of a name; "" for all. */
  readonly find: string;
  readonly type: string | null;
  readonly from: number;
}

export function entitiesQuery(projectId: string, { find, type, from }: EntityListing) {
  return queryOptions({
    queryKey: ["projects", projectId, "entities", find, type, from],
    queryFn: ({ signal }) =>
      service.graph.entities(
        projectId,
        {
          ...{ limit: entitiesPage, offset: from },
          ...(find === "" ? {} : { search: find }),
          ...(type === null ? {} : { type }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

/** Entities without relationships. */
export function unrelatedQuery(projectId: string, { type, from }: Pick<EntityListing, "type" | "from">) {
  return queryOptions({
    queryKey: ["projects", projectId, "unrelated", type, from],
    queryFn: ({ signal }) =>
      service.graph.unrelated(
        projectId,
        { limit: entitiesPage, offset: from, ...(type === null ? {} : { type }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

export interface OverviewPart {
  /** Of entities, at most. */
  readonly size: number;
  /** Only what this document names. */
  readonly document?: string | undefined;
  /** A year, month or day: only what holds then. */
  readonly asOf?: string | undefined;
}

/** The best connected part of the graph. */
export function overviewQuery(projectId: string, { size, document, asOf }: OverviewPart) {
  return queryOptions({
    queryKey: ["projects", projectId, "graph-overview", size, document, asOf],
    queryFn: ({ signal }) =>
      service.graph.overview(projectId, { limit: size, document, as_of: asOf }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** A shortest path between two entities. */
export function pathQuery(projectId: string, ends: { readonly from: string; readonly to: string }) {
  return queryOptions({
    queryKey: ["projects", projectId, "graph-path", ends.from, ends.to],
    queryFn: ({ signal }) => service.graph.path(projectId, ends, { signal }),
  });
}

/** The id that an entity got when it was merged, renamed or given another type in this browser. */
export function survivorKey(projectId: string, entityId: string) {
  return [survivors, projectId, entityId];
}

/**
 * The entity that an address means whose id is gone: after corrections in this browser, or by its name in the address. null: none;
 * undefined: it is being looked for.
 */
export function useSurvivor(
  projectId: string,
  {
    id,
    called,
    isGone,
  }: { readonly id: string; readonly called: NamedEntity | null; readonly isGone: boolean },
): string | null | undefined {
  const corrected = useCorrectedHere(projectId, id);
  const isNamed = isGone && corrected === null && called !== null;
  const { data, error } = useQuery({
    ...renamedEntityQuery(projectId, called ?? { name: "", type: "" }),
    enabled: isNamed,
  });
  if (!isGone || error !== null) return null;
  if (!isNamed) return corrected;
  return data === id ? null : data;
}

function useCorrectedHere(projectId: string, entityId: string): string | null {
  const client = useQueryClient();
  const seen = new Set<string>();
  for (let id: string | undefined = entityId; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    id = client.getQueryData<string>(survivorKey(projectId, id));
  }
  const last = [...seen].at(-1);
  return last === undefined || last === entityId ? null : last;
}

/** The id of the entity that had this name and type when its address was shared; null where none has them any more. */
export function renamedEntityQuery(projectId: string, named: NamedEntity) {
  return queryOptions({
    queryKey: ["projects", projectId, "renamed-entity", named],
    async queryFn({ signal }): Promise<string | null> {
      const { entities } = await service.graph.entities(projectId, { search: named.name }, { signal });
      return entityCalled(named, entities)?.entity_id ?? null;
    },
  });
}

/** With its relationships, without their sentences, and what it is mentioned together with. */
export function entityQuery(projectId: string, entityId: string, asOf?: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "entity", entityId, asOf],
    queryFn: ({ signal }) =>
      service.graph.entity(
        projectId,
        entityId,
        { limit: maxRelationships, include: "associations", as_of: asOf },
        { signal },
      ),
  });
}

/** The relationships of one entity, with the sentences that state them. */
export function relationshipsQuery(projectId: string, entityId: string, asOf?: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "relationships", entityId, asOf],
    queryFn: ({ signal }) =>
      service.graph.relationships(
        projectId,
        { entity_id: entityId, limit: maxRelationships, as_of: asOf },
        { signal },
      ),
  });
}

export const proposalsPage = 50;

/** Relationships that are not sure enough for the graph, the most confident first. */
export function proposalsQuery(projectId: string, offset: number) {
  return queryOptions({
    queryKey: ["projects", projectId, "proposals", offset],
    queryFn: ({ signal }) => service.graph.proposals(projectId, { limit: proposalsPage, offset }, { signal }),
  });
}

/** The service lists no more. */
const maxProposals = 10_000;

export function proposalCountQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "proposals", "count"],
    queryFn: async ({ signal }) => (await service.graph.proposals(projectId, { limit: 1 }, { signal })).total,
  });
}

/** How many proposals there are: "1", "2,000", "10,000+". */
export function proposalWords(total: number): string {
  return `${total.toLocaleString("en")}${total < maxProposals ? "" : "+"}`;
}

/** The most confident proposals of a type: a verdict on one can move others into the graph and out of it. */
export async function proposalsOfType(
  projectId: string,
  type: string,
  limit: number,
): Promise<readonly Proposal[]> {
  return (await service.graph.proposals(projectId, { type, limit })).proposals;
}

/** As {@link entitiesNamed}, for what is shown. */
export function entitiesNamedQuery(projectId: string, name: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "entities-named", name],
    queryFn: () => entitiesNamed(projectId, name),
  });
}

/** Those that have exactly this name, of whatever type, be it under another one that they are shown. */
async function entitiesNamed(projectId: string, name: string): Promise<readonly Entity[]> {
  const { entities } = await service.graph.entities(projectId, { search: name });
  return entities.filter((each) => [each.name, ...each.aliases].includes(name));
}

/** Those that are shown under exactly this name, of whatever type. */
export async function entitiesCalled(projectId: string, name: string): Promise<readonly Entity[]> {
  return (await entitiesNamed(projectId, name)).filter((each) => each.name === name);
}
