/** Starts a process for one conversion and ends it when it takes too much time or memory. */
import { type ChildProcess, fork, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { ConvertRequest } from "./convert-process.ts";
import { type ConvertReply, readReply } from "./convert-reply.ts";
import { tooLong } from "./markdown.ts";

export interface ProcessLimits {
  /** Of processor time, all threads together; on Linux only. A process that waits for its turn on a busy machine uses none. */
  readonly processorMs: number;
  /** From the start, by the clock. */
  readonly timeMs: number;
  /** A file with pictures in which text is recognised has so many times as long. */
  readonly recognition: number;
  /** Of the JavaScript heap. */
  readonly heapBytes: number;
  /** Of the whole process, as the system counts it; on Linux only. */
  readonly residentBytes: number;
}

export interface ProcessRequest extends ConvertRequest {
  /** The only one that the process may write to. */
  readonly folder: string;
  /** File that the process runs; tests try its rights with another one. */
  readonly entry?: string;
}

type Outcome = Exclude<
  ConvertReply,
  { readonly kind: "ready" | "recognising" | "drawings" | "unreadable" | "fault" }
>;
type Reason = "processor" | "time" | "memory" | "aborted";

const PROCESS = fileURLToPath(new URL("./convert-process.ts", import.meta.url));
/** With the sources and the packages that the process loads. */
const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const CHECK_MS = 50;
/** That of the script, and now and then those that collect garbage. */
const MAX_BUSY_THREADS = 2;
/** Not on Windows, nor in an image with nothing but Node. */
const HAS_SHELL = existsSync("/bin/sh") && existsSync("/usr/bin/env");
/** For `sh`: replaces the shell by the command, with so many seconds of the processor, and of its environment only the channel to here. */
const LIMITED = 'ulimit -t "$1"; shift; exec /usr/bin/env -i NODE_CHANNEL_FD="$NODE_CHANNEL_FD" "$@"';
const MIB = 1024 * 1024;
/** The unit of times in `/proc`, on every architecture. */
const TICK_MS = 10;

/** @throws UnreadableFile; the signal's reason; an Error when the process could not do its work for no fault of the file */
export async function convertInProcess(
  request: ProcessRequest,
  limits: ProcessLimits,
  signal: AbortSignal,
): Promise<Outcome> {
  const first = await runOnce(request, limits, signal);
  const without = { ...request, input: { ...request.input, isWithoutDrawings: true } };
  const { told, ...ended } = first.told?.kind === "drawings" ? await runOnce(without, limits, signal) : first;
  const outcome = outcomeOf(told, { ...ended, limits });
  if (outcome.kind === "text") await requireShort(request);
  return outcome;
}

/** What the process told last. */
async function runOnce(
  request: ProcessRequest,
  limits: ProcessLimits,
  signal: AbortSignal,
): Promise<{ readonly told: ConvertReply | null } & Pick<End, "reason" | "end">> {
  signal.throwIfAborted();
  const child = startProcess(request, limits);
  let reply: ConvertReply | null = null;
  child.on("message", (message) => {
    reply = readReply(message);
    if (reply.kind === "ready") child.send({ input: request.input, textPath: request.textPath });
    if (reply.kind === "recognising") killed.extend();
  });
  const killed = watch(child, limits, signal);
  const end = await endOf(child).finally(killed.stop);
  signal.throwIfAborted();
  // The assignment in the listener is unknown to the compiler.
  return { told: reply as ConvertReply | null, reason: killed.reason(), end };
}

/** The process that wrote the text should have counted it. */
async function requireShort({ textPath, input }: ConvertRequest): Promise<void> {
  const { maxTextBytes } = input.limits;
  if ((await stat(textPath)).size > maxTextBytes) throw tooLong(maxTextBytes);
}

/**
 * Resolves with the signal or the exit code when the process has ended.
 * @throws the system's error when it could not be started
 */
function endOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.on("close", (code, signal) => resolve(signal ?? code));
    child.on("error", (error) => {
      // A send to a process that just ended fails here, too; its end says more.
      if (child.pid === undefined) reject(error);
    });
  });
}

/**
 * The process may read its own code, the data of languages and the file, and write into the folder; nothing else: no other file, no network, no further
 * process, and no variable of the environment, where keys are.
 */
