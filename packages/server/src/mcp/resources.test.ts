import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import type { DocumentSearch } from "../services/document-list.ts";
import { addDocumentResources, type ResourceDeps } from "./resources.ts";
import type { Session } from "./tool.ts";

interface Listed {
  readonly resources: readonly unknown[];
  readonly nextCursor?: string;
}

async function listResources(deps: ResourceDeps): Promise<Listed> {
  const handlers = new Map<string, (params: object) => Promise<Listed>>();
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
  assert.ok(listed !== undefined);
  return listed;
}

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
  const listed = await listResources(deps);
  assert.equal(listed.resources.length, 1);
  assert.deepEqual(searches, [{ search: null, withMetadata: false, limit: 100, offset: 0 }]);
});

test("a list goes on behind a page that is shorter because documents were deleted while it was read", async () => {
  const deps = {
    projects: {
      list: async () => ["prj_1", "prj_2"].map((projectId) => ({ project: { projectId, name: "" } })),
    },
    documents: {
      async list(_caller: unknown, _projectId: string, search: () => DocumentSearch) {
        const { limit, offset } = search();
        // The first of the page was deleted after the ids were found.
        const places = Array.from({ length: limit - 1 }, (_, at) => offset + 1 + at);
        return {
          documents: places.map((place) => ({ sourceDocId: `d${place}`, seen: null, updatedAt: 0 })),
          total: 300,
        };
      },
    },
  } as unknown as ResourceDeps; // The members that a list uses.
  const listed = await listResources(deps);
  assert.equal(listed.resources.length, 99);
  assert.equal(listed.nextCursor, "0.99");
});
