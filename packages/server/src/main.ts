/**
 * The command: serve | migrate | reset-link | processes | doctor | export | import | models. Signals and the graceful stop.
 * Each command's code is loaded when it is known which one runs, and that of the service only by the process that stays.
 */
import { makeDataDirectory } from "./adapters/database/data-directory.ts";
import type { RunningService } from "./compose.ts";
import { loadConfig } from "./config.ts";
import { modelDirOf } from "./configured-models.ts";
import { cutOff } from "./cut-off.ts";
import { createLog } from "./log.ts";
import type { Log } from "./ports/log.ts";
import { restartWithFewArenas } from "./process-environment.ts";
import { watchMemory } from "./rpc/thread-memory.ts";
import { startFault } from "./start-fault.ts";

const COMMANDS = ["serve", "migrate", "reset-link", "processes", "doctor"] as const;
type Command = (typeof COMMANDS)[number];

/** Long enough for a load balancer to notice. */
const DRAIN_SECONDS = 5;
/** A stop that takes longer is cut off: with the default drain ten seconds after the signal, otherwise so long after the drain at least. */
const STOP_LIMIT_MS = 9_000;
const AFTER_DRAIN_MS = 4_000;

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "models") return models(args.slice(1));
  const [name, file, ...more] = args;
  if ((name === "export" || name === "import") && isFileName(file) && more.length === 0)
    return transfer(name, file);
  const command = COMMANDS.find((known) => known === (args[0] ?? "serve"));
  if (command === undefined || args.length > 1) {
    process.stderr.write(`Usage: kcs-server ${COMMANDS.join(" | ")} | export FILE | import FILE | models\n`);
    process.exitCode = 2;
    return;
  }
  try {
    const config = loadConfig();
    await run(command, config, createLog(config.logLevel));
  } catch (error) {
    process.stderr.write(`${startFault(error, command)}\n`);
    process.exitCode = 1;
  }
}

/** Not an option that somebody tries: "--help". A "-" alone is the standard stream. */
function isFileName(word: string | undefined): word is string {
  return word !== undefined && (word === "-" || !word.startsWith("-"));
}

async function run(command: Command, config: ReturnType<typeof loadConfig>, log: Log): Promise<void> {
  if (command === "serve") return serve(config, log);
  if (command === "doctor") {
    const { examine } = await import("./doctor-command.ts");
    const { isWell, text } = await examine(config);
    process.stdout.write(`${text}\n`);
    if (!isWell) process.exitCode = 1;
    return;
  }
  const { describeProcesses, makeResetLink, migrateDatabase } = await import("./commands.ts");
  if (command === "migrate") return migrateDatabase(config, log);
  const told = command === "reset-link" ? makeResetLink(config, log) : describeProcesses(config);
  process.stdout.write(`${await told}\n`);
}

async function serve(config: ReturnType<typeof loadConfig>, log: Log): Promise<void> {
  // Otherwise Node creates it for its compiled code, and does not return if it cannot.
  makeDataDirectory(config.dataDir);
  restartWithFewArenas(config);
  const print = (text: string) => void process.stdout.write(text);
  const starting = import("./compose.ts").then(({ composeService }) =>
    composeService(config, { log, print }),
  );
  // Before the service prints that it listens: a supervisor that reads it may send a signal at once.
  stopOnSignals(starting, {
    log,
    drainSeconds: config.drainSeconds ?? (process.stdout.isTTY ? 0 : DRAIN_SECONDS),
  });
  await starting;
  watchMemory("main");
}

async function transfer(command: "export" | "import", file: string): Promise<void> {
  const { runExport, runImport } = await import("./transfer-commands.ts");
  try {
    const config = loadConfig();
    const said =
      command === "export" ? runExport(file, config) : runImport(file, config, createLog(config.logLevel));
    process.stderr.write(`${await said}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

async function models(args: readonly string[]): Promise<void> {
  const { runModelsCommand } = await import("./models-command.ts");
  try {
    const isTerminal = process.stderr.isTTY === true;
    process.stdout.once("error", () => process.exit()); // The reader of a pipe has seen enough.
    const config = loadConfig();
    const { modelsDir, modelsDevice, hub, extraction } = config;
    process.exitCode = await runModelsCommand(
      args,
      { modelsDir, modelsDevice, hub, extraction, bundledDir: modelDirOf(config) },
      {
        print: (text) => void process.stdout.write(text),
        progress: (text) => void process.stderr.write(isTerminal ? `\r\x1b[K${text}` : `${text}\n`),
      },
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** SIGTERM lets load balancers notice first; an interrupt, or a second signal, begins the stop at once. */
function stopOnSignals(
  starting: Promise<RunningService>,
  { log, drainSeconds }: { readonly log: Log; readonly drainSeconds: number },
): void {
  let askedAt: number | null = null;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    const drainedMs = performance.now() - (askedAt ?? 0);
    const limitMs = Math.max(AFTER_DRAIN_MS, STOP_LIMIT_MS - drainedMs);
    setTimeout(() => cutOff(log, limitMs), limitMs).unref();
    const stopped = starting.then(async (service) => {
      await service.stop();
      return service.hasStuckThreads();
    });
    stopped.then(
      (hasStuckThreads) => (hasStuckThreads ? cutOff(log, 0) : process.exit(0)),
      (error: unknown) => {
        log.error("stop_failed", { error });
        process.exit(1);
      },
    );
  };
  const onSignal = (reason: "SIGTERM" | "SIGINT") => {
    if (askedAt !== null) return stop();
    const waitMs = reason === "SIGTERM" ? drainSeconds * 1000 : 0;
    log.info("stopping", { reason, drainSeconds: waitMs / 1000 });
    const drain = setTimeout(stop, waitMs);
    askedAt = performance.now();
    starting.then(
      (service) => service.beginStop(),
      () => clearTimeout(drain),
    );
    if (waitMs === 0) stop();
  };
  process.on("SIGTERM", () => onSignal("SIGTERM"));
  process.on("SIGINT", () => onSignal("SIGINT"));
}

await main(process.argv.slice(2));
