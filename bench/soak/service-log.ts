/** Reads the log of all processes of a run. */
import { readFile } from "node:fs/promises";
import type { Tally } from "./tally.ts";

/** Counts warnings and errors by event. An error is a violation, because nothing in a run should cause one. */
export async function readLog(file: string, tally: Tally): Promise<Readonly<Record<string, number>>> {
  const events: Record<string, number> = {};
  for (const line of (await readFile(file, "utf8")).split("\n")) {
    if (line.trim() === "") continue;
    const entry = parse(line);
    const level = String(entry?.["level"] ?? "text");
    if (level === "info" || level === "debug") continue;
    const event = `${level} ${String(entry?.["msg"] ?? line.slice(0, 120))}`;
    events[event] = (events[event] ?? 0) + 1;
    if (level !== "warn") tally.violate("log", line.slice(0, 1500));
  }
  return events;
}

/** null for a line that is not JSON or was truncated by a kill. */
function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>; // Every line of the service's log is an object.
  } catch {
    return null;
  }
}
