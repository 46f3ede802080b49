import assert from "node:assert/strict";
import { test } from "node:test";
import { createToasts } from "./toast-store.ts";

test("when something is undone elsewhere, the message that offers to undo it goes, and no other", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const toasts = createToasts();
  const action = { label: "Undo", onPress: () => undefined };
  for (const about of ["one", "other"]) toasts.show({ text: about, about, action });
  toasts.show({ text: "neither" });
  toasts.closeAbout("one");
  assert.deepEqual(
    toasts.list().map(({ text }) => text),
    ["other", "neither"],
  );
});
