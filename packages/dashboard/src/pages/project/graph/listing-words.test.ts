import assert from "node:assert/strict";
import { test } from "node:test";
import { listingWords, unrelatedWords } from "./listing-words.ts";

test("a list that has them all says how many, and another one of how many", () => {
  assert.equal(listingWords({ listed: 1, all: 1, kind: "all" }), "1 entity");
  assert.equal(listingWords({ listed: 1, all: 1, kind: "search" }), "1 entity matches");
  assert.equal(listingWords({ listed: 12, all: 12, kind: "of type" }), "12 entities match");
  assert.equal(
    listingWords({ listed: 10_000, all: 33_334, kind: "all" }),
    "10,000 of 33,334 entities are listed, the best connected first: search or choose a type for others",
  );
  assert.equal(
    listingWords({ listed: 10_000, all: 10_870, kind: "of type" }),
    "10,000 of 10,870 entities are listed, the best connected first: search for others",
  );
  assert.equal(
    listingWords({ listed: 512, all: 10_000, kind: "search" }),
    "512 of at least 10,000 matches are listed, the best connected first: write more of the name for others",
  );
});

test("entities without relationships are counted among those that were looked through", () => {
  assert.equal(unrelatedWords({ found: 2, all: 9 }), "2 entities match");
  assert.equal(
    unrelatedWords({ found: 6_412, all: 33_334 }),
    "6,412 entities among the first 10,000 of 33,334 by name",
  );
});
