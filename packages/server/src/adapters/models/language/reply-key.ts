import { createHash } from "node:crypto";
import type { ModelRequest } from "../../../ports/language-model.ts";

/** Raised when the client changes its requests, so that older replies are not used. */
const CLIENT_VERSION = 1;

/**
 * A base64url hash of everything that a reply depends on, including the account. The text that is added to
 * the prompt for a model without structured output depends only on the schema, so it is not part of the hash.
 */
export function replyKey(request: ModelRequest, model: string): string {
  const parts = [
    CLIENT_VERSION,
    request.meter.accountId,
    model,
    request.task,
    request.promptVersion,
    request.schema,
    request.system,
    request.prompt,
    request.maxOutputTokens,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
