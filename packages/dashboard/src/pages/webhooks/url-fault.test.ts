import assert from "node:assert/strict";
import { test } from "node:test";
import { urlFaultOf } from "./url-fault.ts";

test("a refused URL is told at its field, with the setting that allows it, and other faults are not", () => {
  const refused = "url: is not an https URL, expected one such as https://example.com/hook";
  assert.match(
    urlFaultOf(refused) ?? "",
    /must begin with https:.*whoever operates the service.*KCS_WEBHOOK_PRIVATE=allow/i,
  );
  assert.equal(urlFaultOf("url: has credentials"), "The URL has credentials.");
  assert.equal(urlFaultOf("url: The sitemap names 0 pages"), "The sitemap names 0 pages.");
  assert.equal(urlFaultOf("An account has at most 20 webhooks"), null);
});
