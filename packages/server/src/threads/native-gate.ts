/**
 * Keeps a thread from being terminated inside the model's native code, which aborts the whole process
 * (onnxruntime-node 1.30: an uncaught Napi::Error). The two sides share two words: the thread counts itself in before
 * each native call; the side that terminates it closes the gate first and then waits until no call is inside.
 * Atomic operations have one total order, so no call can begin unnoticed.
 */
const CLOSED = 0;
const INSIDE = 1;

/** A gate with one call inside: the load of the model, which begins with the thread. */
export function createNativeGate(inside = 1): SharedArrayBuffer {
  const gate = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(gate)[INSIDE] = inside;
  return gate;
}

/** The thread's side. A call passes all of its gates: its own, and that of the thread that started it. */
export interface NativeSection {
  /**
   * Runs a call whose native code is executed by one `setImmediate` that the call itself schedules before it returns, as
   * onnxruntime-node does. Only that turn counts as inside: calls that wait for theirs do not keep a hanging thread alive.
   * @throws Error when the thread is about to be terminated
   */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Before code that loads the runtime. A thread begins inside. */
  enter(): void;
  /** The model is loaded. */
  leave(): void;
}

export function createNativeSection(gates: readonly SharedArrayBuffer[]): NativeSection {
  const all = gates.map((gate) => new Int32Array(gate));
  const closed = () => all.find((words) => Atomics.load(words, CLOSED) === 1);
  const leave = () => {
    for (const words of all) leaveGate(words, 1);
  };

  function enter(): void {
    for (const words of all) Atomics.add(words, INSIDE, 1);
    const words = closed();
    if (words === undefined) return;
    leave();
    Atomics.wait(words, CLOSED, 1); // The native code comes next: the thread waits here for its termination.
  }

  return {
    enter,
    leave,
    async run(call) {
      if (closed() !== undefined) throw new Error("The thread is being ended.");
      let isInside = false;
      // Immediates run in the order in which they were scheduled, so this one runs right before that of the call.
      const entry = setImmediate(() => {
        enter();
        isInside = true;
      });
      try {
        return await call();
      } finally {
        if (isInside) leave();
        else clearImmediate(entry);
      }
    },
  };
}

/** Counts calls of another thread in; a negative number counts those out that a thread which has ended cannot leave. */
export function enterGate(gate: SharedArrayBuffer, calls: number): void {
  leaveGate(new Int32Array(gate), -calls);
}

export function callsInside(gate: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(gate), INSIDE);
}

/** Lets no more calls in. True when all calls have left within `limitMs`: from then on the thread may be terminated. */
export async function closeNativeGate(gate: SharedArrayBuffer, limitMs: number): Promise<boolean> {
  const words = new Int32Array(gate);
  Atomics.store(words, CLOSED, 1);
  const end = performance.now() + limitMs;
  for (;;) {
    const inside = Atomics.load(words, INSIDE);
    if (inside === 0) return true;
    const leftMs = end - performance.now();
    if (leftMs <= 0) return false;
    await Atomics.waitAsync(words, INSIDE, inside, leftMs).value;
  }
}

function leaveGate(words: Int32Array<SharedArrayBuffer>, calls: number): void {
  Atomics.sub(words, INSIDE, calls);
  Atomics.notify(words, INSIDE);
}
