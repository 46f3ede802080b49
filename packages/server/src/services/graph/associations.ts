/** Finds the associations of an entity when they are read: nothing of them is stored. */
import type { ChunkKey } from "../../domain/document.ts";
import type { Sentence } from "../../domain/graph.ts";
import {
  compareCompanions,
  findCompanions,
  isRepeated,
  isTogether,
  type SharedPlace,
  strengthOf,
} from "../../engine/graph/associations.ts";
import { decodePassage } from "../../engine/graph/passage-record.ts";
import type { GraphBrowser } from "../../ports/graph-browser.ts";
import type { GraphStore } from "../../ports/graph-store.ts";

export interface Association {
  /** The other entity. */
  readonly entityId: string;
  /** 0…1 */
  readonly strength: number;
  /** Number of chunks that mention both, of the first 200 of the entity. */
  readonly chunks: number;
  /** At most 3. */
  readonly places: readonly SharedPlace[];
}

export type AssociationStore = Pick<GraphBrowser, "readMentionsAround" | "readSupport"> &
  Pick<GraphStore, "readPassages">;

const MAX_ASSOCIATIONS = 10;
const MAX_CANDIDATES = 64;
const MAX_CHUNKS = 200;
/** Records that are decoded in one turn of the event loop; a record takes about 20 µs. */
const RECORDS_PER_CALL = 50;

/**
 * The entities that are associated with the entity and have no relationship with it, the strongest first; at
 * most 10. `total` is the number of chunks of the project.
 */
export async function findAssociations(
  store: AssociationStore,
  { projectId, entityId, total }: { projectId: string; entityId: string; total: number },
): Promise<readonly Association[]> {
  const chunks = await store.readMentionsAround({ projectId, entityId, limit: MAX_CHUNKS });
  const sentences = await readSentences(store, projectId, chunks);
  const companions = await findCompanions(chunks, entityId, (chunk) => sentences.get(idOf(chunk)) ?? []);
  const candidates = new Map(
    companions
      .toSorted(compareCompanions)
      .slice(0, MAX_CANDIDATES)
      .map((companion) => [companion.entityId, companion]),
  );
  if (candidates.size === 0) return [];
  const support = await store.readSupport({ projectId, entityId, otherIds: [...candidates.keys()] });
  const found = support.flatMap(({ entityId: otherId, chunks: other, isRelated }) => {
    const companion = candidates.get(otherId);
    if (companion === undefined || isRelated) return [];
    const occurrences = { own: chunks.length, other, total };
    const strength = strengthOf(companion, occurrences);
    return [{ companion, strength, isTogether: isTogether(companion, occurrences) }];
  });
  const together = found
    .filter((each) => each.isTogether)
    .sort((a, b) => b.strength - a.strength || compareCompanions(a.companion, b.companion))
    .slice(0, MAX_ASSOCIATIONS);
  const closest = found
    .toSorted(
      (a, b) => a.companion.distance - b.companion.distance || compareCompanions(a.companion, b.companion),
    )
    .slice(0, 1);
  const chosen = together.length === 0 && isRepeated(chunks, entityId) ? closest : together;
  return chosen.map(({ companion: { entityId: otherId, chunks: shared, places }, strength }) => ({
    entityId: otherId,
    strength,
    chunks: shared,
    places,
  }));
}

/** Without chunks whose record is missing or of another version. */
async function readSentences(
  store: AssociationStore,
  projectId: string,
  chunks: readonly ChunkKey[],
): Promise<ReadonlyMap<string, readonly Sentence[]>> {
  const sentences = new Map<string, readonly Sentence[]>();
  for (let from = 0; from < chunks.length; from += RECORDS_PER_CALL) {
    const keys = chunks
      .slice(from, from + RECORDS_PER_CALL)
      .map(({ versionId, position }) => ({ versionId, position }));
    const records = await store.readPassages({ projectId, keys });
    for (const [at, key] of keys.entries()) {
      const record = records[at] ?? null;
      const passage = record === null ? null : decodePassage(record);
      if (passage !== null) sentences.set(idOf(key), passage.sentences);
    }
  }
  return sentences;
}

function idOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
