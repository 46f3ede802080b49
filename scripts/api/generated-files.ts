/** Generates the committed files that are derived from the contract. */
import { createOpenApiDocument } from "@kcs/contract/openapi";
import { declareTypes } from "./type-declarations.ts";

export interface GeneratedFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

export function generatedFiles(): readonly GeneratedFile[] {
  const document = createOpenApiDocument();
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const requestBodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) =>
      String(schema["$ref"]).replace(/^.*\//, ""),
    ),
  );
  const types = declareTypes(document.components.schemas, new Set(requestBodies));
  return [
    { path: "packages/contract/openapi.json", text: `${JSON.stringify(document, null, 2)}\n` },
    {
      path: "packages/sdk/src/wire.ts",
      // scripts/architecture/contents.ts recognizes generated files by the start of this comment.
      text: `/** Made by \`npm run api\` from the contract: do not edit. */\n\n${types}\n`,
    },
  ];
}
