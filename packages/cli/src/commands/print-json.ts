import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** Indented on a terminal, one line in a pipe. */
export async function printJson(io: Io, value: unknown): Promise<ExitCode> {
  await io.out(`${io.outTerminal === null ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`);
  return EXIT.ok;
}
