import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOf, isCancelled, isWorthRetrying } from "./advice.ts";

const helps = (message: string, help: string) => {
  assert.equal(adviceOf(message), `${message}${help === "" ? "" : " "}${help}`);
  assert.equal(isWorthRetrying(message), false, message);
};

test("for a file that can never be read what helps is said, and no retry", () => {
  const repair = "Repair the file, or convert it to another type, and send it again.";
  helps("The type of the file is not known: it is none of PDF and DOCX.", repair);
  helps("The PDF is damaged and cannot be read.", repair);
  helps("The name of the file ends in .pdf, but it is no PDF: it is damaged or of another type.", repair);
  helps("The picture is damaged, or of a kind that cannot be read.", repair);
  helps("The table cannot be read: a field in quotes does not end.", repair);
  helps("The file has more than 5000 pages.", "Send it in smaller parts.");
  helps("Reading the file took longer than 300 seconds.", "Send it in smaller parts.");
  helps("The file has no text.", "Send one that has text.");
  helps(
    "No text was recognised in the picture (English): it has none, or it cannot be read.",
    "Send one that has text.",
  );
  helps("The file is encrypted. Remove its password and send it again.", "");
  helps("The picture has more pages than could be recognised in time. Send it in parts.", "");
});

test("what another try can mend is offered for a retry, and a cancelled job is not", () => {
  const lost = "Internal error while the document was processed; the service's log has the cause";
  assert.equal(adviceOf(lost), `${lost}. Retry it, or send the text again.`);
  assert.equal(isWorthRetrying(lost), true);
  const read = "Internal error while the file was read; the service's log has the cause";
  assert.equal(adviceOf(read), `${read}. Retry it, or send the text again.`);
  assert.equal(isWorthRetrying(read), true);
  assert.equal(isWorthRetrying("The worker ended 5 times while it read the file"), true);
  assert.equal(isWorthRetrying("The server answered 503"), true);
  const full =
    "The archive has more files than the account may have pending jobs; retry the job when some of them are done";
  assert.equal(adviceOf(full), `${full}.`);
  assert.equal(isWorthRetrying(full), true);
  assert.equal(isWorthRetrying("Cancelled"), false);
  assert.equal(isCancelled({ status: "failed", error_message: "Cancelled" }), true);
  assert.equal(isCancelled({ status: "failed", error_message: lost }), false);
});
