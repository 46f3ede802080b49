/** Follows the progress of jobs through server-sent events, and reconnects when a connection breaks. */
import { ApiError, ConnectionError, KcsError } from "./errors.ts";
import { DEFAULT_RETRY, retryDelayMs } from "./retry.ts";
import { eventBodyOf, readEvents } from "./server-sent-events.ts";
import { sleep } from "./time-limit.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { JobProgress } from "./wire.ts";

/** Every event except "progress" is the last one of its job. */
export interface JobEvent {
  readonly type: "progress" | "completed" | "failed" | "cancelled";
  readonly job: JobProgress;
}

const TYPES: readonly JobEvent["type"][] = ["progress", "completed", "failed", "cancelled"];

/** Consecutive connections that broke without an event. */
const MAX_BROKEN_CONNECTIONS = 5;
/** A connection that lasted this long restarts the count: the service also ends streams on which nothing happens. */
const STABLE_CONNECTION_MS = 60_000;

/** @throws the error of the last attempt, when the stream repeatedly breaks without an event */
export async function* followEvents(
  transport: Transport,
  stream: { readonly path: string; readonly endsWithJob: boolean; readonly options: CallOptions | undefined },
): AsyncGenerator<JobEvent, void> {
  const { options } = stream;
  let lastEventId = "";
  let broken = 0;
  for (;;) {
    const openedAt = performance.now();
    try {
      const headers = {
        ...options?.headers,
        ...(lastEventId === "" ? {} : { "last-event-id": lastEventId }),
      };
      const response = await transport.open({
        method: "GET",
        path: stream.path,
        accept: "text/event-stream",
        options: { ...options, headers },
      });
      for await (const { type, data, lastEventId: id } of readEvents(eventBodyOf(response))) {
        lastEventId = id;
        const event = toJobEvent(type, data);
        if (event === null) continue;
        broken = 0;
        yield event;
        if (stream.endsWithJob && event.type !== "progress") return;
      }
      // A service that shuts down ends its streams; the next connection reaches the restarted service.
      broken = brokenAfter(broken, openedAt);
      if (broken > MAX_BROKEN_CONNECTIONS)
        throw new KcsError("The event stream repeatedly ended without an event.");
    } catch (error) {
      if (options?.signal?.aborted === true) throw options.signal.reason;
      broken = brokenAfter(broken, openedAt);
      if (error instanceof KcsError) throw error;
      if (broken > MAX_BROKEN_CONNECTIONS)
        throw new ConnectionError("The event stream repeatedly broke.", { cause: error });
    }
    const delayMs = reconnectDelayMs(broken);
    await sleep(delayMs, options?.signal);
  }
}

function brokenAfter(broken: number, openedAt: number): number {
  return performance.now() - openedAt >= STABLE_CONNECTION_MS ? 1 : broken + 1;
}

function reconnectDelayMs(broken: number): number {
  const lost = new ApiError({ status: 503, detail: "", requestId: null, retryAfterSeconds: null });
  const policy = { ...DEFAULT_RETRY, maxRetries: MAX_BROKEN_CONNECTIONS };
  return retryDelayMs(lost, { attempt: Math.max(1, broken), policy, random: Math.random() }) ?? 0;
}

/** null for an event type that this version does not know. */
function toJobEvent(type: string, data: string): JobEvent | null {
  const known = TYPES.find((name) => name === type);
  // The service's tests check that the data matches the contract's schema.
  return known === undefined ? null : { type: known, job: JSON.parse(data) as JobProgress };
}
