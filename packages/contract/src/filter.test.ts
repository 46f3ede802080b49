import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { queryBody } from "./bodies.ts";
import { describeFaults } from "./fields.ts";

const read = (filter: unknown) => queryBody.safeParse({ query: "Where?", filter });
const VALUE = "a string of at most 512 characters or a number within ±9007199254740991";
const NUMBER = "a number within ±9007199254740991";

describe("a question's filter", () => {
  test("is null when it is absent or has no condition", () => {
    assert.equal(queryBody.parse({ query: "Where?" }).filter, null);
    const emptyFilters = [undefined, null, {}, { metadata: {} }, { source_doc_id: null, metadata: null }];
    for (const empty of emptyFilters) assert.equal(read(empty).data?.filter, null);
  });

  const accepted: readonly [unknown, unknown][] = [
    [{ source_doc_id: "a" }, { source_doc_id: ["a"], metadata: [] }],
    [{ source_doc_id: ["b", "a", "b"] }, { source_doc_id: ["b", "a"], metadata: [] }],
    [{ metadata: { lang: "" } }, { source_doc_id: null, metadata: [{ key: "lang", anyOf: [""] }] }],
    [
      { source_doc_id: "a", metadata: { year: [1931, "1931", 1931, -0] } },
      { source_doc_id: ["a"], metadata: [{ key: "year", anyOf: [1931, "1931", 0] }] },
    ],
    [
      { metadata: { year: { gte: 1900, lt: 2000.5 }, lang: "de" } },
      {
        source_doc_id: null,
        metadata: [
          { key: "year", range: { gte: 1900, lt: 2000.5 } },
          { key: "lang", anyOf: ["de"] },
        ],
      },
    ],
    [
      JSON.parse('{"metadata": {"__proto__": {"lte": -0}}}'),
      { source_doc_id: null, metadata: [{ key: "__proto__", range: { lte: 0 } }] },
    ],
  ];
  for (const [filter, parsed] of accepted) {
    test(`is read: ${JSON.stringify(filter)}`, () => {
      assert.deepEqual(read(filter).data?.filter, parsed);
    });
  }

  const faults: readonly [unknown, string][] = [
    ["a", "filter: got a string, expected an object with source_doc_id or metadata"],
    [[], "filter: got an array, expected an object with source_doc_id or metadata"],
    [{ source_doc: "a" }, 'filter: got an unknown member "source_doc", expected source_doc_id, metadata'],
    [
      JSON.parse('{"source_doc_id": "a", "__proto__": {}}'),
      'filter: got an unknown member "__proto__", expected source_doc_id, metadata',
    ],
    [
      { source_doc_id: 5 },
      "filter.source_doc_id: got a number, expected a string of 1 to 512 characters, not blank",
    ],
    [
      { source_doc_id: ["a", " "] },
      "filter.source_doc_id[1]: is blank, expected a string of 1 to 512 characters, not blank",
    ],
    [{ source_doc_id: [] }, "filter.source_doc_id: is empty, expected an array of 1 to 1000 items"],
    [
      { source_doc_id: Array.from({ length: 1001 }, (_, at) => `${at}`) },
      "filter.source_doc_id: has 1001 items, expected an array of 1 to 1000 items",
    ],
    [{ metadata: [] }, "filter.metadata: got an array, expected an object from keys to values"],
    [
      { metadata: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, 1])) },
      "filter.metadata: has 33 keys, expected at most 32",
    ],
    [
      { metadata: { "\t": 1 } },
      'filter.metadata: key "\\t" has a control character at offset 0, expected keys of 1 to 64 characters, not blank, without control characters',
    ],
    [
      { metadata: { a: null } },
      `filter.metadata.a: got null, expected ${VALUE}, an array of 1 to 100 values, or an object with gt, gte, lt or lte`,
    ],
    [{ metadata: { a: [] } }, "filter.metadata.a: is empty, expected an array of 1 to 100 items"],
    [
      { metadata: { a: Array.from({ length: 101 }, (_, at) => at) } },
      "filter.metadata.a: has 101 items, expected an array of 1 to 100 items",
    ],
    [{ metadata: { a: ["x", null] } }, `filter.metadata.a[1]: got null, expected ${VALUE}`],
    [{ metadata: { a: "x\0" } }, "filter.metadata.a: has a NUL character at offset 1, expected none"],
    [{ metadata: { a: 1e16 } }, `filter.metadata.a: got the number 10000000000000000, expected ${VALUE}`],
    [{ metadata: { a: {} } }, "filter.metadata.a: has no bound, expected at least one of gt, gte, lt, lte"],
    // JSON has no NaN and no infinity: clients send null.
    [{ metadata: { a: { gt: null } } }, `filter.metadata.a.gt: got null, expected ${NUMBER}`],
    [{ metadata: { a: { gte: 1, lt: null } } }, `filter.metadata.a.lt: got null, expected ${NUMBER}`],
    [
      { metadata: { a: { min: 1 } } },
      'filter.metadata.a: got an unknown member "min", expected gt, gte, lt, lte',
    ],
    [{ metadata: { a: { gt: "1" } } }, `filter.metadata.a.gt: got a string, expected ${NUMBER}`],
    [
      { metadata: { a: { lt: 2 ** 60 } } },
      `filter.metadata.a.lt: got the number ${2 ** 60}, expected ${NUMBER}`,
    ],
    [
      { source_doc_id: [], metadata: { a: [] }, more: 1 },
      'filter: got an unknown member "more", expected source_doc_id, metadata; ' +
        "filter.source_doc_id: is empty, expected an array of 1 to 1000 items; " +
        "filter.metadata.a: is empty, expected an array of 1 to 100 items",
    ],
  ];
  for (const [filter, fault] of faults) {
    test(`is refused: ${fault.slice(0, 70)}`, () => {
      const { error } = read(filter);
      assert.equal(error && describeFaults(error), fault);
    });
  }
});
