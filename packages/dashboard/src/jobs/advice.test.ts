import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOf, isCancelled, isWorthRetrying } from "./advice.ts";

test("a file that can never be read is not retried: another one is needed", () => {
  const unknown = "The type of the file is not known: it is none of PDF and DOCX.";
  assert.equal(adviceOf(unknown), `${unknown} Send another file.`);
  assert.equal(isWorthRetrying(unknown), false);
  const encrypted = "The file is encrypted. Remove its password and send it again.";
  assert.equal(adviceOf(encrypted), encrypted);
});

test("what another try can mend is offered for a retry, and a cancelled job is not", () => {
  const lost = "Internal error while the document was processed; the service's log has the cause";
  assert.equal(adviceOf(lost), `${lost}. Retry it, or send the text again.`);
  assert.equal(isWorthRetrying(lost), true);
  const full =
    "The archive has more files than the account may have pending jobs; retry the job when some of them are done";
  assert.equal(adviceOf(full), `${full}.`);
  assert.equal(isWorthRetrying(full), true);
  assert.equal(isWorthRetrying("Cancelled"), false);
  assert.equal(isCancelled({ status: "failed", error_message: "Cancelled" }), true);
  assert.equal(isCancelled({ status: "failed", error_message: lost }), false);
});
