import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTopList } from "./top-list.ts";

test("a top list equals the first entries of the sorted offers, whatever their order", () => {
  const offers = fc.array(fc.nat(12), { maxLength: 80 });
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 20 }), fc.boolean(), (scores, limit, isReversed) => {
      // Ties are won by the id with the greater last digit, so that neither order of offering matches the
      // tie-break order.
      const rank = (id: number) => (id % 10) * 1000 + id;
      const list = createTopList(limit, (one, other) => rank(one) > rank(other));
      const entries = [...scores.entries()];
      for (const [id, score] of isReversed ? entries.toReversed() : entries) list.offer(id, score);
      const sorted = entries.toSorted(([a, one], [b, other]) => other - one || rank(b) - rank(a));
      assert.deepEqual(
        list.drain(),
        sorted.slice(0, limit).map(([id, score]) => ({ id, score })),
      );
      assert.deepEqual(list.drain(), []);
    }),
  );
});
