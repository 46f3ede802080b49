import type { Caller } from "../domain/account.ts";
import { parseChunkId } from "../domain/document.ts";
import { errors, jobErrorMessages } from "../domain/errors.ts";
import type { ChunkContext, DocumentContent, DocumentDeletion } from "../ports/document-store.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { createAccountQueue } from "./account-queue.ts";
import { type DocumentPage, type DocumentSearch, listDocuments } from "./document-list.ts";
import { afterKept, applyChanges, followKeptChange } from "./kept-changes.ts";

export interface DocumentService {
  /**
   * `search` is called after the access check, so that callers without access
   * learn nothing from validation errors.
   * @throws ServiceError `not_found`; `too_many_requests` when too many lists of the account wait
   */
  list(caller: Caller, projectId: string, search: () => DocumentSearch): Promise<DocumentPage>;
  /** @throws ServiceError `not_found`; `too_many_requests` when too many reads of the account wait */
  get(caller: Caller, projectId: string, sourceDocId: string): Promise<DocumentContent>;
  /** @throws ServiceError `not_found` */
  delete(caller: Caller, projectId: string, sourceDocId: string): Promise<void>;
  /** @throws ServiceError `not_found` */
  getChunk(caller: Caller, projectId: string, chunkId: string): Promise<ChunkContext>;
}

const MAX_ID_CHARACTERS = 512;
/** Reading a long text from the database takes tens of milliseconds, in which other accounts wait. */
const READS = { what: "reads of documents", atOnce: 2, maxWaiting: 256 } as const;
/** A list of 1,000 documents can have tens of megabytes, which are read, kept and copied in many steps. */
const LISTS = { what: "lists of documents", atOnce: 1, maxWaiting: 256 } as const;

export function createDocumentService(deps: {
  readonly store: Store;
  readonly now: () => number;
  /** Called after a deletion, so that the disk space is reclaimed. */
  readonly onDeleted: () => void;
  readonly log: Pick<Log, "warn">;
}): DocumentService {
  const { store } = deps;
  const reads = createAccountQueue(READS);
  const lists = createAccountQueue(LISTS);
  return {
    async list(caller, projectId, search) {
      await requireProject(store, { projectId, caller });
      const input = search();
      return lists.run(caller.accountId, () => listDocuments(store, projectId, input));
    },

    async get(caller, projectId, sourceDocId) {
      await requireProject(store, { projectId, caller });
      const { accountId } = caller;
      const content = canBeId(sourceDocId)
        ? await reads.run(accountId, () => store.readDocument({ projectId, sourceDocId }))
        : null;
      if (content === null) throw errors.documentNotFound();
      return content;
    },

    async delete(caller, projectId, sourceDocId) {
      await requireProject(store, { projectId, caller });
      const input = {
        projectId,
        sourceDocId,
        now: deps.now(),
        errorMessage: jobErrorMessages.documentDeleted,
      };
      if (!canBeId(sourceDocId)) throw errors.documentNotFound();
      const isDeleted = await deleteInSteps(() => store.deleteDocument(input));
      if (isDeleted) {
        deps.onDeleted();
        return followKeptChange(projectId, deps);
      }
      // A deletion may have been interrupted: the answer means that the graph has nothing of the document.
      await applyChanges(projectId, deps);
      throw errors.documentNotFound();
    },

    async getChunk(caller, projectId, chunkId) {
      await requireProject(store, { projectId, caller });
      const key = parseChunkId(chunkId);
      const chunk = key === null ? null : await store.readChunkContext({ projectId, ...key });
      if (chunk === null) throw errors.chunkNotFound();
      return chunk;
    },
  };
}

/** Returns whether there was such a document. */
async function deleteInSteps(step: () => Promise<DocumentDeletion>): Promise<boolean> {
  let deletion = await step();
  while (deletion === "more")
    deletion = await afterKept("Jobs of the document have ended, but it is not deleted yet.", step);
  return deletion === "deleted";
}

/** A text that cannot be a document id needs no database query; PostgreSQL would refuse a NUL character. */
function canBeId(text: string): boolean {
  return text !== "" && !text.includes("\0") && text.isWellFormed() && [...text].length <= MAX_ID_CHARACTERS;
}
