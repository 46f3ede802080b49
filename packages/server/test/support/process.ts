/** The service as a process of its own, which a test can kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "./http-client.ts";
import { waitFor } from "./ingestion.ts";
import { environmentOf, type Home } from "./service.ts";

export interface Ended {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output and standard error together. */
  readonly output: string;
  readonly afterMs: number;
}

export interface ServiceProcess {
  readonly owner: Client;
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  /** The first lines on standard output. */
  readonly welcome: string;
}

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const START_LIMIT_MS = 180_000;

/** Resolves when the service is ready. `main`: the file that starts it. */
export async function startProcess(
  home: Home,
  env: Readonly<Record<string, string>> = {},
  main: string = MAIN,
): Promise<ServiceProcess> {
  const run = launch({ ...environmentOf(home), ...env }, main);
  const owner = createClient(await run.address, home.ownerKey);
  await waitFor("readiness", async () => ((await owner.root("GET", "/ready")).status === 200 ? true : null));
  return {
    owner,
    welcome: run.output(),
    signal: (signal) => void run.child.kill(signal),
    async end(signal) {
      owner.close();
      const began = performance.now();
      run.child.kill(signal);
      return { ...(await run.ended), afterMs: performance.now() - began };
    },
  };
}

/** Runs a service that is expected to end by itself; one that starts instead is ended. */
export function runToEnd(
  env: Readonly<Record<string, string>>,
  signal: NodeJS.Signals = "SIGKILL",
): Promise<Ended> {
  const run = launch(env);
  run.address.then(
    () => run.child.kill(signal),
    () => undefined, // It ended, as expected.
  );
  return run.ended;
}

function launch(env: Readonly<Record<string, string>>, main = MAIN) {
  const own = ["PATH", "HOME", "TMPDIR", "SystemRoot", "NODE_COMPILE_CACHE"].map(
    (name) => [name, process.env[name]] as const,
  );
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "serve"], {
    env: { ...Object.fromEntries(own.filter(([, value]) => value !== undefined)), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const began = performance.now();
  let output = "";
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) =>
      resolve({ code, signal, output, afterMs: performance.now() - began }),
    );
  });
  child.stderr.on("data", (part: Buffer) => {
    output += part.toString();
  });
  const address = addressOf(child, ended, (part) => {
    output += part;
  });
  return { child, ended, address, output: () => output };
}

/** The address that the service prints once it listens. */
function addressOf(
  child: ChildProcess,
  ended: Promise<Ended>,
  record: (part: string) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The service did not listen within ${START_LIMIT_MS} ms.`));
    }, START_LIMIT_MS);
    child.stdout?.on("data", (part: Buffer) => {
      record(part.toString());
      printed += part.toString();
      const address = /listens on (\S+)/.exec(printed)?.[1];
      if (address === undefined) return;
      clearTimeout(limit);
      resolve(address);
    });
    void ended.then(({ code, output }) => {
      clearTimeout(limit);
      reject(new Error(`The service ended with code ${code}: ${output}`));
    });
  });
}
