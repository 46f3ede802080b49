import type { CallOptions, Transport } from "../transport.ts";
import type { Usage } from "../wire.ts";

export function accountResource(transport: Transport) {
  return {
    /** Usage by day in UTC and project, and the limits. Days have the form "2031-04-09"; default: the last thirty days. */
    usage: (input: { from?: string; to?: string } = {}, options?: CallOptions) =>
      transport.json<Usage>({ method: "GET", path: "/usage", query: input, options }),
  };
}
