/** The service in a process of its own, which is started again when its sources change. */
import { spawn } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";

export interface ServiceProcess {
  /** Resolves when the service listens: true, or false when it ended instead. */
  whenListening(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface ServiceProcessOptions {
  /** Arguments of Node. The program writes "listens on" to standard output when it is ready. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly folders: readonly string[];
  readonly onOutput: (part: Buffer) => void;
  readonly onLog: (part: Buffer) => void;
  /** Gets a sentence for the terminal about each restart and each unexpected end. */
  readonly onChange: (message: string) => void;
}

/** Editors save a file in several steps, and a branch is switched file by file. */
const debounceMs = 150;

interface Run {
  /** Asks it to end. */
  stop(): void;
  readonly listening: Promise<boolean>;
  readonly ended: Promise<void>;
}

export function startServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  let run = start(options);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  // One restart after the other: a change during a restart leads to another one.
  let restarts = Promise.resolve();

  const restart = async (name: string) => {
    if (isStopped) return;
    options.onChange(`${name} changed: the service restarts.`);
    run.stop();
    await run.ended;
    if (!isStopped) run = start(options);
  };
  const watchers = options.folders.map((folder) =>
    watchSources(folder, (name) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        restarts = restarts.then(() => restart(name));
      }, debounceMs);
    }),
  );
  return {
    // A pending restart counts, because the old process may still answer.
    whenListening: () => restarts.then(() => run.listening),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      run.stop();
      await restarts;
      await run.ended;
    },
  };
}

function watchSources(folder: string, onChange: (name: string) => void): FSWatcher {
  return watch(folder, { recursive: true }, (_event, name) => {
    if (name !== null && /\.(ts|json)$/.test(name) && !name.endsWith(".test.ts"))
      onChange(join(folder, name));
  });
}

function start({ command, env, onOutput, onLog, onChange }: ServiceProcessOptions): Run {
  // The channel closes when this process dies, however it dies; the launcher then stops the service.
  const child = spawn(process.execPath, command, { env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const listening = new Promise<boolean>((resolve) => {
    let printed = "";
    child.stdout?.on("data", (part: Buffer) => {
      onOutput(part);
      printed = (printed + part.toString()).slice(-1000);
      if (printed.includes("listens on")) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  child.stderr?.on("data", onLog);
  let isStopping = false;
  child.once("exit", (code, signal) => {
    if (!isStopping)
      onChange(`The service ended (${signal ?? `status ${code}`}). It starts again with the next change.`);
  });
  const stop = () => {
    isStopping = true;
    child.kill("SIGTERM");
  };
  return { stop, listening, ended };
}
