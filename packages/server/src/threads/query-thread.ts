/**
 * A thread that answers questions, with its own model and database connection, over segments in memory that all query threads share.
 * The first one loads its code at its start, the others with their first request: most services at rest need one, and each of
 * the others would have 20 MB for nothing.
 */
import { workerData } from "node:worker_threads";
import { createNativeSection } from "./native-gate.ts";
import type { QueryThreadData, QueryThreadReply, QueryThreadRequest } from "./query-messages.ts";
import { serveThread, type ThreadService } from "./serve-thread.ts";

type QueryService = ThreadService<QueryThreadRequest, QueryThreadReply>;

await serveThread<QueryThreadRequest, QueryThreadReply>("query", async () => {
  const data = workerData as QueryThreadData; // Set by `queryCrew`.
  const native = createNativeSection(data.gates);
  const load = async () => {
    const { openQueries } = await import("./open-queries.ts");
    return openQueries(data, native).finally(native.leave);
  };
  if (data.thread === 0) return load();
  native.leave();
  return loadAtFirstRequest(() => {
    native.enter();
    return load();
  });
});

/** Where the code or what it needs cannot be loaded, the thread ends, and its requests fail with that error. */
function loadAtFirstRequest(load: () => Promise<QueryService>): QueryService {
  let loading: Promise<QueryService> | null = null;
  let loaded: QueryService | null = null;
  const open = () => {
    loading ??= load().then(
      (service) => {
        loaded = service;
        return service;
      },
      (error: unknown) => {
        setImmediate(() => {
          throw error;
        });
        return new Promise<never>(() => undefined);
      },
    );
    return loading;
  };
  return {
    indexBytes: () => loaded?.indexBytes?.() ?? 0,
    answer: async (request) => (await open()).answer(request),
  };
}
