/** Finds threads that hang: those that have work and give no sign of life. */
import type { RpcClient } from "./rpc.ts";

/** A thread, or one port of it. */
export interface Watched {
  readonly client: Pick<RpcClient<never, unknown>, "pending" | "signs" | "beat">;
  /** How long it may be silent while calls are pending; longer than its longest job that holds its event loop. */
  readonly silenceMs: () => number;
  /** Called once; the watch of this thread ends with it. */
  readonly onSilent: () => void;
}

export interface Watch {
  /** Returns the function that ends the watch of this thread. */
  add(watched: Watched): () => void;
  /** One round over all threads. The timer calls it; tests call it in place of the timer. */
  beat(): void;
}

export const BEAT_MS = 1_000;

/**
 * Asks each thread with pending calls for a sign of life every `BEAT_MS`. An answer counts as one, too. Silence is counted
 * in rounds, not by the clock: a machine that was suspended, or a main thread that was busy, makes no thread look hung.
 */
export function createWatch(startTimer: (beat: () => void) => void = startBeats): Watch {
  const all = new Map<Watched, { signs: number; missed: number }>();
  const watch: Watch = {
    add(watched) {
      all.set(watched, { signs: watched.client.signs, missed: 0 });
      return () => all.delete(watched);
    },
    beat() {
      for (const [watched, seen] of [...all]) {
        const { client } = watched;
        seen.missed = client.pending === 0 || client.signs !== seen.signs ? 0 : seen.missed + 1;
        seen.signs = client.signs;
        if (seen.missed * BEAT_MS >= watched.silenceMs()) {
          all.delete(watched);
          watched.onSilent();
        } else if (client.pending > 0) client.beat();
      }
    },
  };
  startTimer(watch.beat);
  return watch;
}

/** The timer keeps no process alive. */
function startBeats(beat: () => void): void {
  setInterval(beat, BEAT_MS).unref();
}
