import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";
import { readSdkTypes } from "./sdk-reference/read-types.ts";
import { writeReference } from "./sdk-reference/write-reference.ts";

const types = readSdkTypes();

test("docs/sdk-reference.md is current (run npm run docs:sdk)", async () => {
  const path = resolve(import.meta.dirname, "../docs/sdk-reference.md");
  assert.equal(await readFile(path, "utf8"), writeReference(types));
});

test("the reference has every method with its signature and comment", () => {
  const documents = types.groups.find(({ name }) => name === "documents");
  const deletion = documents?.methods.find(({ name }) => name === "kcs.documents.delete");
  assert.equal(
    deletion?.code,
    "kcs.documents.delete(projectId: string, sourceDocId: string, options?: CallOptions): Promise<void>",
  );
  const ingestion = documents?.methods.find(({ name }) => name === "kcs.documents.ingest");
  assert.match(ingestion?.text ?? "", /Resolves to the job as soon as the document is accepted/);
  // `list` is a variable that the client's object takes over by its name.
  assert.match(documents?.methods.find(({ name }) => name === "kcs.documents.list")?.text ?? "", /total/);
  const names = types.groups.flatMap(({ methods }) => methods.map(({ name }) => name));
  assert.ok(names.includes("kcs.query") && names.includes("kcs.webhooks.eachDelivery"));
});
