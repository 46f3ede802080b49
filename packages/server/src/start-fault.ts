import { RESUMES } from "./adapters/database/outage-text.ts";
import { ConfigError } from "./config.ts";

/** Why the service did not start, or another command did not do its work: one or two sentences, without a stack. */
export function startFault(error: unknown, command = "serve"): string {
  const isStart = command === "serve";
  const begins = isStart ? "The service could not start: " : "";
  const again = isStart ? AGAIN : "then try again.";
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : null;
  if (code === "EADDRINUSE") {
    return "The port is in use. Stop the program that listens on it, or choose another port with KCS_PORT.";
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `${begins}${isStart ? "the" : "The"} disk is full (${error.message}). Free some space; ${again}`;
  }
  const cause = error.cause instanceof Error ? error.cause.message : "";
  const isIncluded = cause === "" || error.message.includes(cause);
  // A start that has failed does not resume.
  const message = error.message.replace(RESUMES, again);
  return `${begins}${message}${isIncluded ? "" : ` (${cause})`}`;
}

const AGAIN = "then start the service again. Nothing that was accepted is lost.";
