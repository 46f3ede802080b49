/** Input and output of the command line, which tests replace. */
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { UsageError } from "./exit-codes.ts";

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Writes results. Resolves when more may be written; to false when nobody reads them any more, as in `kcs … | head`. */
  out(text: string | Uint8Array): Promise<boolean>;
  /** Writes progress, prompts and errors. */
  err(text: string): void;
  /** The terminal that results go to; null for a pipe or a file. */
  readonly outTerminal: Terminal | null;
  readonly errTerminal: Terminal | null;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Terminal {
  readonly columns: number;
  readonly hasColour: boolean;
}

export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr } = process;
  const env = process.env;
  return {
    env,
    stdin,
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error && !isClosedPipe(error)) reject(error);
          else resolve(!error);
        });
      }),
    err(text) {
      try {
        stderr.write(text);
      } catch {
        // A file on a full disk. Nobody can be told.
      }
    },
    outTerminal: terminalOf(stdout, env),
    errTerminal: terminalOf(stderr, env),
    signal,
  };
}

function isClosedPipe(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
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

/** Reads standard input to its end. @throws Error when it has more than `maxBytes` */
export async function readAll(stdin: Readable, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    const buffer = Buffer.from(part as Uint8Array); // A stream without an encoding yields bytes.
    bytes += buffer.length;
    if (bytes > maxBytes) throw new Error(`Standard input has more than ${maxBytes} bytes.`);
    parts.push(buffer);
  }
  return decode(Buffer.concat(parts), "Standard input");
}

/** Reads a file without a byte order mark, which editors put before UTF-8. @throws UsageError when it cannot be read or is not UTF-8 */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read (${reason})`);
  });
  return decode(bytes, path);
}

/** @throws UsageError for bytes that are no UTF-8: what stands in their place would be sent as if it were the text */
function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${what} is not text in UTF-8`);
  }
}

/** The file that an option names; undefined: standard output, for which `-` stands, too. */
export function fileNamed(out: string | undefined): string | undefined {
  return out === "-" ? undefined : out;
}
