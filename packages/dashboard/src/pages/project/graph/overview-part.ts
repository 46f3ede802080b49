/** What of an overview is drawn first: of a graph that falls into groups the larger ones, with room for their lines. */
import type { GraphOverview } from "@kcs/sdk";
import { boundHubs } from "./bound-hubs.ts";
import { sizes } from "./graph-address.ts";

/** So many times the wanted size, or what hangs together, is drawn at once: a rest of a few entities is not worth a second look. */
const reach = 1.2;
/** As many entities must remain for pairs to be left out. */
const minWithoutPairs = 24;
/** In larger drawings, which somebody has asked for, entities keep all of their lines. */
const maxBounded = 1_000;
const denseShare = 0.7;
/** So many times the wanted size is read where most neighbours of a hub may be left out. */
const boundedReach = 3;

export interface OverviewPart extends GraphOverview {
  /** Pairs are left out: groups of two entities that nothing joins to others. */
  readonly isWithoutPairs: boolean;
  /** Of an entity with many neighbours only some are drawn. */
  readonly isBounded: boolean;
  /** No entity is left out for the sake of `size`. */
  readonly isAll: boolean;
}

/** How many entities to read, so that the part can be chosen. */
export function readSizeOf(size: number): number {
  return size <= maxBounded ? size * boundedReach : allOf(size);
}

/** So many are drawn if those are all. */
function allOf(size: number): number {
  return Math.min(maxRead, Math.round(size * reach));
}

/** What the service gives at most. */
const maxRead = 10_000;

/**
 * At most `size` entities, or a few more if those are all; of a document also those without relationships, which
 * `connected_entities` does not count. Entities come by component, the largest first, so that each
 * beginning of their list hangs together. `isFirst`: nobody has asked for more yet.
 */
export function partOf(
  overview: GraphOverview,
  { size, isFirst }: { readonly size: number; readonly isFirst: boolean },
): OverviewPart {
  const { entities, connected_entities: connected } = overview;
  const isAll =
    Math.max(connected, entities.length) <= allOf(size) &&
    (entities.length === connected || entities.length < readSizeOf(size));
  const bounded = isAll || size > maxBounded ? overview : boundHubs(overview);
  // What is dense even so has fewer entities at first.
  const isDense = bounded !== overview && size === sizes[0];
  const few = isAll ? entities : bounded.entities.slice(0, isDense ? denseShare * size : size);
  const joined = isFirst ? withoutPairs(few, bounded.relationships) : few;
  const isWithoutPairs = few.length > joined.length * reach && joined.length >= minWithoutPairs;
  const drawn = isWithoutPairs ? joined : few;
  const ids = new Set(drawn.map(({ entity_id: id }) => id));
  return {
    ...overview,
    entities: drawn,
    relationships: bounded.relationships.filter(({ source, target }) => ids.has(source) && ids.has(target)),
    isWithoutPairs,
    isBounded: bounded !== overview,
    isAll,
  };
}

function withoutPairs(
  entities: GraphOverview["entities"],
  relationships: GraphOverview["relationships"],
): GraphOverview["entities"] {
  const neighbours = new Map<string, Set<string>>();
  for (const { source, target } of relationships) {
    for (const [from, to] of [
      [source, target],
      [target, source],
    ] as const) {
      const known = neighbours.get(from);
      if (known === undefined) neighbours.set(from, new Set([to]));
      else known.add(to);
    }
  }
  return entities.filter(({ entity_id: id }) => {
    const own = neighbours.get(id) ?? new Set();
    return own.size > 1 || [...own].some((other) => (neighbours.get(other)?.size ?? 0) > 1);
  });
}
