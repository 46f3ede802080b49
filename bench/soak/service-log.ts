/** What the service wrote to its log in all its lives. */
import { readFile } from "node:fs/promises";
import type { Tally } from "./tally.ts";

/** Counts warnings and errors by event; an error is a violation, as nothing in a run gives cause for one. */
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

/** null for a line that a kill cut or that is no JSON. */
function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>; // Every line of the service's log is an object.
  } catch {
    return null;
  }
}
