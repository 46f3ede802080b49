/** Of a graph with hubs what can be read at once: a hub with a hundred lines is a disc that hides what lies behind it. */
import type { GraphOverview } from "@kcs/sdk";

/** Neighbours of an entity that are drawn at once. */
export const maxDrawnNeighbours = 12;

type Part = Pick<GraphOverview, "entities" | "relationships">;

/**
 * Of each entity the best connected neighbours, of equally connected ones those that more chunks state, as far as both ends have each other
 * among them, and the entities that are left with a neighbour, in an order each beginning of which hangs together. The same object where no
 * entity has more.
 */
export function boundHubs<Of extends Part>(part: Of): Of {
  const near = neighboursOf(part);
  if ([...near.values()].every(({ size }) => size <= maxDrawnNeighbours)) return part;
  const degrees = new Map(part.entities.map(({ entity_id: id, degree }) => [id, degree]));
  const kept = new Map([...near].map(([id, neighbours]) => [id, strongestOf(neighbours, degrees)]));
  const isKept = (one: string, other: string) =>
    kept.get(one)?.has(other) === true && kept.get(other)?.has(one) === true;
  const relationships = part.relationships.filter(({ source, target }) => isKept(source, target));
  const order = growthOf(
    part.entities.map(({ entity_id: id }) => id),
    neighboursOf({ ...part, relationships }),
  );
  const entities = new Map(part.entities.map((entity) => [entity.entity_id, entity]));
  return { ...part, entities: order.flatMap((id) => entities.get(id) ?? []), relationships };
}

/** The neighbours of each entity, with the number of chunks that state what joins the two. */
type Neighbours = ReadonlyMap<string, ReadonlyMap<string, number>>;

function neighboursOf({ relationships }: Part): Neighbours {
  const near = new Map<string, Map<string, number>>();
  const add = (one: string, other: string, chunks: number) => {
    const known = near.get(one) ?? new Map<string, number>();
    near.set(one, known.set(other, (known.get(other) ?? 0) + chunks));
  };
  for (const { source, target, chunks } of relationships) {
    if (source === target) continue;
    add(source, target, chunks);
    add(target, source, chunks);
  }
  return near;
}

/** Those that have a neighbour: the first one, then always the first of the neighbours of those taken; then what does not hang together with it. */
function growthOf(ids: readonly string[], near: Neighbours): readonly string[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const taken = new Set<string>();
  for (const first of ids) {
    const frontier = new Set(near.has(first) && !taken.has(first) ? [first] : []);
    while (frontier.size > 0) {
      let next = first;
      let least = Number.POSITIVE_INFINITY;
      for (const id of frontier) {
        const place = places.get(id) ?? Number.POSITIVE_INFINITY;
        if (place < least) [next, least] = [id, place];
      }
      frontier.delete(next);
      taken.add(next);
      for (const id of near.get(next)?.keys() ?? []) if (!taken.has(id)) frontier.add(id);
    }
  }
  return [...taken];
}

function strongestOf(
  neighbours: ReadonlyMap<string, number>,
  degrees: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const strength = (id: string) => degrees.get(id) ?? 0;
  const order = [...neighbours].sort(
    ([one, chunks], [other, others]) => strength(other) - strength(one) || others - chunks,
  );
  return new Set(order.slice(0, maxDrawnNeighbours).map(([id]) => id));
}
