import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ModelServerData } from "./model-server-thread.ts";

export interface ModelServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** On a thread of its own, so that its work is not that of the peer. */
export async function startModelServer(data: ModelServerData): Promise<ModelServer> {
  const worker = new Worker(new URL("./model-server-thread.ts", import.meta.url), { workerData: data });
  const [port] = await once(worker, "message");
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await worker.terminate();
    },
  };
}
