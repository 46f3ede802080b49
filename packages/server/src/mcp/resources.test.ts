import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import type { DocumentSearch } from "../services/document-list.ts";
import { addDocumentResources, type ResourceDeps } from "./resources.ts";
import type { Session } from "./tool.ts";

interface ListedResources {
  readonly resources: readonly { readonly name: string }[];
  readonly nextCursor?: string;
}

/** The list of resources of two projects. */
function listOf(list: (projectId: string, search: DocumentSearch) => { ids: string[]; total: number }) {
  const projects = ["prj_1", "prj_2"].map((projectId) => ({ project: { projectId, name: projectId } }));
  const deps = {
    projects: {
      async *list(_caller: unknown, { offset }: { offset: number }) {
        yield projects.slice(offset);
      },
    },
    documents: {
      async list(_caller: unknown, projectId: string, search: () => DocumentSearch) {
        const { ids, total } = list(projectId, search());
        return { documents: ids.map((sourceDocId) => ({ sourceDocId, seen: null, updatedAt: 0 })), total };
      },
    },
  } as unknown as ResourceDeps; // The members that a list uses.
  const handlers = new Map<string, (params: object) => Promise<ListedResources>>();
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
  return (params: object) => handlers.get("resources/list")?.(params) ?? assert.fail();
}

test("the list of resources reads no metadata, which it does not show", async () => {
  const searches: DocumentSearch[] = [];
  const list = listOf((_projectId, search) => {
    searches.push(search);
    return { ids: ["a"], total: 1 };
  });
  assert.equal((await list({})).resources.length, 2);
  const shown = { search: null, withMetadata: false, offset: 0 };
  assert.deepEqual(searches, [
    { ...shown, limit: 100 },
    { ...shown, limit: 99 },
  ]);
});

test("a project of which a document is deleted while a page is read is listed to its end", async () => {
  const ids = Array.from({ length: 150 }, (_, at) => `d ${at}`);
  const list = listOf((projectId, { limit, offset }) => {
    const own = projectId === "prj_1" ? ids : ["last"];
    const page = { ids: own.slice(offset, offset + limit), total: own.length };
    if (page.ids.length !== 100) return page;
    ids.splice(7, 1);
    return { ...page, ids: page.ids.filter((id) => id !== "d 7") };
  });
  const names: string[] = [];
  for (let cursor: { cursor?: string } | null = {}; cursor !== null; ) {
    const { resources, nextCursor }: ListedResources = await list(cursor);
    names.push(...resources.map(({ name }) => name));
    cursor = nextCursor === undefined ? null : { cursor: nextCursor };
  }
  assert.deepEqual(names, [...ids, "last"]);
});
