/** Lists of documents. Ids are walked and documents read in steps: metadata can have 100 KB, and a project many documents. */
import type { DocumentStore, StoredDocument } from "../ports/document-store.ts";
import type { Page } from "../ports/store.ts";
import { readInSteps } from "./read-in-steps.ts";

export interface DocumentSearch extends Page {
  /** Part of the id; null = all. */
  readonly search: string | null;
  /** Without it, `metadata` is empty. Default: true. */
  readonly withMetadata?: boolean;
  /** As in `readInSteps`. */
  readonly maxCharacters?: number;
}

export interface DocumentPage {
  /** Ordered by id (code points). */
  readonly documents: readonly StoredDocument[];
  readonly total: number;
}

/** With large metadata a step takes some milliseconds of SQLite's reader. */
const DOCUMENTS_PER_STEP = 32;

type ListStore = Pick<DocumentStore, "walkDocuments" | "readDocuments">;

/** Not a snapshot: what is deleted meanwhile may be missing. */
export async function listDocuments(
  store: ListStore,
  projectId: string,
  search: DocumentSearch,
): Promise<DocumentPage> {
  const { withMetadata = true, maxCharacters } = search;
  const { ids, total } = await findIds(store, projectId, search);
  const steps = { itemsPerStep: DOCUMENTS_PER_STEP, maxCharacters, shownOf };
  const read = (sourceDocIds: readonly string[]) =>
    store.readDocuments({ projectId, sourceDocIds, withMetadata });
  return { documents: await readInSteps(ids, steps, read), total };
}

/** The metadata of one version. */
function shownOf({ seen, sent, ...head }: StoredDocument) {
  return { ...head, version: seen ?? sent };
}

async function findIds(store: ListStore, projectId: string, { search, limit, offset }: DocumentSearch) {
  const ids: string[] = [];
  let total = 0;
  let after: string | null = null;
  do {
    const step: Awaited<ReturnType<ListStore["walkDocuments"]>> = await store.walkDocuments({
      ...{ projectId, search, after },
      page: { offset: Math.max(0, offset - total), limit: limit - ids.length },
    });
    ids.push(...step.ids);
    total += step.matches;
    after = step.next;
  } while (after !== null);
  return { ids, total };
}
