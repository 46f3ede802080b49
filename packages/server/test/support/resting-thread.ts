/** Stands in for the ingest thread: takes requests, finishes when it is told to rest or to drain, and counts its requests in `workerData`. */
import { workerData } from "node:worker_threads";
import type { IngestThreadRequest } from "../../src/threads/ingest-thread.ts";
import { serveThread } from "../../src/threads/serve-thread.ts";
import { INGEST_REQUESTS } from "./threads.ts";

await serveThread<IngestThreadRequest, null>("ingest", async () => {
  const counts = new Int32Array(workerData as SharedArrayBuffer); // Set by the test.
  const finished = Promise.withResolvers<null>();
  return {
    async answer(request) {
      const at = INGEST_REQUESTS.indexOf(request);
      Atomics.add(counts, at, 1);
      Atomics.notify(counts, at);
      if (request === "rest" || request === "drain") finished.resolve(null);
      return request === "work" ? finished.promise : null;
    },
  };
});
