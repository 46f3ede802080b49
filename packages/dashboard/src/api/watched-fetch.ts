import { connection } from "./connection.ts";

/** As `fetch`. Reports when nothing answers, or a proxy in place of the service, so that the page says so before any request is given up. */
export async function watchedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(input, init);
    if (response.status === 502 || response.status === 504) connection.reportLost();
    return response;
  } catch (error) {
    if (init?.signal?.aborted !== true) connection.reportLost();
    throw error;
  }
}
