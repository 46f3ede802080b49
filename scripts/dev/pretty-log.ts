/** The service's log in readable form: a line for each entry, followed by the stacks of its errors. */
import { stripVTControlCharacters, styleText } from "node:util";

type Entry = Readonly<Record<string, unknown>>;

const colours = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

/** A line of the log as the service wrote it, without its line break. Anything but an entry stays as it is. */
export function prettyLine(line: string, options: { readonly hasColours: boolean }): string {
  const entry = parseEntry(line);
  if (entry === null) return line;
  const { level, time, msg, ...fields } = entry;
  const colour = colours[String(level) as keyof typeof colours] ?? "white"; // An unknown level has no colour.
  const head = [
    styled("gray", timeOfDay(String(time))),
    styled(colour, String(level).toUpperCase().padEnd(5)),
  ];
  head.push(styled("bold", String(msg)));
  let stacks = "";
  for (const [name, value] of Object.entries(fields)) {
    const stack = stackOf(value);
    if (stack === null) head.push(`${styled("gray", `${name}=`)}${plainValue(value)}`);
    else stacks += `\n  ${name}: ${stack.replaceAll("\n", "\n  ")}`;
  }
  const text = `${head.join(" ")}${stacks}`;
  return options.hasColours ? text : stripVTControlCharacters(text);
}

/** Whole lines out of the parts in which a stream delivers them. `end` takes the rest, which has no line break. */
export function createLineSplitter(take: (line: string) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  return {
    write(part: Buffer): void {
      const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
    },
    end(): void {
      if (rest !== "") take(rest);
      rest = "";
    },
  };
}

function parseEntry(line: string): Entry | null {
  if (!line.startsWith("{")) return null;
  try {
    const entry = JSON.parse(line) as Entry; // Text that begins with { is an object where it is JSON.
    return typeof entry["msg"] === "string" && typeof entry["level"] === "string" ? entry : null;
  } catch {
    return null;
  }
}

function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { validateStream: false });
}

/** 2031-04-09T10:11:12.131Z → the local 12:11:12.131 */
function timeOfDay(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const milliseconds = String(date.getMilliseconds()).padStart(3, "0");
  return `${date.toTimeString().slice(0, 8)}.${milliseconds}`;
}

function plainValue(value: unknown): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** The stack of an error and of its causes, as `log.ts` writes them; null for any other value. */
function stackOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("stack" in value)) return null;
  const cause = "cause" in value ? stackOf(value.cause) : null;
  return cause === null ? String(value.stack) : `${String(value.stack)}\ncaused by: ${cause}`;
}