function startProcess(
  { input, folder, entry = PROCESS }: ProcessRequest,
  { heapBytes, processorMs, recognition }: ProcessLimits,
): ChildProcess {
  const read = [
    `${ROOT}package.json`,
    `${ROOT}node_modules/*`,
    `${ROOT}packages/*`,
    input.path,
    ...input.ocrLanguages.map(({ path }) => path),
    `${folder}/*`,
  ];
  const execArgv = [
    "--permission",
    ...read.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${folder}/*`,
    `--max-old-space-size=${Math.ceil(heapBytes / MIB)}`,
  ];
  const options: SpawnOptions = { env: {}, stdio: ["ignore", "ignore", "ignore", "ipc"] };
  if (!HAS_SHELL) return fork(entry, { ...options, execArgv });
  // The system ends a process that loops without end after the service has crashed.
  const cpuSeconds = Math.ceil((MAX_BUSY_THREADS * processorMs * Math.max(1, recognition)) / 1_000);
  const command = [process.execPath, ...execArgv, entry];
  return spawn("/bin/sh", ["-c", LIMITED, "sh", String(cpuSeconds), ...command], options);
}

function watch(child: ChildProcess, limits: ProcessLimits, signal: AbortSignal) {
  let reason: Reason | null = null;
  const kill = (why: Reason) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => kill("aborted");
  signal.addEventListener("abort", abort, { once: true });
  const began = performance.now();
  let times = 1;
  let deadline = setTimeout(() => kill("time"), limits.timeMs);
  const check = setInterval(async () => {
    const use = await useOf(child.pid);
    if (use.residentBytes > limits.residentBytes) kill("memory");
    if (use.processorMs > limits.processorMs * times) kill("processor");
  }, CHECK_MS);
  return {
    reason: () => reason,
    /** Text in pictures is recognised. */
    extend() {
      times = limits.recognition;
      clearTimeout(deadline);
      const end = began + limits.timeMs * times;
      deadline = setTimeout(() => kill("time"), Math.max(0, end - performance.now()));
    },
    stop() {
      clearTimeout(deadline);
      clearInterval(check);
      signal.removeEventListener("abort", abort);
    },
  };
}

/** Zeros where the system does not tell, and when the process has ended. */
async function useOf(
  pid: number | undefined,
): Promise<{ readonly residentBytes: number; readonly processorMs: number }> {
  if (process.platform !== "linux" || pid === undefined) return { residentBytes: 0, processorMs: 0 };
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "");
  const [status, stat] = await Promise.all([read("status"), read("stat")]);
  const [, kilobytes = "0"] = /^VmRSS:\s{0,20}(\d{1,15})/m.exec(status) ?? [];
  // After the name in brackets, which may contain anything: user and system time are fields 14 and 15 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  return { residentBytes: Number(kilobytes) * 1024, processorMs: ticks * TICK_MS };
}

interface End {
  readonly reason: Reason | null;
  /** Exit code or signal. */
  readonly end: unknown;
  readonly limits: ProcessLimits;
}

function outcomeOf(reply: ConvertReply | null, { reason, end, limits }: End): Outcome {
  if (reply === null) throw new Error(`The process that converts files ended with ${end} before it began.`);
  switch (reply.kind) {
    case "text":
    case "archive":
      return reply;
    case "unreadable":
      throw new UnreadableFile(reply.reason);
    case "fault":
      throw Object.assign(new Error(`The file was not converted: ${reply.message}`), { code: reply.code });
    case "ready":
    case "recognising":
    case "drawings":
      if (reason === "processor" || reason === "time") {
        const times = reply.kind === "ready" ? 1 : limits.recognition;
        throw tookTooLong(reason, limits, times);
      }
      // V8 ends a process by SIGABRT when its heap is full, and Linux by SIGKILL when memory is short.
      if (reason === "memory" || end === "SIGABRT" || end === "SIGKILL" || end === 134) {
        throw new UnreadableFile("Reading the file needs more memory than one file may take.");
      }
      throw new UnreadableFile("The file is damaged: the program that read it ended.");
  }
}

function tookTooLong(
  reason: "processor" | "time",
  { processorMs, timeMs }: ProcessLimits,
  times: number,
): UnreadableFile {
  const seconds = Math.round(((reason === "processor" ? processorMs : timeMs) * times) / 1_000);
  return new UnreadableFile(
    reason === "processor"
      ? `Reading the file took more than ${seconds} seconds of processor time.`
      : `Reading the file took longer than ${seconds} seconds.`,
  );
}
