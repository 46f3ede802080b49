import assert from "node:assert/strict";
import { test } from "node:test";
import { formatChunkId } from "../domain/document.ts";
import type { Project } from "../domain/project.ts";
import type { DocumentContent } from "../ports/document-store.ts";
import { type Store, StoreUnavailableError } from "../ports/store.ts";
import { createDocumentService } from "./documents.ts";

const caller = { accountId: "account", via: "api_key" } as const;
const projectId = `prj_${"a".repeat(32)}`;

test("what a project does not have is not found, and ids that cannot exist are not looked up", async () => {
  let reads = 0;
  const missing = async () => {
    reads++;
    return null;
  };
  const store: Partial<Store> = {
    findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
    readDocument: missing,
    deleteDocument: async () => (await missing()) ?? "not_found",
    applyVersionChanges: async () => false,
    readChunkContext: missing,
  };
  const documents = createDocumentService({
    store: store as Store, // Has the methods that are called.
    now: () => 0,
    onDeleted: () => assert.fail("nothing was deleted"),
    log: { warn: () => undefined },
  });
  const notFound = { kind: "not_found" };
  for (const id of ["a", "x".repeat(512)]) {
    await assert.rejects(documents.get(caller, projectId, id), notFound);
    await assert.rejects(documents.delete(caller, projectId, id), notFound);
  }
  await assert.rejects(
    documents.getChunk(caller, projectId, formatChunkId({ versionId: 1, position: 0 })),
    notFound,
  );
  assert.equal(reads, 5);
  for (const id of ["", "\0", "\ud800", "x".repeat(513)]) {
    await assert.rejects(documents.get(caller, projectId, id), notFound);
    await assert.rejects(documents.delete(caller, projectId, id), notFound);
    await assert.rejects(documents.getChunk(caller, projectId, id), notFound);
  }
  assert.equal(reads, 5);
});

test("a deletion is answered when the graph has followed, also one that was interrupted", async () => {
  for (const isThere of [true, false]) {
    const calls: string[] = [];
    let [left, parts] = [3, 2];
    const store: Partial<Store> = {
      findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
      async deleteDocument() {
        if (parts-- > 0) return "more";
        return isThere ? "deleted" : "not_found";
      },
      async applyVersionChanges() {
        calls.push("step");
        return --left > 0;
      },
    };
    const documents = createDocumentService({
      store: store as Store, // Has the methods that are called.
      now: () => 0,
      onDeleted: () => calls.push("deleted"),
      log: { warn: () => undefined },
    });
    const answer = documents.delete(caller, projectId, "a");
    if (isThere) await answer;
    else await assert.rejects(answer, { kind: "not_found" });
    assert.deepEqual(calls, [...(isThere ? ["deleted"] : []), "step", "step", "step"]);
  }
});

test("a deletion that fails after a part of it says so", async () => {
  const messageAfter = async (parts: number) => {
    const store: Partial<Store> = {
      findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
      async deleteDocument() {
        if (parts-- === 0) throw new StoreUnavailableError("busy", "It is locked.", undefined);
        return "more";
      },
    };
    const documents = createDocumentService({
      store: store as Store,
      now: () => 0,
      onDeleted: () => undefined,
      log: { warn: () => undefined },
    });
    return documents.delete(caller, projectId, "a").then(
      () => null,
      (error: unknown) => error instanceof StoreUnavailableError && error.message,
    );
  };
  assert.equal(await messageAfter(0), "It is locked.");
  assert.equal(
    await messageAfter(2),
    "Jobs of the document have ended, but it is not deleted yet. It is locked.",
  );
});

test("two documents of an account are read from the store at a time", async () => {
  let [reading, most] = [0, 0];
  const store: Partial<Store> = {
    findProject: async () => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
    readDocument: async () => {
      most = Math.max(most, ++reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading--;
      return { text: "", chunks: [] } as unknown as DocumentContent; // Not read.
    },
  };
  const documents = createDocumentService({
    store: store as Store,
    now: () => 0,
    onDeleted: () => undefined,
    log: { warn: () => undefined },
  });
  await Promise.all(Array.from({ length: 4 }, () => documents.get(caller, projectId, "a")));
  assert.equal(most, 2);
});

test("the lists of an account are read one after another, those of others beside them", async () => {
  let owner = "busy";
  const walking: (() => void)[] = [];
  const store: Partial<Store> = {
    findProject: async () => ({ projectId, accountId: owner }) as Project, // The fields that are read.
    walkDocuments: () =>
      new Promise((resolve) => walking.push(() => resolve({ ids: ["a"], matches: 1, next: null }))),
    readDocuments: async () => [],
  };
  const documents = createDocumentService({
    store: store as Store, // Has the methods that are called.
    now: () => 0,
    onDeleted: () => undefined,
    log: { warn: () => undefined },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const lists: Promise<unknown>[] = [];
  for (const accountId of ["busy", "busy", "busy", "quiet"]) {
    owner = accountId;
    const search = () => ({ search: null, limit: 9, offset: 0 });
    lists.push(documents.list({ accountId, via: "api_key" }, projectId, search));
    await settle();
  }
  for (const [begun, finished] of [
    [2, 0],
    [3, 2],
    [4, 3],
    [4, 1],
  ] as const) {
    assert.equal(walking.length, begun);
    walking[finished]?.();
    await settle();
  }
  await Promise.all(lists);
});

test("more reads of an account than may wait are refused", async () => {
  const { promise: open, resolve } = Promise.withResolvers<void>();
  const store: Partial<Store> = {
    findProject: async ({ projectId }) => ({ projectId, accountId: caller.accountId }) as Project, // The fields that are read.
    async readDocument() {
      await open;
      return { text: "", chunks: [] } as unknown as DocumentContent; // Not read.
    },
  };
  const documents = createDocumentService({
    store: store as Store, // Has the methods that are called.
    now: () => 0,
    onDeleted: () => undefined,
    log: { warn: () => undefined },
  });
  const get = () => documents.get(caller, projectId, "a");
  const reads = Array.from({ length: 258 }, get);
  await assert.rejects(get(), /^ServiceError: At most 256 reads of documents of an account wait/);
  resolve();
  assert.equal((await Promise.all(reads)).length, 258);
});
