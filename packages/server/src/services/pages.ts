/** Pages of the web as files: one at a time, or those that a sitemap names. */
import { isSourceDocId, MAX_SOURCE_DOC_ID } from "../domain/document.ts";
import { errors } from "../domain/errors.ts";
import type { Metadata } from "../domain/metadata.ts";
import { withoutMiddle } from "../domain/without-middle.ts";
import type { ReceivedContent } from "../ports/file-store.ts";
import { type PageFetcher, PageUnreachable } from "../ports/page-fetcher.ts";
import type { Sitemap, SitemapReader } from "../ports/sitemap-reader.ts";
import type { FileSink, SentFile } from "./file-sink.ts";

/** Of the documents of a request. */
const MAX_PAGES = 1_000;
const MAX_SITEMAP_BYTES = 512 * 1024;
/** What tells a sitemap from other files. */
const START_BYTES = 2_048;
const SHOWN_SITEMAPS = 3;
const SHOWN_CHARACTERS = { start: 250, end: 50 } as const;

interface PageDeps {
  readonly pages: PageFetcher;
  readonly sitemaps: SitemapReader;
}

/**
 * What is at an address: a content in a sink, or a sitemap.
 * @throws ServiceError `invalid_input` where the page cannot be fetched, or is no sound sitemap
 */
export async function receivePage(
  url: string,
  newSink: () => FileSink,
  {
    pages,
    sitemaps,
    accountId,
    signal,
  }: PageDeps & {
    readonly accountId: string;
    /** Ends the fetch with its reason. */
    readonly signal: AbortSignal;
  },
): Promise<ReceivedContent | Sitemap> {
  let opened: AsyncIterator<Uint8Array> | null = null;
  try {
    const { body } = await pages.fetch(url, signal);
    const chunks = body[Symbol.asyncIterator]();
    opened = chunks;
    const { start, isWhole } = await readStart(chunks, START_BYTES);
    if (!sitemaps.isSitemap(start)) return await receiveRest(start, chunks, newSink());
    const all = isWhole ? { start, isWhole } : await readStart(chunks, MAX_SITEMAP_BYTES, start);
    if (!all.isWhole) throw errors.invalidInput(`url: The sitemap has more than ${MAX_SITEMAP_BYTES} bytes`);
    return await sitemaps.read(accountId, new Uint8Array(all.start));
  } catch (error) {
    if (error instanceof PageUnreachable) throw errors.invalidInput(`url: ${error.message}`);
    throw error;
  } finally {
    // What is not read would keep its connection.
    await opened?.return?.().catch(() => undefined);
  }
}

/** At least `bytes`, unless there are fewer. */
async function readStart(
  chunks: AsyncIterator<Uint8Array>,
  bytes: number,
  before: Uint8Array = new Uint8Array(),
): Promise<{ readonly start: Uint8Array; readonly isWhole: boolean }> {
  const parts = [before];
  for (let length = before.length; length < bytes; ) {
    const { done, value } = await chunks.next();
    if (done === true) return { start: Buffer.concat(parts), isWhole: true };
    parts.push(value);
    length += value.length;
  }
  return { start: Buffer.concat(parts), isWhole: false };
}

async function receiveRest(
  start: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  sink: FileSink,
): Promise<ReceivedContent> {
  await sink.write(start);
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
    await sink.write(next.value);
  return sink.end();
}

/**
 * A file for each page of a sitemap, whose content is its address until it is fetched.
 * @throws ServiceError `invalid_input`
 */
export async function sitemapFiles(
  { isIndex, addresses }: Sitemap,
  { sourceDocId, metadata }: { readonly sourceDocId: string | null; readonly metadata: Metadata },
  newSink: () => FileSink,
): Promise<readonly SentFile[]> {
  if (isIndex)
    throw errors.invalidInput(
      `url: is an index of sitemaps; send the sitemaps that it names: ${addresses
        .slice(0, SHOWN_SITEMAPS)
        .map((each) => withoutMiddle(each, SHOWN_CHARACTERS))
        .join(", ")}${addresses.length > SHOWN_SITEMAPS ? ", …" : ""}`,
    );
  if (addresses.length === 0 || addresses.length > MAX_PAGES)
    throw errors.invalidInput(`url: The sitemap names ${addresses.length} pages, expected 1 to ${MAX_PAGES}`);
  if (sourceDocId !== null)
    throw errors.invalidInput("source_doc_id: is the id of one document, but the address has a sitemap");
  const unfit = addresses.find((address) => !isDocumentAddress(address));
  if (unfit !== undefined)
    throw errors.invalidInput(
      `url: The sitemap has ${JSON.stringify(unfit.slice(0, 100))}, expected addresses of at most ${MAX_SOURCE_DOC_ID} characters`,
    );
  const files: SentFile[] = [];
  for (const address of addresses) {
    const sink = newSink();
    await sink.write(Buffer.from(address));
    const content = await sink.end();
    files.push({ content, sourceDocId: address, name: pageName(address), metadata, isAddress: true });
  }
  return files;
}

function isDocumentAddress(address: string): boolean {
  return isSourceDocId(address) && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** The last part of the path, or the host. */
export function pageName(url: string): string {
  const { pathname, hostname } = new URL(url);
  const [last = ""] = pathname.split("/").slice(-1);
  return last === "" ? hostname : last.slice(0, 255);
}
