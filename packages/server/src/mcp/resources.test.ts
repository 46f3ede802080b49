import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { errors } from "../domain/errors.ts";
import type { DocumentSearch } from "../services/document-list.ts";
import { addDocumentResources, type ResourceDeps } from "./resources.ts";
import type { Session } from "./tool.ts";

interface ListedResources {
  readonly resources: readonly { readonly name: string }[];
  readonly nextCursor?: string;
}

/** Ids of documents by project, the newest project first. */
type Projects = Map<string, string[]>;

/** The list of resources of some projects. `onList` is called when the documents of a project are about to be read. */
function listOf(projects: Projects, onList: (projectId: string, search: DocumentSearch) => void = () => {}) {
  const places = new Map([...projects.keys()].map((id, at) => [id, projects.size - at]));
  const deps = {
    projects: {
      async *list(_caller: unknown, page: { offset: number; limit: number; before?: number | null }) {
        const { before = null, offset, limit } = page;
        const listed = [...projects.keys()].map((projectId) => ({
          project: { projectId, name: projectId },
          place: places.get(projectId) ?? assert.fail(),
        }));
        const behind = listed.filter(({ place }) => before === null || place < before);
        yield behind.slice(offset, offset + limit);
      },
    },
    documents: {
      async list(_caller: unknown, projectId: string, search: () => DocumentSearch) {
        const { after = null, offset, limit } = search();
        onList(projectId, search());
        const ids = projects.get(projectId);
        if (ids === undefined) throw errors.projectNotFound(projectId);
        const behind = ids.toSorted().filter((id) => after === null || id > after);
        const shown = behind.slice(offset, offset + limit);
        const documents = shown.map((sourceDocId) => ({ sourceDocId, seen: null, updatedAt: 0 }));
        return { documents, total: behind.length };
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

/** The names on all pages. `between` is called after each page but the last one. */
async function namesOf(list: ReturnType<typeof listOf>, between: (pages: number) => void = () => {}) {
  const names: string[] = [];
  let pages = 0;
  for (let cursor: { cursor?: string } | null = {}; cursor !== null; ) {
    const { resources, nextCursor }: ListedResources = await list(cursor);
    names.push(...resources.map(({ name }) => name));
    cursor = nextCursor === undefined ? null : { cursor: nextCursor };
    if (cursor !== null) between(++pages);
  }
  return names;
}

const idsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${String(at).padStart(3, "0")}`);

test("the list of resources reads no metadata, which it does not show", async () => {
  const searches: DocumentSearch[] = [];
  const projects: Projects = new Map([
    ["prj_1", ["a"]],
    ["prj_2", ["a"]],
  ]);
  const list = listOf(projects, (_projectId, search) => searches.push(search));
  assert.equal((await list({})).resources.length, 2);
  const shown = { search: null, withMetadata: false, offset: 0, after: null };
  assert.deepEqual(searches, [
    { ...shown, limit: 100 },
    { ...shown, limit: 99 },
  ]);
});

test("documents that come or go between pages make the list leave out no other and repeat none", async () => {
  const projects: Projects = new Map([
    ["prj_1", idsOf("d", 250)],
    ["prj_2", ["last"]],
  ]);
  const names = await namesOf(listOf(projects), (pages) => {
    if (pages === 1) projects.set("prj_1", idsOf("d", 250).slice(7));
    if (pages === 2) projects.set("prj_1", [...idsOf("c", 9), ...idsOf("d", 250)]);
  });
  assert.deepEqual(names, [...idsOf("d", 250), "last"]);
});

test("a project that is deleted between pages makes the list leave out no document of another", async () => {
  for (const gone of ["prj_3", "prj_2", "prj_1"]) {
    for (const when of [1, 2, 3]) {
      const projects: Projects = new Map(["prj_3", "prj_2", "prj_1"].map((id) => [id, idsOf(id, 150)]));
      const names = await namesOf(listOf(projects), (pages) => {
        if (pages === when) projects.delete(gone);
      });
      const others = names.filter((name) => !name.startsWith(gone));
      assert.deepEqual(
        others,
        [...projects.values()].flat().filter((name) => !name.startsWith(gone)),
      );
    }
  }
});

test("a project that is deleted while a page is made is left out, and no fault", async () => {
  const projects: Projects = new Map(["prj_3", "prj_2", "prj_1"].map((id) => [id, idsOf(id, 20)]));
  const list = listOf(projects, (projectId) => {
    if (projectId === "prj_2") projects.delete("prj_2");
  });
  assert.deepEqual(await namesOf(list), [...idsOf("prj_3", 20), ...idsOf("prj_1", 20)]);
});

test("more empty projects than a page reads are passed", async () => {
  const projects: Projects = new Map(Array.from({ length: 45 }, (_, at) => [`prj_${at}`, []]));
  projects.set("prj_full", ["a"]);
  assert.deepEqual(await namesOf(listOf(projects)), ["a"]);
});

test("odd ids make cursors that lead on, and other cursors are refused", async () => {
  const odd = ["", ".", ":", "%", "/?#", "å 🙂", "\n"].map((end) => `${"n".repeat(3)}${end}`).toSorted();
  for (const id of odd) {
    const ids = [...idsOf("a", 99), id, "z"];
    assert.deepEqual(await namesOf(listOf(new Map([["prj_1", ids]]))), ids);
  }
  const list = listOf(new Map([["prj_1", ["a"]]]));
  for (const cursor of ["", "x", "0.100", "1:%", "1:%00", "-1:", "1:a:b%", `1:${"a".repeat(9_000)}`])
    await assert.rejects(list({ cursor }), /cursor: is not a cursor of this list/, cursor);
});

test("a project of which a document is deleted while a page is read is listed to its end", async () => {
  const ids = idsOf("d", 150);
  const projects: Projects = new Map([
    ["prj_1", ids],
    ["prj_2", ["last"]],
  ]);
  const list = listOf(projects, (projectId, { after }) => {
    if (projectId === "prj_1" && after === null) ids.splice(7, 1);
  });
  assert.deepEqual(await namesOf(list), [...ids, "last"]);
});
