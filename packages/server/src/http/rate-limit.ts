/** The `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers, as structured fields. */
import type { FastifyReply } from "fastify";
import type { IngestRate } from "../services/ingestion.ts";

const WINDOW_SECONDS = 60;

/** `r` more requests are let in now; after `t` seconds the oldest one no longer counts. */
export function tellRateLimit(reply: FastifyReply): (rate: IngestRate) => void {
  return ({ perMinute, left, resetSeconds }) => {
    reply.header("ratelimit-policy", `"ingest";q=${perMinute};w=${WINDOW_SECONDS}`);
    reply.header("ratelimit", `"ingest";r=${left};t=${resetSeconds}`);
  };
}
