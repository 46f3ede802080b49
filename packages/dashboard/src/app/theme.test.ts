import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTheme, type Theme } from "./theme.ts";

test("the first press from the system's theme changes how the page looks, and three lead back", () => {
  for (const isSystemDark of [false, true]) {
    const looks = (theme: Theme) => (theme === "system" ? (isSystemDark ? "dark" : "light") : theme);
    const first = nextTheme("system", isSystemDark);
    assert.notEqual(looks(first), looks("system"));
    const second = nextTheme(first, isSystemDark);
    assert.notEqual(looks(second), looks(first));
    assert.equal(nextTheme(second, isSystemDark), "system");
  }
});
