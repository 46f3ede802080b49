import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTypes, { astToString } from "openapi-typescript";
import { createOpenApiDocument } from "./document.ts";

/** A client's program. With `@ts-expect-error` the compiler fails unless the next line is wrong. */
const PROGRAM = `
import type { components, paths, webhooks } from "./api";

type Ontologies = paths["/api/v1/ontologies"];
type CreateOntology = Ontologies["post"]["requestBody"]["content"]["application/json"];

const ship: components["schemas"]["NodeType"] = { properties: ["tonnage"], description: "A vessel" };
const berthed: components["schemas"]["EdgeType"] = {
  name: "BERTHED_AT",
  source_types: ["Ship"],
  target_types: ["Harbour"],
  temporal: true,
  examples: ["Wanda lies at Orrin.", { source: "Wanda", target: "Orrin" }],
};
export const body: CreateOntology = {
  name: "Shipping",
  schema: {
    ontology: {
      hierarchy: [
        { level: 0, node_types: { Ship: ship, Harbour: {} } },
        { level: 1, node_types: { Traffic: { aggregates: ["Ship", "Harbour"] } } },
      ],
      edge_types: [berthed],
    },
  },
};
export function typesOf({ schema }: Ontologies["post"]["responses"][201]["content"]["application/json"]) {
  const edges: readonly string[] = (schema.ontology.edge_types ?? []).flatMap((edge) => edge.target_types);
  return schema.ontology.hierarchy.flatMap(({ node_types }) => Object.keys(node_types)).concat(edges);
}
export function levelsOf(project: components["schemas"]["Project"]): readonly number[] {
  return (project.ontology?.hierarchy ?? []).map(({ level }) => level);
}
export function jobOf(event: webhooks["event"]["post"]["requestBody"]["content"]["application/json"]) {
  return event.type === "job.completed" ? event.data.job_id : null;
}
const etag: paths["/api/v1/usage"]["get"]["responses"][200]["headers"]["ETag"] = 'W/"x"';
export const headers: paths["/api/v1/usage"]["get"]["parameters"]["header"] = { "If-None-Match": etag };

// @ts-expect-error
export const noName: components["schemas"]["EdgeType"] = { source_types: ["Ship"], target_types: ["Ship"] };
// @ts-expect-error
export const noNumber: components["schemas"]["HierarchyLevel"] = { level: "0", node_types: {} };
// @ts-expect-error
export const noHierarchy: CreateOntology = { name: "x", schema: { ontology: {} } };
// @ts-expect-error
export const noList: components["schemas"]["NodeType"] = { properties: "tonnage" };
`;

test("a client generated from the document builds and reads an ontology with types", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "kcs-typed-client-"));
  context.after(() => rm(folder, { recursive: true }));
  const document = JSON.stringify(createOpenApiDocument());
  await writeFile(join(folder, "api.d.ts"), astToString(await openapiTypes(document)));
  await writeFile(join(folder, "program.ts"), PROGRAM);
  const compiler = fileURLToPath(import.meta.resolve("../../../../node_modules/typescript/bin/tsc"));
  const flags = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--module", "preserve", "--types", ""];
  const output = await promisify(execFile)(process.execPath, [compiler, ...flags, "program.ts"], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  assert.equal(output.stdout, "");
});
