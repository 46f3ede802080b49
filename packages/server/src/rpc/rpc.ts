/** Requests and replies over a message port, for every thread of the service. */
import type { MessagePort, Transferable, Worker } from "node:worker_threads";
import { fromWireError, toWireError, type WireError } from "./wire-error.ts";

interface Request {
  readonly id: number;
  readonly value: unknown;
}

/** From the client: "are you alive?". From the server: "yes". */
const BEAT = "beat";

type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: WireError }
  | { readonly event: unknown };

export interface RpcClient<Input, Output> {
  /**
   * Buffers in `transfer` move instead of being copied.
   * @throws what the other side threw, the error given to `fail`, or what `postMessage` throws for a value that
   * cannot be cloned
   */
  call(value: Input, transfer?: readonly Transferable[]): Promise<Output>;
  /** Calls without an answer. */
  readonly pending: number;
  /** Resolves when no call is pending. */
  drained(): Promise<void>;
  /** Fails every pending call, and every later one. */
  fail(error: Error): void;
  /** Messages that have arrived: it rises with each sign of life of the other side. */
  readonly signs: number;
  /** Asks for a sign of life, unless a question for one is still open. The other side's event loop answers it. */
  beat(): void;
}

/** `onEvent` receives what the other side sends unasked. */
export function createRpcClient<Input, Output, Event = never>(
  port: MessagePort | Worker,
  onEvent: (event: Event) => void = () => undefined,
): RpcClient<Input, Output> {
  const open = new Map<number, PromiseWithResolvers<Output>>();
  const waiting: (() => void)[] = [];
  let nextId = 1;
  let failure: Error | null = null;
  let signs = 0;
  let hasOpenBeat = false;

  function settle(id: number): PromiseWithResolvers<Output> | undefined {
    const call = open.get(id);
    open.delete(id);
    return call;
  }
  const reportDrained = () => {
    if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };

  port.on("message", (reply: Reply | typeof BEAT) => {
    signs++;
    if (reply === BEAT) hasOpenBeat = false;
    else if ("event" in reply)
      onEvent(reply.event as Event); // The two sides share their types.
    else if ("error" in reply) settle(reply.id)?.reject(fromWireError(reply.error));
    else settle(reply.id)?.resolve(reply.value as Output); // Likewise.
    reportDrained();
  });
  return {
    get pending() {
      return open.size;
    },
    get signs() {
      return signs;
    },
    call(value, transfer = []) {
      if (failure !== null) return Promise.reject(failure);
      const id = nextId++;
      const call = Promise.withResolvers<Output>();
      open.set(id, call);
      try {
        port.postMessage({ id, value } satisfies Request, transfer as Transferable[]); // Only read.
      } catch (error) {
        open.delete(id); // A value that cannot be cloned was not sent, so nothing will answer.
        call.reject(error);
      }
      return call.promise;
    },
    async drained() {
      if (open.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    fail(error) {
      failure = error;
      for (const call of open.values()) call.reject(error);
      open.clear();
      reportDrained();
    },
    beat() {
      if (hasOpenBeat || failure !== null) return;
      hasOpenBeat = true;
      port.postMessage(BEAT, []); // Both kinds of port take a list.
    },
  };
}

export interface RpcServer {
  /** Resolves when every request received so far is answered. */
  drained(): Promise<void>;
}

/** Answers each request with what `handle` returns or throws. `transfer` names the buffers of a reply that may move. */
export function serveRpc<Input, Output>(
  port: MessagePort,
  handle: (value: Input) => Output | Promise<Output>,
  transfer: (value: Output) => readonly Transferable[] = () => [],
): RpcServer {
  const open = new Set<Promise<void>>();

  async function answer({ id, value }: Request): Promise<void> {
    try {
      const result = await handle(value as Input); // The two sides share their types.
      port.postMessage({ id, value: result } satisfies Reply, transfer(result) as Transferable[]); // Only read.
    } catch (error) {
      port.postMessage({ id, error: toWireError(error) } satisfies Reply, []);
    }
  }
  port.on("message", (request: unknown) => {
    if (request === BEAT) port.postMessage(BEAT);
    else if (isRequest(request)) {
      const answering = answer(request).finally(() => open.delete(answering));
      open.add(answering);
    }
  });
  return {
    async drained() {
      await Promise.all(open);
    },
  };
}

/** A sign of life that nobody asked for: the thread has started. */
export function sendBeat(port: MessagePort): void {
  port.postMessage(BEAT);
}

/** Sends an event to the client's `onEvent`. */
export function sendEvent(port: MessagePort, event: unknown): void {
  port.postMessage({ event } satisfies Reply);
}

/** Other messages on the same port, as a request to end, are not for the server. */
function isRequest(message: unknown): message is Request {
  return typeof message === "object" && message !== null && "id" in message && "value" in message;
}
