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
const moored = { source: ilse, type: "MOORED_IN", target: porto, valid_from: null, valid_to: null };

test("a relationship is that of the correction that added it, also under another name of an end", () => {
  assert.equal(additionOf(moored, [added]), added);
  assert.equal(additionOf({ ...moored, source: porto, target: ilse }, [added]), null);
  assert.equal(additionOf({ ...moored, type: "BUILT_IN" }, [added]), null);
  assert.equal(additionOf({ ...moored, source: { ...ilse, type: "Person" } }, [added]), null);
});

test("of two additions of one relationship, that with its times is meant", () => {
  const times = { valid_from: "1994", valid_to: "2001" };
  const timed = { ...added, ...times };
  assert.equal(additionOf({ ...moored, ...times }, [added, timed]), timed);
  assert.equal(additionOf(moored, [timed, added]), added);
  assert.equal(additionOf({ ...moored, ...times, valid_to: null }, [timed, added]), null);
});
