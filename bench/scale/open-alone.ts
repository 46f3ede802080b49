/** What a query thread has, opened without the service. */
import { join } from "node:path";
import { openStore, openThreadReader } from "../../packages/server/src/adapters/database/open-store.ts";
import { openMiniLmEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { openMiniLmReader } from "../../packages/server/src/adapters/models/minilm-reader.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { loadConfig } from "../../packages/server/src/config.ts";
import {
  openSearchKernels,
  SCRATCH_BYTES,
} from "../../packages/server/src/engine/index/kernels/search-kernels.ts";
import { createSegmentCache } from "../../packages/server/src/engine/index/segment-cache.ts";
import {
  createSharedIndexMemory,
  scratchAddress,
} from "../../packages/server/src/engine/index/shared-memory.ts";
import {
  createSegmentReader,
  type OpenIndex,
} from "../../packages/server/src/engine/query/segment-reader.ts";

export interface AloneRequest {
  readonly dataDir: string;
  readonly projectId: string;
  /** null or absent = SQLite in the data directory, which no service may use meanwhile. */
  readonly databaseUrl?: string | null;
  /** For segments. */
  readonly cacheBytes?: number;
}

export type OpenedAlone = Awaited<ReturnType<typeof openAlone>>;

export async function openAlone(request: AloneRequest) {
  const { dataDir, projectId, databaseUrl = null, cacheBytes = loadConfig({}).cacheBytes } = request;
  silenceRuntime();
  const { store, connectThread } = await openStore({ databaseUrl, dataDir });
  const reader = await openThreadReader(connectThread());
  const project = await reader.findProject({ projectId });
  const embedder = await openMiniLmEmbedder(join(dataDir, "models"));
  const questionReader = await openMiniLmReader(join(dataDir, "models"));
  const shared = createSharedIndexMemory({ cacheBytes, threads: 1, scratchBytes: SCRATCH_BYTES });
  const kernels = await openSearchKernels({ memory: shared.memory, scratch: scratchAddress(shared, 0) });
  const cache = createSegmentCache({ shared, thread: 0 });
  const segments = createSegmentReader({ store: reader, cache, cacheBytes });
  return {
    reader,
    embedder,
    questionReader,
    kernels,
    segments,
    projectId,
    accountId: project?.accountId ?? "",
    async close() {
      await embedder.close();
      await questionReader.close();
      await reader.close();
      await store.close();
    },
  };
}

export async function openIndex({ reader, segments, projectId }: OpenedAlone): Promise<OpenIndex> {
  const state = await reader.readIndexState({ projectId });
  const index = state === null ? null : await segments.open(projectId, state);
  if (index === null) throw new Error("The project is not in the data directory.");
  return index;
}
