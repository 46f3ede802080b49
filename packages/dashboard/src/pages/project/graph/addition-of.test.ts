import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCorrection } from "@kcs/sdk";
import { additionOf } from "./addition-of.ts";

const ilse = { type: "Ship", name: "Ilse" };
const porto = { type: "Location", name: "Porto" };
const added: ListedCorrection = {
  ...{ kind: "add_relationship", correction_id: "cor_1", project_id: "prj_1", type: "MOORED_IN" },
  source: { type: "Ship", name: "The Ilse", also: [ilse] },
  target: { ...porto, also: [] },
  ...{ reason: null, account_id: "acc_1", key_id: null, created_at: "2031-04-09T10:00:00Z" },
  ...{ valid_from: null, valid_to: null, chunks: 1, later_chunks: 0, conflicts: 0 },
};

test("a relationship is that of the correction that added it, also under another name of an end", () => {
  const type = "MOORED_IN";
  assert.equal(additionOf({ source: ilse, type, target: porto }, [added]), added);
  assert.equal(additionOf({ source: porto, type, target: ilse }, [added]), null);
  assert.equal(additionOf({ source: ilse, type: "BUILT_IN", target: porto }, [added]), null);
  assert.equal(additionOf({ source: { ...ilse, type: "Person" }, type, target: porto }, [added]), null);
});
