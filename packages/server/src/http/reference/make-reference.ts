/** The documents about the API, which take some tenths of a second to make. */
import { createOpenApiDocument } from "@kcs/contract/openapi";
import { llmsText } from "./llms.ts";
import { referencePage } from "./page.ts";

export interface ApiReference {
  /** JSON. */
  readonly openapi: string;
  /** HTML. */
  readonly docs: string;
  readonly llms: string;
}

/** `serverUrl`: where clients reach the API. */
export function makeReference(serverUrl: string): ApiReference {
  const document = createOpenApiDocument({ serverUrl });
  return { openapi: JSON.stringify(document), docs: referencePage(document), llms: llmsText(document) };
}
