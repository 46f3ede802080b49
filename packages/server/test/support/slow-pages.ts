/** Pages that a test lets come when it likes. */
import { setTimeout } from "node:timers/promises";
import type { PageFetcher } from "../../src/ports/page-fetcher.ts";

/** Pages that come when their function in `asked` is called with their text, and until then hang. */
export function slowPages() {
  const asked = new Map<string, (text: string) => void>();
  const pages: PageFetcher = {
    addressFault: () => null,
    fetch: (url, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        const body = async function* (text: string) {
          yield Buffer.from(text);
        };
        asked.set(url, (text) => resolve({ body: body(text), mediaType: null } as never)); // The service reads its body.
      }),
  };
  return { asked, pages };
}

/** To be sent as addresses. */
export const pagesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => [`${name}${at}`, [`http://${name}.test/${at}`]] as const);

/** Waits for two seconds at most. */
export async function settle(isSettled: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isSettled(); turn++) await setTimeout(10);
}
