import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import type { DocumentSearch } from "../services/document-list.ts";
import { addDocumentResources, type ResourceDeps } from "./resources.ts";
import type { Session } from "./tool.ts";

test("the list of resources reads no metadata, which it does not show", async () => {
  const searches: DocumentSearch[] = [];
  const deps = {
    projects: { list: async () => [{ project: { projectId: "prj_1", name: "One" } }] },
    documents: {
      async list(_caller: unknown, _projectId: string, search: () => DocumentSearch) {
        searches.push(search());
        return { documents: [{ sourceDocId: "a", seen: null, updatedAt: 0 }], total: 1 };
      },
    },
  } as unknown as ResourceDeps; // The members that a list uses.
  const handlers = new Map<string, (params: object) => Promise<{ readonly resources: readonly unknown[] }>>();
  const server = {
    registerCapabilities: () => undefined,
    setRequestHandler: (method: string, _schemas: unknown, handler: never) => handlers.set(method, handler),
  };
  const session = {
    caller: { accountId: "acc_1", via: "api_key" },
    disconnected: new AbortController().signal,
    actAs: (_work: unknown, run: () => void) => run(),
  } as unknown as Session; // The members that a list uses.
  addDocumentResources({ server } as unknown as McpServer, session, deps);
  const listed = await handlers.get("resources/list")?.({});
  assert.equal(listed?.resources.length, 1);
  assert.deepEqual(searches, [{ search: null, withMetadata: false, limit: 100, offset: 0 }]);
});
