/** The MCP endpoint over the composed services, with the shapes that HTTP has. */
import type { Counter } from "prom-client";
import { presentChunkContext, presentDocuments } from "./http/present/documents.ts";
import { presentEntities, presentEntityDetail } from "./http/present/graph.ts";
import { presentAcceptedJob, presentAnswer, presentJob, presentListedProject } from "./http/present.ts";
import { presentProgress } from "./http/present-events.ts";
import type { McpAnswerer } from "./http/routes/mcp.ts";
import type { McpDeps, McpEndpoint } from "./mcp/endpoint.ts";
import type { Presenters } from "./mcp/presenters.ts";

const PRESENT: Presenters = {
  listedProject: presentListedProject,
  answer: presentAnswer,
  chunk: presentChunkContext,
  entity: presentEntityDetail,
  entities: presentEntities,
  documents: presentDocuments,
  acceptedJob: presentAcceptedJob,
  job: presentJob,
  progress: presentProgress,
};

/** Loads the protocol's library, some 20 MB, with the first request: most services never get one. */
export function createMcp(
  deps: Omit<McpDeps, "present" | "onCall">,
  calls: Counter<"tool" | "outcome">,
): McpAnswerer {
  let loading: Promise<McpEndpoint> | null = null;
  let isClosed = false;

  async function load(): Promise<McpEndpoint> {
    const { createMcpEndpoint } = await import("./mcp/endpoint.ts");
    const onCall: McpDeps["onCall"] = (call) => calls.inc(call);
    return createMcpEndpoint({ ...deps, present: PRESENT, onCall });
  }

  return {
    async answer(request) {
      if (isClosed) throw new Error("The service is stopping.");
      loading ??= load();
      return (await loading).answer(request);
    },
    async close() {
      isClosed = true;
      await (await loading)?.close();
    },
  };
}
