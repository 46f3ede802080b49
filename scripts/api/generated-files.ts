/** The files that are made from the contract, and committed. */
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
  const sent = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) =>
      String(schema["$ref"]).replace(/^.*\//, ""),
    ),
  );
  const types = declareTypes(document.components.schemas, new Set(sent));
  return [
    { path: "packages/contract/openapi.json", text: `${JSON.stringify(document, null, 2)}\n` },
    {
      path: "packages/sdk/src/wire.ts",
      text: `/** Made by \`npm run api\` from the contract: not to be edited. */\n\n${types}\n`,
    },
  ];
}
