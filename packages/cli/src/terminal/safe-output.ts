import type { Io } from "../io.ts";
import { printable, printableExceptStyle } from "./style.ts";

/** Terminals execute no sequence of a document or a service, whatever a command prints. Pipes get results unchanged. */
export function safeForTerminals(io: Io): Io {
  const { outTerminal } = io;
  const decoder = new TextDecoder();
  const safe = (text: string | Uint8Array) =>
    typeof text === "string" ? printableExceptStyle(text) : printable(decoder.decode(text, { stream: true }));
  return {
    ...io,
    out: (text) => io.out(outTerminal === null ? text : safe(text)),
    err: (text) => io.err(printableExceptStyle(text)),
  };
}
