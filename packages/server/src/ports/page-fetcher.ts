/** Fetches pages of the web that users name. */

/** One sentence without the address, which may be shown to the user. */
export class PageUnreachable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "PageUnreachable";
  }
}

export interface FetchedPage {
  /** After redirects. */
  readonly url: string;
  /** @throws PageUnreachable when it ends too early or takes too long */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface PageFetcher {
  /** Checks a URL without a connection. Returns the fault, or null when the URL is acceptable. */
  addressFault(url: string): string | null;
  /**
   * Connects to public addresses only, also after a redirect, unless the operator allows others. The whole page has a deadline.
   * Once `signal` is aborted, this and the body reject with its reason.
   * @throws PageUnreachable
   */
  fetch(url: string, signal?: AbortSignal): Promise<FetchedPage>;
}
