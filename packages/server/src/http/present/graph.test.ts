import assert from "node:assert/strict";
import { test } from "node:test";
import { stringifyJson } from "@kcs/contract";
import type { GraphOverview } from "../../services/graph/overview.ts";
import { encodeJson, LongJson } from "../long-json.ts";
import { presentOverview } from "./graph.ts";

function overviewOf(count: number, onRead: () => void = () => {}): GraphOverview {
  const name = (at: number) => ({ entityId: `e${at}`, name: `Name ${at}`, type: "Thing", degree: 1 });
  const relationship = (at: number) => ({
    ...{ source: `e${at}`, target: `e${at + 1}`, chunks: 2 },
    get type() {
      onRead();
      return "KNOWS";
    },
  });
  return {
    entities: Array.from({ length: count }, (_, at) => name(at)),
    relationships: Array.from({ length: count }, (_, at) => relationship(at)),
    ...{ connected: count, total: count, isComplete: true },
  };
}

test("an overview lists entities with their degrees, and relationships with their ids", () => {
  assert.deepEqual(JSON.parse(stringifyJson(presentOverview(overviewOf(1)))), {
    entities: [{ entity_id: "e0", name: "Name 0", type: "Thing", degree: 1 }],
    relationships: [{ relationship_id: "e0.e1.KNOWS", type: "KNOWS", source: "e0", target: "e1", chunks: 2 }],
    ...{ connected_entities: 1, total_relationships: 1, is_complete: true },
  });
});

test("the items of a long overview are made while the answer is written, not at once", () => {
  let read = 0;
  const overview = overviewOf(20_000, () => read++);
  const presented = presentOverview(overview);
  assert.equal(read, 0);
  assert.ok(encodeJson(presented) instanceof LongJson);
  assert.ok(read < 20_000, String(read)); // Only to tell that it is long; an item reads its type twice.
});
