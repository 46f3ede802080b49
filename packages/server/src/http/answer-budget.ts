/** Bounds the memory of all answers that their clients have not taken yet. */
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";
import { createTurns } from "../domain/turns.ts";
import { createAccountSlots } from "../services/account-slots.ts";
import { chooseCoding } from "./etag-and-compression.ts";
import { LongJson, PIECE_BYTES } from "./long-json.ts";

export interface AnswerBudget {
  /** Of all answers together, and of those of one account. A single answer is always admitted. */
  readonly totalBytes: number;
  readonly accountBytes: number;
  /** Answers up to this size are not counted. */
  readonly freeBytes: number;
  /** What a compressor of a long answer needs at most. */
  readonly compressorBytes: number;
  /** An answer is cut off when none of its pieces is taken in a period, which is longer where a piece would take longer at the rate. */
  readonly slowest: { readonly periodMs: number; readonly bytesPerMs: number };
}

export interface HeldAnswers {
  /** What the counted answers need together. */
  heldBytes(): number;
  /**
   * Counts memory for the reply until it is finished or closed. `isRefusable`: without room it throws; otherwise the oldest
   * answers of the account are cut off.
   * @throws ServiceError `too_many_requests` for the account's share, `unavailable` for all, `abandoned` without a client
   */
  hold(context: Exchange, answer: HeldAnswer): void;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface HeldAnswer {
  readonly bytes: number;
  readonly isRefusable: boolean;
  /** Of the longest piece that is sent at once. */
  readonly pieceBytes: number;
}

const MIB = 1024 * 1024;
export const DEFAULT_ANSWER_BUDGET: AnswerBudget = {
  totalBytes: 256 * MIB,
  accountBytes: 128 * MIB,
  freeBytes: 64 * 1024,
  // Brotli at this quality: a window of 4 MiB, a table, and its output.
  compressorBytes: 8 * MIB,
  slowest: { periodMs: 10_000, bytesPerMs: 8 },
};

/**
 * Reads beyond the share of their account are refused. An answer to a request that may have changed something is not, because
 * its client would repeat what is done: the account's oldest answers are cut off for it. Add it before all hooks that replace
 * answers.
 */
export function addAnswerBudget(
  app: FastifyInstance,
  budget: AnswerBudget = DEFAULT_ANSWER_BUDGET,
): HeldAnswers {
  const { totalBytes, accountBytes, freeBytes, compressorBytes, slowest } = budget;
  const slots = createAccountSlots({
    what: "bytes of answers",
    perAccount: accountBytes,
    total: totalBytes,
    accountIsFull: `At most ${accountBytes / MIB} MiB of answers of an account are held at once. Read them, then try again.`,
    allAreTaken: "Too many answers are held for clients that have not read them. Try again shortly.",
  });
  /** One part is written in each turn of the event loop, and accounts take turns. */
  const turns = createTurns({ atOnce: 1 });
  /** What to do when a response is closed; one listener each, because an answer may be counted in parts. */
  const closersOf = new WeakMap<ServerResponse, (() => void)[]>();

  function onClose({ raw }: FastifyReply, closer: () => void): void {
    const closers = closersOf.get(raw);
    if (closers !== undefined) return void closers.push(closer);
    const added = [closer];
    closersOf.set(raw, added);
    raw.once("close", () => {
      for (const each of added) each();
    });
  }

  function hold({ request, reply }: Exchange, { bytes, isRefusable, pieceBytes }: HeldAnswer): void {
    const { raw } = reply;
    if (raw.destroyed || raw.closed) throw errors.abandoned();
    const holder = holderOf(request);
    const cutOff = () => void raw.destroy();
    const release = isRefusable
      ? slots.take(holder, cutOff, bytes)
      : slots.takeInPlace(holder, cutOff, bytes);
    if (!closersOf.has(raw)) onClose(reply, cutOffUnread(reply, periodOf(pieceBytes, slowest)));
    onClose(reply, release);
  }

  app.addHook("onSend", async (request, reply, payload: unknown) => {
    const bytes = bytesOf(payload);
    if (bytes <= freeBytes) return payload;
    const isRefusable = request.method === "GET" || request.method === "HEAD";
    if (!(payload instanceof LongJson)) {
      hold({ request, reply }, { bytes, isRefusable, pieceBytes: bytes });
      return payload;
    }
    const isCompressed = chooseCoding(request.headers["accept-encoding"]) !== null;
    const allBytes = bytes + (isCompressed ? compressorBytes : 0);
    hold({ request, reply }, { bytes: allBytes, isRefusable, pieceBytes: PIECE_BYTES });
    onClose(reply, () => payload.destroy());
    const place = { accountId: holderOf(request), signal: null };
    payload.takeTurns(() => turns.run(() => nextTurn(), place));
    return payload;
  });
  return { heldBytes: () => slots.taken, hold };
}

/** Strangers count by their address. */
function holderOf({ caller, raw }: FastifyRequest): string {
  return caller?.accountId ?? `address ${raw.socket.remoteAddress ?? ""}`;
}

function bytesOf(payload: unknown): number {
  if (payload instanceof LongJson) return payload.heldBytes;
  if (typeof payload === "string") return 2 * payload.length;
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

/** Long enough for one piece. */
function periodOf(pieceBytes: number, { periodMs, bytesPerMs }: AnswerBudget["slowest"]): number {
  return Math.max(periodMs, pieceBytes / bytesPerMs);
}

/** Returns how to stop. While nothing waits to be sent, it is the service that is slow. */
function cutOffUnread({ raw, request }: FastifyReply, periodMs: number): () => void {
  const { socket } = request.raw;
  const taken = () => socket.bytesWritten - socket.writableLength;
  let last = taken();
  const timer = setInterval(() => {
    const now = taken();
    if (socket.writableLength > 0 && now === last) raw.destroy();
    last = now;
  }, periodMs);
  return () => clearInterval(timer);
}
