import assert from "node:assert/strict";
import { test } from "node:test";
import { unreadNames } from "./unread-names.ts";

test("a text in a script without capital letters is said not to be read for names, and no other is", () => {
  for (const text of ["أسست فاطمة شركة النيل", "田中花子は京都で生まれた。", "王小明出生于北京 (1931, A)。"])
    assert.match(unreadNames(text, "built_in"), /capital letters, which its script does not have/, text);
  for (const text of ["the tide turns at noon", "корабль стоит в порту", "το πλοίο έφυγε", "12 + 3"])
    assert.equal(unreadNames(text, "built_in"), "No entity was read from this text.", text);
  assert.equal(unreadNames("王小明出生于北京", "model"), "No entity was read from this text.");
  assert.equal(unreadNames(null, "built_in"), "No entity was read from this text.");
});
