/** The `RateLimit` headers of draft-ietf-httpapi-ratelimit-headers, which are structured fields. */
import type { FastifyReply } from "fastify";
import type { IngestRate } from "../services/ingestion.ts";

const WINDOW_SECONDS = 60;

/** `r`: requests left in the window. `t`: seconds until the oldest counted request leaves the window. */
export function rateLimitWriter(reply: FastifyReply): (rate: IngestRate) => void {
  return ({ perMinute, left, resetSeconds }) => {
    reply.header("ratelimit-policy", `"ingest";q=${perMinute};w=${WINDOW_SECONDS}`);
    reply.header("ratelimit", `"ingest";r=${left};t=${resetSeconds}`);
  };
}
