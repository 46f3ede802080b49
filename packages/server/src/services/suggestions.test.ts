import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../domain/account.ts";
import { ServiceError } from "../domain/errors.ts";
import type { SuggesterOutcome } from "../ports/suggester.ts";
import { createSuggest } from "./suggestions.ts";

test("an account may have eight concurrent suggestions, and one more when one of them has finished", async () => {
  const waiting: ((outcome: SuggesterOutcome) => void)[] = [];
  const suggest = createSuggest({
    builtIn: { suggest: () => new Promise((resolve) => waiting.push(resolve)) },
    languageModel: null,
    allowance: { hasTokens: async () => true },
    now: () => 0,
  });
  const caller = (accountId: string): Caller => ({ accountId, via: "api_key" });
  const requests = Array.from({ length: 8 }, () => suggest(caller("a"), "Ships", null));
  await assert.rejects(
    suggest(caller("a"), "Ships", null),
    (error) => error instanceof ServiceError && error.kind === "too_many_requests",
  );
  requests.push(suggest(caller("b"), "Ships", null));
  waiting.shift()?.({ kind: "nothing", reason: "it names nothing" });
  await assert.rejects(requests[0] ?? assert.fail(), /it names nothing/);
  requests.push(suggest(caller("a"), "Ships", null));
  for (const resolve of waiting)
    resolve({ kind: "suggestion", suggestion: { name: "Ships", schemaJson: "{}" } });
  const outcomes = await Promise.allSettled(requests);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", ...new Array<string>(9).fill("fulfilled")],
  );
});
