import type { CallOptions, Transport } from "../transport.ts";
import type { Usage } from "../wire.ts";

export function accountResource(transport: Transport) {
  return {
    /** By day in UTC and project, and what is left. Days are like "2031-04-09"; the last thirty where they are left out. */
    usage: (input: { from?: string; to?: string } = {}, options?: CallOptions) =>
      transport.json<Usage>({ method: "GET", path: "/usage", query: input, options }),
  };
}
