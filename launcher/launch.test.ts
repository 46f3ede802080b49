import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";

const launcher = resolve(import.meta.dirname, "launch.mjs");
const folder = mkdtempSync(join(tmpdir(), "kcs-launcher-"));
after(() => rmSync(folder, { recursive: true }));

/** Node options that make it report an old version, so that the launcher has to start a child process. */
const asOldNode = [
  "--import",
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})",
];
const launchModes: readonly (readonly [name: string, options: readonly string[]])[] = [
  ["in its own process", []],
  ["in a child process", asOldNode],
];

/** Prints its process id and its arguments, prints "drained" 50 ms after the first signal, then exits with 7. */
const script = join(folder, "script.ts");
writeFileSync(
  script,
  `const answer: number = 7;
   const keepAlive = setInterval(() => {}, 1000);
   let stopping = false;
   for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
     process.on(signal, () => {
       if (stopping) return;
       stopping = true;
       console.log(signal);
       setTimeout(() => { console.log("drained"); clearInterval(keepAlive); process.exitCode = answer; }, 50);
     });
   }
   console.log(process.pid, process.argv.slice(2).join(" "));`,
);

interface Launched {
  readonly launcher: ChildProcess;
  readonly scriptPid: number;
  readonly lines: AsyncIterator<string>;
}

async function start(options: readonly string[], ...args: readonly string[]): Promise<Launched> {
  const child = spawn(process.execPath, [...options, launcher, script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = await lines.next();
  assert.equal(first.value?.replace(/^\d+ /, ""), args.join(" "));
  return { launcher: child, scriptPid: Number.parseInt(first.value ?? "", 10), lines };
}

for (const [mode, options] of launchModes) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    test(`${mode} a script receives ${signal}, may drain, and its exit code is the launcher's`, async () => {
      const { launcher, lines } = await start(options, "serve", "--x");
      const exit = once(launcher, "exit");
      launcher.kill(signal);
      assert.equal((await lines.next()).value, signal);
      assert.equal((await lines.next()).value, "drained");
      assert.deepEqual(await exit, [7, null]);
    });
  }

  test(`the launcher ends by the signal that ended a script ${mode}`, async () => {
    const { launcher, scriptPid } = await start(options, "serve");
    const exit = once(launcher, "exit");
    process.kill(scriptPid, "SIGKILL");
    assert.deepEqual(await exit, [null, "SIGKILL"]);
  });

  test(`the exit code of a script that fails ${mode} is the launcher's`, () => {
    const failing = join(folder, "failing.ts");
    writeFileSync(failing, "process.exitCode = 3;");
    assert.equal(spawnSync(process.execPath, [...options, launcher, failing]).status, 3);
  });
}

test("a script in a child process stops when its launcher is killed", async () => {
  const { launcher, lines } = await start(asOldNode, "serve");
  launcher.kill("SIGKILL");
  assert.equal((await lines.next()).value, "SIGTERM");
  assert.equal((await lines.next()).value, "drained");
});

test("without a Node that can run the service one sentence says what to install", () => {
  const isolated = join(folder, "launch.mjs");
  copyFileSync(launcher, isolated);
  const args = [...asOldNode, isolated, script];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /^This service needs Node 24 or later.*install Node 24 or later from .*\n$/);
});

test("without a script the usage is shown", () => {
  const { status, stderr } = spawnSync(process.execPath, [launcher], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /Usage/);
});
