import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { after, test } from "node:test";
import { affectedTests } from "./test/changed.ts";

const runner = resolve(import.meta.dirname, "test.ts");
const folder = mkdtempSync(join(tmpdir(), "kcs-runner-"));
after(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly status: number | null;
  readonly lines: readonly string[];
}

/** Runs the test command over files that hold these bodies. */
function runTests(...bodies: readonly string[]): Ran {
  return runWith({}, bodies);
}

function runWith(
  input: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv },
  bodies: readonly string[],
): Ran {
  const files = bodies.map((body, at) => {
    const file = join(folder, `planted-${at}.test.ts`);
    writeFileSync(file, `import { test } from "node:test";\n${body}\n`);
    return file;
  });
  const { status, stdout } = spawnSync(process.execPath, [runner, ...(input.args ?? []), ...files], {
    encoding: "utf8",
    env: { ...process.env, ...input.env },
  });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("services run on a Citus cluster where that is asked for and one is named", () => {
  const body = `import assert from "node:assert/strict";
    test("a", () => assert.equal(process.env["KCS_TEST_DATABASE"], "citus"));`;
  const args = ["--citus"];
  assert.equal(runWith({ args, env: { CITUS_URL: "postgres://127.0.0.1:1/none" } }, [body]).status, 0);
  const without = runWith({ args, env: { CITUS_URL: undefined } }, [body]);
  assert.match(without.lines.join("\n"), /CITUS_URL names no cluster/);
  assert.equal(without.status, 1);
});

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

test("the end of the output says again what failed", () => {
  const { lines } = runTests(
    `test("a", () => { throw new Error("first reason"); });`,
    `test("b", () => {});`,
  );
  const end = lines.slice(lines.findIndex((line) => line.startsWith("unit: ")));
  assert.match(end.join("\n"), /planted-0\.test\.ts: a\n +Error: first reason/);
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

test("a file that ends its process fails, and the files after it run in another one", () => {
  const { status, lines } = runTests(`test("a", () => process.exit(0));`, `test("b", () => {});`);
  assert.match(lines.join("\n"), /the file itself\n.*its process ended with code 0/);
  assert.equal(lines.at(-1), "1 passed, 1 failed");
  assert.equal(status, 1);
});

test("an error that is thrown after its test has ended fails the run", () => {
  const { status, lines } = runTests(
    `test("a", () => { setTimeout(() => { throw new Error("too late"); }, 20); });`,
    `test("b", () => new Promise((resolve) => setTimeout(resolve, 200)));`,
  );
  assert.match(lines.join("\n"), /too late/);
  assert.equal(status, 1);
});

test("the hooks of a file are not those of the next file of its process", () => {
  const { status, lines } = runTests(
    `import { afterEach } from "node:test"; afterEach(() => { throw new Error("hook"); }); test("a", () => {});`,
    `test("b", () => {});`,
  );
  assert.equal(lines.at(-1), "1 passed, 1 failed");
  assert.equal(status, 1);
});

test("a change reaches the tests that import the changed file, directly or through others", () => {
  const repository = mkdtempSync(join(tmpdir(), "kcs-changed-"));
  const write = (name: string, text: string) => writeFileSync(join(repository, name), text);
  const git = (...args: string[]) => spawnSync("git", ["-C", repository, ...args]);
  git("init", "--quiet");
  write("deep.ts", "export const deep = 1;");
  write("middle.ts", `export { deep } from "./deep.ts";`);
  write("far.test.ts", `import { deep } from "./middle.ts"; void deep;`);
  write("data.test.ts", `readFileSync("table.json");`);
  write("other.test.ts", "export {};");
  write("table.json", "{}");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@mail.example", "commit", "--quiet", "--message=first");
  const tests = ["far.test.ts", "data.test.ts", "other.test.ts"].map((name) => join(repository, name));
  const affected = () =>
    [...affectedTests(repository, "HEAD", tests)].map((path) => relative(repository, path));
  assert.deepEqual(affected(), []);
  write("deep.ts", "export const deep = 2;");
  assert.deepEqual(affected(), ["far.test.ts"]);
  write("table.json", "[]");
  assert.deepEqual(affected(), ["far.test.ts", "data.test.ts"]);
  write("package.json", "{}");
  assert.deepEqual(affected(), ["far.test.ts", "data.test.ts", "other.test.ts"]);
  rmSync(repository, { recursive: true });
});

test("a path without test files fails the run", () => {
  const nowhere = join(folder, "nowhere");
  const { status, stdout } = spawnSync(process.execPath, [runner, nowhere], { encoding: "utf8" });
  assert.match(stdout, /No test file/);
  assert.equal(stdout.trimEnd().split("\n").at(-1), "0 passed, 0 failed");
  assert.equal(status, 1);
});
