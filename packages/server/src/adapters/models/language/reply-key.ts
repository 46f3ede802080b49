import { createHash } from "node:crypto";
import type { ModelRequest } from "../../../ports/language-model.ts";

/** Raised when the client itself asks otherwise than before, so that older replies are not used again. */
const CLIENT_VERSION = 1;

/**
 * A hash of everything that a reply depends on, base64url; a request of another account has another key. What is added
 * to the prompt for a model that cannot be locked to a schema follows from the schema.
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
