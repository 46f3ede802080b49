import assert from "node:assert/strict";
import { test } from "node:test";
import { formatChunkId } from "../domain/document.ts";
import type { Project } from "../domain/project.ts";
import type { Store } from "../ports/store.ts";
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
    deleteDocument: async () => (await missing()) ?? false,
    readChunkContext: missing,
  };
  const documents = createDocumentService({
    store: store as Store, // Has the methods that are called.
    now: () => 0,
    onDeleted: () => assert.fail("nothing was deleted"),
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
