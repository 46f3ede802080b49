/** Reads the whole graph of a project over HTTP. */
import type { Api } from "../client.ts";

export interface Evidence {
  readonly source_doc_id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface EntityView {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly chunks: number;
}

interface End {
  /** null where a proposal's end is no entity. */
  readonly entity_id: string | null;
  readonly name: string;
  readonly type: string;
}

export interface RelationshipView {
  readonly type: string;
  readonly source: End;
  readonly target: End;
  readonly evidence: readonly Evidence[];
}

export interface Graph {
  readonly entities: readonly EntityView[];
  readonly relationships: readonly RelationshipView[];
  readonly proposals: readonly RelationshipView[];
}

const PAGE = 500;

export async function readGraph(api: Api, projectId: string): Promise<Graph> {
  const path = `/projects/${projectId}`;
  const entities = await readPages((page) =>
    api.request<{ entities: EntityView[] }>("GET", `${path}/entities?${page}`).then((list) => list.entities),
  );
  const relationships = await readPages((page) =>
    api
      .request<{ relationships: RelationshipView[] }>("GET", `${path}/relationships?${page}`)
      .then((list) => list.relationships),
  );
  const proposals = await readPages((page) =>
    api
      .request<{ proposals: RelationshipView[] }>("GET", `${path}/graph/proposals?${page}`)
      .then((list) => list.proposals),
  );
  return { entities, relationships, proposals };
}

async function readPages<T>(read: (page: string) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read(`limit=${PAGE}&offset=${all.length}`);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** The first passage that mentions the entity; null where it has none. */
export async function evidenceOf(api: Api, projectId: string, entityId: string): Promise<Evidence | null> {
  const { evidence } = await api.request<{ evidence: Evidence[] }>(
    "GET",
    `/projects/${projectId}/entities/${entityId}?limit=1`,
  );
  return evidence[0] ?? null;
}
