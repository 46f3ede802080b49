/** What a document names: the entities of its chunks, in steps of bounded work. */
import { listSpans } from "../../domain/chunk-spans.ts";
import { errors } from "../../domain/errors.ts";
import type { DocumentStore } from "../../ports/document-store.ts";
import type { GraphStore } from "../../ports/graph-store.ts";

export type DocumentEntityStore = Pick<DocumentStore, "readDocument"> & Pick<GraphStore, "findEntitiesIn">;

/** A long document names thousands of things in them. */
const MAX_CHUNKS = 1_000;
const CHUNKS_PER_STEP = 100;
const MAX_NAMES_PER_STEP = 5_000;

/** In the order in which the document names them first. @throws ServiceError `not_found` */
export async function findEntitiesOf(
  store: DocumentEntityStore,
  projectId: string,
  sourceDocId: string,
): Promise<ReadonlySet<string>> {
  const content = await store.readDocument({ projectId, sourceDocId });
  if (content === null) throw errors.documentNotFound();
  const chunks = listSpans(content.chunks, MAX_CHUNKS);
  const found = new Set<string>();
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_STEP) {
    const passages = chunks.slice(from, from + CHUNKS_PER_STEP);
    const named = await store.findEntitiesIn({ projectId, passages, limit: MAX_NAMES_PER_STEP });
    for (const { entityId } of named) found.add(entityId);
  }
  return found;
}
