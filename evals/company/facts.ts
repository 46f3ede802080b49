/** What the documents say of the company, and what of it the lists of relationships have at a date. */
import { fold } from "../answers/judge.ts";
import type { Api } from "../client.ts";

export interface Fact {
  /** "|" between names of the same thing. */
  readonly source: string;
  readonly type: string;
  readonly target: string;
  /** A year, a month or a day; null where the documents give none. */
  readonly from: string | null;
  /** The last day; null: still so, or not said. */
  readonly to: string | null;
  /** One of the documents that say so. */
  readonly document: string;
}

interface EntityView {
  readonly entity_id: string;
  readonly name: string;
  readonly aliases: readonly string[];
}

interface EndView {
  readonly entity_id: string | null;
  readonly name: string;
}

interface RelationshipView {
  readonly type: string;
  readonly source: EndView;
  readonly target: EndView;
}

/** A relationship or proposal of a list, with all names of its ends. */
export interface Listed {
  readonly type: string;
  readonly source: Names;
  readonly target: Names;
  /** To be read. */
  readonly text: string;
}

/** The name that is shown and the others, folded. */
type Names = ReadonlySet<string>;

/** By the id of the entity. */
export type NamesById = ReadonlyMap<string, Names>;

const PAGE = 500;

export async function readNames(api: Api, projectId: string): Promise<NamesById> {
  const entities = await readPages<EntityView>(api, `/projects/${projectId}/entities?`, "entities");
  return new Map(
    entities.map(({ entity_id, name, aliases }) => [entity_id, new Set([name, ...aliases].map(fold))]),
  );
}

/** @param path of a list of relationships or proposals, up to its further parameters */
export async function listStated(
  api: Api,
  { path, member, names }: { path: string; member: "relationships" | "proposals"; names: NamesById },
): Promise<readonly Listed[]> {
  const namesOf = ({ entity_id, name }: EndView) => names.get(entity_id ?? "") ?? new Set([fold(name)]);
  return (await readPages<RelationshipView>(api, path, member)).map(({ type, source, target }) => ({
    ...{ type, source: namesOf(source), target: namesOf(target) },
    text: `${source.name} ${type} ${target.name}`,
  }));
}

async function readPages<Item>(api: Api, path: string, member: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page = await api.request<Record<string, Item[]>>(
      "GET",
      `${path}limit=${PAGE}&offset=${items.length}`,
    );
    const added = page[member] ?? [];
    items.push(...added);
    if (added.length < PAGE) return items;
  }
}

const isTimed = ({ from, to }: Fact) => from !== null || to !== null;
const holdsAt = ({ from, to }: Fact, day: string) =>
  (from === null || from <= day) && (to === null || day <= to);

export function isListed(fact: Fact, listed: readonly Listed[]): boolean {
  return listed.some((each) => states(each, fact));
}

export function states(listed: Listed, { source, type, target }: Fact): boolean {
  const isOneOf = (alternatives: string, names: Names) =>
    alternatives.split("|").some((name) => names.has(fold(name)));
  return listed.type === type && isOneOf(source, listed.source) && isOneOf(target, listed.target);
}

/** @param day null: without `as_of`, where every fact counts as one that holds */
export function countFacts(
  facts: readonly Fact[],
  listed: readonly Listed[],
  day: string | null,
): Readonly<Record<string, number>> {
  const counted = day === null ? facts : facts.filter(isTimed);
  const holding = counted.filter((fact) => day === null || holdsAt(fact, day));
  const others = counted.filter((fact) => !holding.includes(fact));
  return {
    hold: holding.length,
    listed: holding.filter((fact) => isListed(fact, listed)).length,
    do_not_hold: others.length,
    listed_wrongly: others.filter((fact) => isListed(fact, listed)).length,
  };
}
