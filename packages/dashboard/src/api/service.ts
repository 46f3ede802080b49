/** The API, with the session's cookie. */
import { createClient } from "@kcs/sdk";
import { serviceUrl } from "./address.ts";

/** Repetitions are the query client's business: it knows what is still being looked at. */
export const service = createClient({ baseUrl: serviceUrl(""), retry: { maxRetries: 0 } });
