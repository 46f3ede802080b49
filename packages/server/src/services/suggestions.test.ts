import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../domain/account.ts";
import { ServiceError } from "../domain/errors.ts";
import type { SuggesterOutcome } from "../ports/suggester.ts";
import { createSuggest } from "./suggestions.ts";

test("an account has eight suggestions made at once, and room again when one is done", async () => {
  const waiting: ((outcome: SuggesterOutcome) => void)[] = [];
  const suggest = createSuggest({
    builtIn: { suggest: () => new Promise((resolve) => waiting.push(resolve)) },
    languageModel: null,
    allowance: { hasTokens: async () => true },
    now: () => 0,
  });
  const caller = (accountId: string): Caller => ({ accountId, via: "api_key" });
  const asked = Array.from({ length: 8 }, () => suggest(caller("a"), "Ships"));
  await assert.rejects(
    suggest(caller("a"), "Ships"),
    (error) => error instanceof ServiceError && error.kind === "too_many_requests",
  );
  asked.push(suggest(caller("b"), "Ships"));
  waiting.shift()?.({ kind: "nothing", reason: "it names nothing" });
  await assert.rejects(asked[0] ?? assert.fail(), /it names nothing/);
  asked.push(suggest(caller("a"), "Ships"));
  for (const end of waiting) end({ kind: "suggestion", suggestion: { name: "Ships", schemaJson: "{}" } });
  const outcomes = await Promise.allSettled(asked);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", ...new Array<string>(9).fill("fulfilled")],
  );
});
