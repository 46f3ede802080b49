/** Fetches the page of a job whose file is an address so far. */
import { ServiceError } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import type { ClaimedConversion, FileStore, ReceivedContent } from "../ports/file-store.ts";
import { type PageFetcher, PageUnreachable } from "../ports/page-fetcher.ts";
import { discardUnused, readPieces } from "./file-pieces.ts";
import { createFileSink } from "./file-sink.ts";

interface FetchDeps {
  readonly store: Pick<FileStore, "appendFilePiece" | "discardContents" | "readFilePiece" | "storePage">;
  readonly pages: PageFetcher;
  readonly maxFileBytes: number;
  readonly limits: { readonly storedBytes: number | null };
  readonly now: () => number;
}

/**
 * The job with the page as its file; null when the lease was lost.
 * @throws UnreadableFile when the page cannot be fetched or kept
 */
export async function fetchAddress(
  { job, leaseToken, signal }: { job: ClaimedConversion; leaseToken: string; signal: AbortSignal },
  deps: FetchDeps,
): Promise<ClaimedConversion | null> {
  const { store, now } = deps;
  const { projectId, jobId, accountId } = job;
  const contentId = newId("fil");
  try {
    const sink = createFileSink(
      { projectId, accountId, contentId },
      { ...deps, storedBytes: deps.limits.storedBytes },
    );
    const { body } = await deps.pages.fetch(await readAddress(job, deps), signal);
    for await (const bytes of body) {
      signal.throwIfAborted();
      await sink.write(bytes);
    }
    const content: ReceivedContent = await sink.end();
    signal.throwIfAborted();
    const outcome = await store.storePage({ projectId, jobId, leaseToken, content, now: now() });
    return outcome !== "stored" ? null : { ...job, ...content, isAddress: false };
  } catch (error) {
    if (error instanceof PageUnreachable) throw new UnreadableFile(`${error.message}.`);
    throw error instanceof ServiceError ? new UnreadableFile(error.message) : error;
  } finally {
    await discardUnused(store, { projectId, contentIds: [contentId] });
  }
}

/** @throws UnreadableFile for an address that no page is fetched from */
async function readAddress(job: ClaimedConversion, { store, pages }: FetchDeps): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readPieces(store, job)) pieces.push(piece);
  const address = Buffer.concat(pieces).toString("utf8");
  const fault = pages.addressFault(address);
  if (fault !== null) throw new UnreadableFile(`The address of the page ${fault}.`);
  return address;
}
