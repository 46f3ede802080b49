/** Finds when something was that a question names, by the bounds of relationships. */
import type { ChunkKey } from "../../domain/document.ts";
import type { EventTime, NamedEvent } from "../../domain/event.ts";
import type { GraphStore, RelationshipPlace } from "../../ports/graph-store.ts";
import type { IndexStore } from "../../ports/store.ts";
import { contentTerms, coverOf } from "./content-terms.ts";
import { agreeing } from "./event-time.ts";

const MAX_NAMES = 8;
const MAX_ENTITIES = 16;
const MAX_RELATIONSHIPS = 100;
const MAX_PLACES = 40;

export interface EventGraphDeps {
  readonly graph: Pick<GraphStore, "findEntitiesByKeys" | "findRelationships">;
  readonly store: Pick<IndexStore, "readChunks">;
}

interface Told extends RelationshipPlace {
  readonly type: string;
}

/**
 * Where the event is the relationship itself, it has its bounds: its type says all but the names ("when she worked for the mill"), or of a
 * state some of it. Else it is what the sentence says, which then gives one bound alone. null where nothing tells it, or two tell different
 * times. `keys`: names in the question.
 */
export async function findTimeInGraph(
  event: NamedEvent,
  { projectId, keys }: { readonly projectId: string; readonly keys: readonly string[] },
  { graph, store }: EventGraphDeps,
): Promise<EventTime | null> {
  if (keys.length === 0) return null;
  const named = await graph.findEntitiesByKeys({
    ...{ projectId, keys: keys.slice(0, MAX_NAMES), limit: MAX_ENTITIES, withPlaces: false },
  });
  const entityIds = named.map(({ entityId }) => entityId);
  if (entityIds.length === 0) return null;
  const related = await graph.findRelationships({
    projectId,
    entityIds,
    limit: MAX_RELATIONSHIPS,
    asOf: null,
  });
  const places = related
    .flatMap(({ type, evidence }) => evidence.map((place): Told => ({ ...place, type })))
    .filter(({ validFrom, validTo }) => validFrom !== null || validTo !== null)
    .slice(0, MAX_PLACES);
  if (places.length === 0) return null;
  const chunks = await store.readChunks({ projectId, keys: places.map(keyOf) });
  const tells = tellerOf(event);
  const found = places.flatMap((place, at): readonly EventTime[] => {
    const chunk = chunks[at] ?? null;
    if (chunk === null) return [];
    const { start, end } = place;
    const sentence = chunk.text.slice(start - chunk.start, end - chunk.start);
    const time = tells(place, `${chunk.header ?? ""}\n${sentence}`);
    const source = { ...keyOf(place), sourceDocId: chunk.sourceDocId, start, end, sentence };
    return time === null ? [] : [{ ...time, place: source }];
  });
  return agreeing(found);
}

/** Returns what a relationship with its sentence tells of the event; null where that is nothing. */
function tellerOf({ names, terms, isState }: NamedEvent) {
  const [hasNames, hasTerms] = [coverOf(names), coverOf(terms)];
  return ({ type, validFrom: from, validTo: to }: Told, text: string): Omit<EventTime, "place"> | null => {
    if (!hasNames(text)) return null;
    const label = contentTerms(type.replaceAll("_", " "));
    const isRelationship =
      terms.length > 0 &&
      (hasTerms(label.join(" ")) ||
        (isState && terms.some((term) => label.includes(term)) && hasTerms(`${text} ${label.join(" ")}`)));
    if (isRelationship) return { from, to };
    const isBound = (from === null) !== (to === null);
    return !isState && isBound && hasTerms(text) ? { from: from ?? to, to: from ?? to } : null;
  };
}

function keyOf({ versionId, position }: ChunkKey): ChunkKey {
  return { versionId, position };
}
