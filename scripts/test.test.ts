import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const runner = resolve(import.meta.dirname, "test.ts");
const folder = mkdtempSync(join(tmpdir(), "kcs-runner-"));
after(() => rmSync(folder, { recursive: true }));

/** Runs the test command over one file that holds `body`. */
function runTests(body: string): { readonly status: number | null; readonly lines: readonly string[] } {
  const file = join(folder, "planted.test.ts");
  writeFileSync(file, `import { test } from "node:test";\n${body}\n`);
  // node:test refuses to run inside a test unless this mark of the outer run is taken away.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [runner, file], { env, encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("passing tests end in the closing line and succeed", () => {
  const { status, lines } = runTests(`test("a", () => {}); test("b", () => {});`);
  assert.equal(lines.at(-1), "2 passed, 0 failed");
  assert.equal(status, 0);
});

test("a failure is shown with its full name, its difference and what the file printed, and fails the run", () => {
  const { status, lines } = runTests(
    `import assert from "node:assert/strict"; import { describe } from "node:test"; ` +
      `describe("outer", () => test("inner", () => { console.log("printed"); assert.deepEqual({ a: 1 }, { a: 2 }); }));`,
  );
  const text = lines.join("\n");
  assert.match(text, /outer > inner/);
  assert.match(text, /\+ +a: 1\n *- +a: 2/);
  assert.match(text, /printed/);
  assert.doesNotMatch(text, /subtest/);
  assert.equal(lines.at(-1), "0 passed, 1 failed");
  assert.equal(status, 1);
});

test("a skipped or a todo test fails the run and is counted", () => {
  const { status, lines } = runTests(`test("a", () => {}); test.skip("b", () => {}); test.todo("c");`);
  assert.equal(lines.at(-1), "1 passed, 0 failed, 2 skipped");
  assert.equal(status, 1);
});

test("a file that holds no test fails the run", () => {
  const { status, lines } = runTests("void test;");
  assert.equal(lines.at(-1), "0 passed, 1 failed");
  assert.equal(status, 1);
});

test("a file that throws while it is loaded fails the run", () => {
  const { status, lines } = runTests(`throw new Error("broken on load");`);
  assert.match(lines.join("\n"), /broken on load/);
  assert.equal(lines.at(-1), "0 passed, 1 failed");
  assert.equal(status, 1);
});

test("a path without test files fails the run", () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const nowhere = join(folder, "nowhere");
  const { status, stdout } = spawnSync(process.execPath, [runner, nowhere], { env, encoding: "utf8" });
  assert.match(stdout, /No test file/);
  assert.equal(stdout.trimEnd().split("\n").at(-1), "0 passed, 0 failed");
  assert.equal(status, 1);
});
