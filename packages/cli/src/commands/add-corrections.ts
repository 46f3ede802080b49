/** Sends corrections from a file, and says of which lines they are made when not all of them are. */
import { ApiError, BadRequestError, ConflictError, type CreateCorrections, ServerError } from "@kcs/sdk";
import { type Context, onlyPositional } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-codes.ts";
import { readAll, readTextFile } from "../io.ts";
import { counted } from "../terminal/progress.ts";

/** As many as a request may have. */
const BATCH = 100;
/** The service limits the names of a request. */
const BATCH_CHARACTERS = 100_000;
const MAX_LINE = 10_000_000;
const MAX_STDIN_BYTES = 64 * 1024 * 1024;

interface Line {
  /** In the file, from 1. */
  readonly number: number;
  readonly text: string;
}

type Given = CreateCorrections["corrections"][number];

/** Lines of JSON, as `export` writes them, in their order, each request whole or not at all. */
export async function addCorrections(context: Context): Promise<ExitCode> {
  const { io, options } = context;
  const path = onlyPositional(
    context.positionals,
    "the file with corrections as JSON Lines, or - for standard input",
  );
  const from = options.integer("from", { min: 1, max: MAX_LINE, fallback: 1 });
  const content = path === "-" ? await readAll(io.stdin, MAX_STDIN_BYTES) : await readTextFile(path);
  const lines = content
    .split("\n")
    .map((text, at): Line => ({ number: at + 1, text }))
    .filter(({ number, text }) => number >= from && text.trim() !== "");
  const batches = batchesOf(lines).map((batch) => ({ batch, corrections: batch.map(parseLine) }));
  let made = 0;
  for (const { batch, corrections } of batches) {
    try {
      await context.client().corrections.create(context.projectId(), corrections, { signal: io.signal });
    } catch (error) {
      io.err(whatIsMade({ made, batch, isKnown: isRefusal(error) }));
      throw inLines(error, batch);
    }
    made += batch.length;
  }
  io.err(`Made ${counted(made, "correction")}.\n`);
  return EXIT.ok;
}

function batchesOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const batches: Line[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const { length } = line.text;
    const last = batches.at(-1);
    if (last === undefined || last.length === BATCH || characters + length > BATCH_CHARACTERS) {
      batches.push([line]);
      characters = length;
    } else {
      last.push(line);
      characters += length;
    }
  }
  return batches;
}

function parseLine({ number, text }: Line): Given {
  try {
    return JSON.parse(text) as Given; // The service checks it.
  } catch {
    throw new UsageError(`line ${number} is not valid JSON, expected a correction in each line`);
  }
}

/** Whether the service has said that it made nothing. Another request with the same key may be at work still: that of a connection that was lost. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ConflictError && error.retryAfterSeconds !== null) return false;
  if (!(error instanceof ApiError) || error.requestId === null || error instanceof ServerError) return false;
  // After a lost answer the service looks for what was made only when the key, the project and the rate are right.
  return !error.mayBeDone || error instanceof BadRequestError;
}

/** What is made would be made a second time if the whole file were sent again. */
function whatIsMade(input: {
  readonly made: number;
  readonly batch: readonly Line[];
  /** Whether the service has said that it made none of the batch. */
  readonly isKnown: boolean;
}): string {
  const { made, batch, isKnown } = input;
  const first = batch[0]?.number ?? 1;
  const before = made === 0 ? "" : `Made ${counted(made, "correction")}, of the lines before line ${first}. `;
  const rest = isKnown
    ? `None is made from line ${first} on.`
    : `Whether those of lines ${first} to ${batch.at(-1)?.number ?? first} are made is not known: see kcs corrections list. None is made of later lines.`;
  return `${before}${rest}${made === 0 || !isKnown ? "" : ` Then go on with --from ${first}.`}\n`;
}

/** The service counts within a request. */
function inLines(error: unknown, batch: readonly Line[]): unknown {
  if (!(error instanceof BadRequestError)) return error;
  const { status, requestId, retryAfterSeconds } = error;
  const detail = error.detail.replace(
    /\bcorrections\[(\d{1,9})\]/g,
    (place, at) => `line ${batch[Number(at)]?.number ?? place}`,
  );
  return new BadRequestError({ status, detail, requestId, retryAfterSeconds });
}
