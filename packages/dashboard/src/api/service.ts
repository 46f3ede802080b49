/** The client of the API. The session cookie authenticates it. */
import { createClient } from "@kcs/sdk";
import { serviceUrl } from "./address.ts";
import { watchedFetch } from "./watched-fetch.ts";

/** Without retries: the query client retries, because it knows which data the page still uses. */
export const service = createClient({
  baseUrl: serviceUrl(""),
  fetch: watchedFetch,
  retry: { maxRetries: 0 },
});
