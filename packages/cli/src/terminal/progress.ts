/** Shows the progress of a long operation: a bar on a terminal, a line every few seconds elsewhere. */
import type { Io } from "../io.ts";
import { CLEAR_LINE } from "./style.ts";

export interface State {
  readonly done: number;
  readonly total: number;
  /** Additional text, such as "12 unchanged, 1 failed". */
  readonly note: string;
}

export interface Progress {
  update(state: State): void;
  /** Prints a permanent line. */
  say(text: string): void;
  /** Shows the last state and ends its line. */
  end(): void;
}

const SEPARATOR = " · ";
const BAR_CELLS = 24;
const DRAW_MS = 100;
const LINE_MS = 5_000;
/** The rate covers this window only, so that it follows a service that slows down. */
const WINDOW_MS = 20_000;
const MIN_SPAN_MS = 1_500;

/** @param unit what is counted, in the plural: "documents" */
export function createProgress(
  io: Pick<Io, "err" | "errTerminal">,
  { unit, now = () => performance.now() }: { unit: string; now?: () => number },
): Progress {
  const terminal = io.errTerminal;
  const rate = createRate();
  const beganMs = now();
  let state: State | null = null;
  let drawnMs = Number.NEGATIVE_INFINITY;
  let lastLine = "";

  function draw(): void {
    if (state === null) return;
    drawnMs = now();
    const line = describe(state, { unit, rate: rate.perSecond(now()), elapsedMs: now() - beganMs });
    if (terminal === null) {
      if (line !== lastLine) io.err(`${line}\n`);
    } else io.err(`${CLEAR_LINE}${fitting(`${bar(state)} ${line}`, Math.max(1, terminal.columns - 1))}`);
    lastLine = line;
  }

  return {
    update(next) {
      if (state === null || next.done !== state.done) rate.add(now(), next.done);
      state = next;
      if (now() - drawnMs >= (terminal === null ? LINE_MS : DRAW_MS)) draw();
    },
    say(text) {
      io.err(terminal === null ? `${text}\n` : `${CLEAR_LINE}${text}\n`);
      if (terminal !== null) draw();
    },
    end() {
      draw();
      if (terminal !== null && state !== null) io.err("\n");
    },
  };
}

function bar({ done, total }: State): string {
  const full = total === 0 ? BAR_CELLS : Math.floor((BAR_CELLS * Math.min(done, total)) / total);
  return "█".repeat(full) + "░".repeat(BAR_CELLS - full);
}

function describe(
  { done, total, note }: State,
  { unit, rate, elapsedMs }: { unit: string; rate: number | null; elapsedMs: number },
): string {
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const parts = [`${grouped(done)} of ${grouped(total)} ${unit}`, `${percent} %`];
  if (done >= total) parts.push(duration(elapsedMs / 1000));
  else if (rate !== null && rate > 0) {
    parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
    parts.push(`${duration((total - done) / rate)} left`);
  }
  if (note !== "") parts.push(note);
  return parts.join(SEPARATOR);
}

/** The part of a line that fits into the terminal, cut at a separator if possible. */
function fitting(line: string, columns: number): string {
  const characters = [...line];
  if (characters.length <= columns) return line;
  const cut = characters.slice(0, columns).join("");
  const end = Math.max(cut.lastIndexOf(SEPARATOR), cut.lastIndexOf(", "));
  return end > 0 ? cut.slice(0, end) : cut;
}

/** Units per second in the last `WINDOW_MS`. */
export function createRate() {
  const samples: { readonly atMs: number; readonly done: number }[] = [];
  return {
    add(atMs: number, done: number): void {
      samples.push({ atMs, done });
      while (samples.length > 2 && atMs - (samples[1]?.atMs ?? 0) > WINDOW_MS) samples.shift();
    },
    /** null until `MIN_SPAN_MS` has passed. Falls while nothing is done. */
    perSecond(nowMs: number): number | null {
      const [first, last] = [samples[0], samples.at(-1)];
      if (first === undefined || last === undefined || nowMs - first.atMs < MIN_SPAN_MS) return null;
      return ((last.done - first.done) * 1000) / (nowMs - first.atMs);
    },
  };
}

/** Formats 4096 as "4,096". */
export function grouped(count: number): string {
  return count.toLocaleString("en");
}

/** "1 chunk", "4,096 chunks" */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "42 s", "3 min 5 s", "2 h 10 min" */
export function duration(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
  return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`;
}
