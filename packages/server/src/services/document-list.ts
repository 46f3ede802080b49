/** Lists of documents. Ids are walked and documents read in steps: metadata can have 100 KB, and a project many documents. */
import type {
  DocumentOrder,
  DocumentPlace,
  DocumentState,
  DocumentStore,
  StoredDocument,
} from "../ports/document-store.ts";
import type { Page } from "../ports/store.ts";
import { readInSteps } from "./read-in-steps.ts";

export interface DocumentSearch extends Page {
  /** Part of the id; null = all. */
  readonly search: string | null;
  /** null = in any state, the default. */
  readonly state?: DocumentState | null;
  /** Default: by id. */
  readonly order?: DocumentOrder;
  /** Only those behind this id, of which `total` is then the number; only with the order by id. null = all, the default. */
  readonly after?: string | null;
  /** Without it, `metadata` is empty. Default: true. */
  readonly withMetadata?: boolean;
  /** As in `readInSteps`. */
  readonly maxCharacters?: number;
}

export interface DocumentPage {
  readonly documents: readonly StoredDocument[];
  readonly total: number;
}

const byId: DocumentOrder = { by: "id", isDescending: false };

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
  const read = async (sourceDocIds: readonly string[]) => {
    const documents = await store.readDocuments({ projectId, sourceDocIds, withMetadata });
    const found = new Map(documents.map((document) => [document.sourceDocId, document]));
    return sourceDocIds.flatMap((id) => found.get(id) ?? []);
  };
  return { documents: await readInSteps(ids, steps, read), total };
}

/** The metadata of one version. */
function shownOf({ seen, sent, ...head }: StoredDocument) {
  return { ...head, version: seen ?? sent };
}

async function findIds(
  store: ListStore,
  projectId: string,
  { search, state = null, order = byId, after: start = null, limit, offset }: DocumentSearch,
) {
  const ids: string[] = [];
  let total = 0;
  // The order by id compares no time.
  let after: DocumentPlace | null = start === null ? null : { sourceDocId: start, updatedAt: 0 };
  do {
    const step: Awaited<ReturnType<ListStore["walkDocuments"]>> = await store.walkDocuments({
      ...{ projectId, search, state, order, after },
      page: { offset: Math.max(0, offset - total), limit: limit - ids.length },
    });
    ids.push(...step.ids);
    total += step.matches;
    after = step.next;
  } while (after !== null);
  return { ids, total };
}
