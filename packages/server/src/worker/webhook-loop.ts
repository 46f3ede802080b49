/** Delivers due webhook events. */
import type { Log } from "../ports/log.ts";
import type { WebhookDelivery } from "../services/webhook-delivery.ts";

export interface WebhookLoop {
  /** Starts no more turns; running ones are aborted after a second. */
  close(): Promise<void>;
}

const POLL_MS = 1_000;
/** Concurrent turns, each of a different webhook. */
const MAX_TURNS = 16;
/** Of one account, so that its slow receivers do not delay others. */
const MAX_TURNS_PER_ACCOUNT = 4;
/** Turns that only accounts get that have none: four accounts with slow receivers would take all the others. */
const KEPT_TURNS = 4;
const CLOSE_MS = 1_000;

/** Claims due deliveries every second, and again after each turn that it starts or that ends. */
export function startWebhookLoop(deps: {
  readonly delivery: WebhookDelivery;
  readonly log: Log;
}): WebhookLoop {
  const cut = new AbortController();
  const turns = new Set<Promise<void>>();
  let stopping = false;
  let wakeUp: () => void = () => undefined;

  function sleep(): Promise<void> {
    if (stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function startTurn(): Promise<boolean> {
    const mostOfAccount = turns.size < MAX_TURNS - KEPT_TURNS ? MAX_TURNS_PER_ACCOUNT : 1;
    const turn = turns.size < MAX_TURNS ? await deps.delivery.claim(mostOfAccount) : null;
    if (turn === null) return false;
    const running = deps.delivery
      .deliver(turn, cut.signal)
      .catch((error: unknown) => deps.log.error("webhook_fault", { error }))
      .finally(() => {
        turns.delete(running);
        wakeUp();
      });
    turns.add(running);
    return true;
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        if (await startTurn()) continue;
      } catch (error) {
        deps.log.error("webhook_fault", { error });
      }
      await sleep();
    }
  }

  const loop = run();
  return {
    async close() {
      stopping = true;
      wakeUp();
      const late = setTimeout(() => cut.abort(), CLOSE_MS);
      await loop;
      await Promise.all(turns);
      clearTimeout(late);
    },
  };
}
