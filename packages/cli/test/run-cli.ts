/** The command line in this process, with its input and output in memory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after } from "node:test";
import type { Terminal } from "../src/io.ts";
import { run } from "../src/run.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** Of both outputs; null for pipes. */
  readonly terminal?: Terminal | null;
  readonly signal?: AbortSignal;
  /** Called with what is written to the second output. */
  readonly onErr?: (text: string) => void;
}

export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let out = "";
  let err = "";
  const { env = {}, stdin = "", terminal = null, signal = new AbortController().signal } = options;
  const code = await run(args, {
    env,
    stdin: Readable.from([Buffer.from(stdin)]),
    async out(text) {
      out += typeof text === "string" ? text : Buffer.from(text).toString();
      return true;
    },
    err(text) {
      err += text;
      options.onErr?.(text);
    },
    outTerminal: terminal,
    errTerminal: terminal,
    signal,
  });
  return { code, out, err };
}

/** A folder of its own for each call, gone after the tests. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kcs-cli-"));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
