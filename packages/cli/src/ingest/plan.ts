/** What of the found documents is sent, and what of it the service has already. */
import { UsageError } from "../exit-codes.ts";
import type { FoundDocument, RejectedDocument } from "./find-documents.ts";
import type { Entry, Journal } from "./journal.ts";

export interface Plan {
  readonly send: readonly FoundDocument[];
  /** Documents whose job of an earlier run had not ended. */
  readonly open: readonly (readonly [id: string, entry: Entry])[];
  readonly unchanged: number;
  /** The ids of documents that the service has refused as they are. */
  readonly refused: ReadonlySet<string>;
  readonly rejected: readonly RejectedDocument[];
  /** All documents that were found: their ids, each with the file of JSON Lines that it is from. */
  readonly found: ReadonlyMap<string, string | undefined>;
}

export interface PlanOptions {
  readonly journal: Journal;
  readonly open: readonly (readonly [string, Entry])[];
  /** Documents whose job the service no longer knows. */
  readonly lost: ReadonlySet<string>;
  /** Unchanged documents are sent, too: all of them, those that failed, or none. */
  readonly again: "all" | "failed" | "none";
  /** The hash of each document that the service has refused, by its id. These are not sent as they are. Default: none */
  readonly refused?: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** @throws UsageError when two documents have the same id */
export async function makePlan(
  documents: AsyncIterable<FoundDocument | RejectedDocument>,
  { journal, lost, again, signal, ...earlier }: PlanOptions,
): Promise<Plan> {
  const open = new Map(earlier.open);
  const send: FoundDocument[] = [];
  const rejected: RejectedDocument[] = [];
  const refused = new Set<string>();
  const found = new Map<string, string | undefined>();
  let unchanged = 0;
  for await (const document of documents) {
    signal.throwIfAborted();
    if (!("hash" in document)) {
      rejected.push(document);
      continue;
    }
    const { id, hash } = document;
    if (found.has(id))
      throw new UsageError(
        `two documents have the id ${id}: ingest them separately, with different --prefix`,
      );
    found.set(id, document.linesFile);
    const entry = journal.find(id);
    const isSentAgain = again === "all" || (again === "failed" && entry?.state === "failed");
    if (earlier.refused?.get(id) === hash) refused.add(id);
    else if (entry?.hash !== hash || lost.has(id) || isSentAgain) {
      send.push(document);
      // The new version is waited for instead of the old one.
      open.delete(id);
    } else if (!open.has(id)) unchanged++;
  }
  return { send, open: [...open].filter(([id]) => found.has(id)), unchanged, refused, rejected, found };
}
