/** Sends the answer to a question as events while it is made. */
import type { Readable } from "node:stream";
import { stringifyJson } from "@kcs/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../domain/errors.ts";
import type { AnswerReader, RankedChunk } from "../domain/query.ts";
import type { HeldAnswers } from "./answer-budget.ts";
import type { IsStillAllowed } from "./authenticate.ts";
import { disconnectedSignal } from "./disconnected.ts";
import type { ReadError } from "./errors.ts";
import { weightsOf } from "./etag-and-compression.ts";
import { createEventStream, type EventStream, STREAM_HEADERS } from "./event-stream.ts";
import type { presentAnswer } from "./present.ts";

type PresentedAnswer = ReturnType<typeof presentAnswer>;

export interface AnswerStreamDeps {
  readonly answers: Pick<HeldAnswers, "hold">;
  readonly isStillAllowed: IsStillAllowed;
  readonly readError: ReadError;
}

interface Asking {
  /** Answers the question; `signal` is aborted when nobody reads any more. */
  ask(reader: AnswerReader, signal: AbortSignal): Promise<PresentedAnswer>;
  presentChunks(chunks: readonly RankedChunk[]): PresentedAnswer["results"]["chunks"];
}

/**
 * Whether the client prefers events to JSON. One that names neither, or both alike, gets JSON; where only a range such as any type
 * has JSON, events need not weigh more than it.
 */
export function wantsEvents({ headers }: FastifyRequest): boolean {
  const weights = weightsOf(headers.accept);
  const weight = weights.get("text/event-stream") ?? 0;
  const json = weights.get("application/json");
  if (json !== undefined) return weight > json;
  return weight > 0 && weight >= (weights.get("application/*") ?? weights.get("*/*") ?? 0);
}

/**
 * Resolves to the events when the first one is known, and sets the headers.
 * @throws what `ask` throws before that; what it throws later is the last event
 */
export function streamAnswer(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { answers, isStillAllowed, readError }: AnswerStreamDeps,
  { ask, presentChunks }: Asking,
): Promise<Readable> {
  const { request, reply } = exchange;
  const closed = new AbortController();
  const signal = AbortSignal.any([disconnectedSignal(reply), closed.signal]);
  const begun = Promise.withResolvers<Readable>();
  let events: EventStream | null = null;
  let summary = "";

  function open(): EventStream {
    const opened = createEventStream(
      () => closed.abort(errors.abandoned()),
      async () => {
        const isAllowed = await isStillAllowed(request);
        if (!isAllowed) fail(opened, errors.invalidApiKey());
        return isAllowed;
      },
    );
    reply.headers(STREAM_HEADERS);
    begun.resolve(opened.body);
    return opened;
  }

  function fail(stream: EventStream, error: Error): void {
    const { status, detail } = readError(error, request);
    stream.send({ id: null, name: "error", data: stringifyJson({ status, detail }) });
    stream.end();
  }

  function send(name: string, value: unknown): void {
    const data = stringifyJson(value);
    const bytes = 2 * data.length;
    answers.hold(exchange, { bytes, isRefusable: false, pieceBytes: bytes });
    events ??= open();
    events.send({ id: null, name, data });
  }

  const reader: AnswerReader = {
    found: (chunks) => send("chunks", { chunks: presentChunks(chunks) }),
    wrote(text) {
      summary += text;
      send("summary", { text });
    },
  };

  function finish({ query, strategy_used, results, stated, explain, steps }: PresentedAnswer): void {
    if (events === null) send("chunks", { chunks: results.chunks });
    // Without a model, or where its text was of no use, the summary comes at once.
    if (summary === "") send("summary", { text: results.summary });
    send("entities", { entities: results.entities });
    send("relationships", { relationships: results.relationships });
    if (stated !== undefined) send("stated", { stated });
    if (explain !== undefined) send("explain", { explain });
    if (steps !== undefined) send("steps", { steps });
    send("done", { id: request.id, query, strategy_used });
    events?.end();
  }

  ask(reader, signal)
    .then(finish)
    .catch((error: Error) => {
      if (events === null) return begun.reject(error);
      if (signal.aborted) events.end();
      else fail(events, error);
    });
  return begun.promise;
}
