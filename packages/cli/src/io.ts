/** What the command line reads and writes; tests put their own in its place. */
import type { Readable } from "node:stream";

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For results. Resolves when more may be written. */
  out(text: string | Uint8Array): Promise<void>;
  /** For progress, questions and errors. */
  err(text: string): void;
  /** Whether results go to a terminal, with so many columns. */
  readonly outTerminal: Terminal | null;
  readonly errTerminal: Terminal | null;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Terminal {
  readonly columns: number;
  readonly hasColour: boolean;
}

/** @throws Error with code EPIPE when the reader of the output has gone */
export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr } = process;
  const env = process.env;
  return {
    env,
    stdin,
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    err: (text) => void stderr.write(text),
    outTerminal: terminalOf(stdout, env),
    errTerminal: terminalOf(stderr, env),
    signal,
  };
}

const DEFAULT_COLUMNS = 80;

function terminalOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Io["env"],
): Terminal | null {
  if (stream.isTTY !== true || env["TERM"] === "dumb") return null;
  const noColour = (env["NO_COLOR"] ?? "") !== "";
  return { columns: stream.columns || DEFAULT_COLUMNS, hasColour: !noColour };
}

/** All of standard input as text, at most so many bytes. */
export async function readAll(stdin: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    const buffer = Buffer.from(part as Uint8Array); // A stream without an encoding yields bytes.
    bytes += buffer.length;
    if (bytes > maxBytes) throw new Error(`Standard input has more than ${maxBytes} bytes.`);
    parts.push(buffer);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
}
