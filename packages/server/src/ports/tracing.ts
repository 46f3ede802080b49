/** Traces: what a request or a job did, and for how long. Plain data, since it is passed between threads. */

/** Of a span. Ids as in the W3C's Trace Context: lower-case hex, of 32 and 16 digits. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

export interface Span {
  readonly context: TraceContext;
  /** null = the first of its trace. */
  readonly parentId: string | null;
  readonly name: string;
  /** "server": answers a request. "client": calls another program or thread. */
  readonly kind: "server" | "client" | "internal";
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** A short kind of fault, without a text of a user; null = none. */
  readonly error: string | null;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Tracer {
  /** Of the request whose work runs; null outside of one that is recorded, and after its end. */
  current(): TraceContext | null;
  /**
   * A request's span. `traceparent`: the header of a caller that has a trace of its own.
   * @returns null for a request that is not recorded
   */
  begin(traceparent: string | undefined): RequestTrace | null;
  /** Runs a function, with all that it begins, in a trace. */
  run(trace: RequestTrace, work: () => void): void;
  /** Ends a request's span. */
  end(trace: RequestTrace, ended: Pick<Span, "name" | "attributes" | "error">): void;
  /** Runs work in a span below the current one. Only runs it where there is none. */
  measure<Result>(
    named: Pick<Span, "name" | "kind" | "attributes">,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Records what was done below a span, by another thread or before now. */
  record(parent: TraceContext, span: Omit<Span, "context" | "parentId">): void;
  /** Records a job, which is a trace of its own. */
  recordJob(jobId: string, span: Omit<Span, "context" | "parentId" | "kind">): void;
  /** The trace of a job, the same in any process; null when it is not recorded. */
  traceOfJob(jobId: string): TraceContext | null;
}

export interface RequestTrace extends TraceContext {
  readonly parentId: string | null;
  readonly startedAt: number;
  /** Shared by all that runs in it. */
  readonly request: { hasEnded: boolean };
}
