import assert from "node:assert/strict";
import { test } from "node:test";
import { endpoints } from "./endpoints.ts";

test("no path has a word where another one has an id that users choose", () => {
  const paths = Object.values(endpoints).map(({ path }) => path.split("/"));
  for (const path of paths) {
    const at = path.indexOf("{source_doc_id}");
    const beside =
      at < 0 ? [] : paths.filter((other) => path.slice(0, at).every((part, to) => part === other[to]));
    for (const other of beside)
      assert.ok([undefined, "{source_doc_id}"].includes(other[at]), other.join("/"));
  }
});
