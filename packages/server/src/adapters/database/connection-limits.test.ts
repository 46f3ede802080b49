import assert from "node:assert/strict";
import { test } from "node:test";
import { leastConnections, shareConnections, usualConnections } from "./connection-limits.ts";

test("the shares of the threads add up to the connections of the process", () => {
  for (const threads of [1, 2, 4, 16]) {
    for (let total = leastConnections(threads); total < leastConnections(threads) + 40; total++) {
      const { main, ingest, query } = shareConnections(total, threads);
      assert.equal(main.reads + main.writes + ingest.reads + ingest.writes + query * threads, total);
      // An account leaves half of them to others.
      assert.ok(main.reads >= 2 && main.writes >= 2 && ingest.writes >= 2 && query <= 2);
    }
  }
});

test("with two query threads a process opens ten connections at most", () => {
  assert.equal(usualConnections(2), 10);
});
