/** Reads sitemaps (sitemaps.org, protocol 0.9). */

export interface Sitemap {
  /** Its addresses are those of other sitemaps. */
  readonly isIndex: boolean;
  /** In its order, each once. */
  readonly addresses: readonly string[];
}

export interface SitemapReader {
  /** By the beginning of a file, of some hundred bytes at least. */
  isSitemap(start: Uint8Array): boolean;
  /** In another thread. @throws ServiceError `invalid_input` */
  read(accountId: string, bytes: Uint8Array<ArrayBuffer>): Promise<Sitemap>;
}
