/**
 * Bounds the events of a streamed reply before the library parses them: each is parsed and checked in one turn of the event loop.
 * Passes on nothing but their data, since the library reads nothing else.
 */
import { countJsonValues } from "../../../domain/json-size.ts";
import { ProviderFault } from "./provider-fault.ts";

export interface EventLimits {
  readonly eventBytes: number;
  /** Values of an event's data in JSON. */
  readonly eventValues: number;
}

const LF = 0x0a;
const CR = 0x0d;
const DATA = Buffer.from("data:");
const BYTE_ORDER_MARK = Buffer.from("\u{feff}");

/** Reads server-sent events (HTML standard, section 9.2.6); the last one counts only if a blank line ends it, as there. */
export function createReadEvents(limits: EventLimits): TransformStream<Uint8Array, Uint8Array> {
  const lines = createLines(limits.eventBytes);
  let data: Buffer[] = [];
  let length = 0;

  function readLine(line: Buffer, events: Buffer[]): void {
    if (line.length === 0 && data.length > 0) {
      events.push(checkedEvent(data, limits.eventValues));
      [data, length] = [[], 0];
    } else if (line.subarray(0, DATA.length).equals(DATA)) {
      data.push(line.subarray(DATA.length));
      length += line.length;
      if (length > limits.eventBytes) throw tooLong(limits.eventBytes);
    }
  }

  return new TransformStream({
    transform(part, controller) {
      const events: Buffer[] = [];
      for (const line of lines.split(part)) readLine(line, events);
      if (events.length > 0) controller.enqueue(new Uint8Array(Buffer.concat(events)));
    },
  });
}

/** @throws ProviderFault */
function checkedEvent(data: readonly Buffer[], maxValues: number): Buffer {
  const values = countJsonValues(Buffer.concat(data), maxValues);
  if (values === null || values > maxValues)
    throw new ProviderFault("refused", "an event of its reply has too many values or levels");
  return Buffer.concat([...data.flatMap((line) => [DATA, line, Buffer.of(LF)]), Buffer.of(LF)]);
}

/** Splits what arrives into lines, which end with LF, CR or both. */
function createLines(maxBytes: number) {
  /** The beginning of a line that has not ended. */
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let isFirst = true;
  let mayHaveLineFeed = false;

  function lineUpTo(rest: Uint8Array): Buffer {
    const line = Buffer.concat([...held, rest]);
    [held, heldBytes] = [[], 0];
    const hasMark = isFirst && line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    isFirst = false;
    return hasMark ? line.subarray(BYTE_ORDER_MARK.length) : line;
  }

  return {
    /** @throws ProviderFault for a line that is too long */
    *split(part: Uint8Array): Generator<Buffer> {
      let from = 0;
      for (let at = 0; at < part.length; at++) {
        const byte = part[at];
        const isSecondOfEnd = byte === LF && mayHaveLineFeed;
        mayHaveLineFeed = byte === CR;
        if (byte !== LF && byte !== CR) continue;
        if (!isSecondOfEnd) yield lineUpTo(part.subarray(from, at));
        from = at + 1;
      }
      if (from === part.length) return;
      held.push(part.slice(from));
      heldBytes += part.length - from;
      if (heldBytes > maxBytes) throw tooLong(maxBytes);
    },
  };
}

function tooLong(maxBytes: number): ProviderFault {
  return new ProviderFault("refused", `an event of its reply is longer than ${maxBytes} bytes`);
}
