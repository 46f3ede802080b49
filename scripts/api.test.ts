import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { generatedFiles } from "./api/generated-files.ts";
import { declareTypes } from "./api/type-declarations.ts";

const root = resolve(import.meta.dirname, "..");

for (const { path, text } of generatedFiles()) {
  test(`${path} matches the contract (run npm run api)`, async () => {
    assert.equal(await readFile(join(root, path), "utf8"), text);
  });
}

test("JSON Schema becomes TypeScript, with undefined for optional members of sent components", () => {
  const thing = {
    type: "object",
    properties: {
      id: { type: "string" },
      kind: { enum: ["a", "b"] },
      size: { anyOf: [{ type: "integer" }, { type: "null" }] },
      tags: { type: "array", items: { type: ["string", "number"] } },
      other: { $ref: "#/components/schemas/Other" },
      any: {},
    },
    required: ["id", "kind", "size", "tags"],
  };
  const map = { type: "object", additionalProperties: { type: "string" } };
  assert.equal(
    declareTypes({ Thing: thing, Other: map }, new Set(["Thing"])),
    [
      "export type Other = Readonly<Record<string, string>>;",
      "",
      "export interface Thing {",
      "  readonly id: string;",
      '  readonly kind: "a" | "b";',
      "  readonly size: number | null;",
      "  readonly tags: readonly (string | number)[];",
      "  readonly other?: Other | undefined;",
      "  readonly any?: unknown | undefined;",
      "}",
    ].join("\n"),
  );
});
