/** Whether the service can be reached. After a request failed it is asked again and again until it answers. */
import { serviceUrl } from "./address.ts";

const checkMs = 2_000;
/** While the page is seen and nothing is asked of the service. */
const idleMs = 5_000;
const timeoutMs = 5_000;

export interface Connection {
  isLost(): boolean;
  /** A request got no answer. */
  reportLost(): void;
  /** Resolves when the service answers. */
  whenBack(): Promise<void>;
  /** Calls `onChange` when the service is lost, and when it is back. Returns a function that ends this. */
  subscribe(onChange: () => void): () => void;
  /** Asks the service now and then, so that a page on which nobody does anything notices, too. Returns a function that ends this. */
  watch(): () => void;
}

export function createConnection(): Connection {
  const listeners = new Set<() => void>();
  let checking: Promise<void> | null = null;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const check = async () => {
    // At first, too: where a single request fails again and again, the page must not repeat it without a pause.
    do await new Promise((resolve) => setTimeout(resolve, checkMs));
    while (!(await answers()));
  };
  const reportLost = () => {
    if (checking !== null) return;
    checking = check().then(() => {
      checking = null;
      tell();
    });
    tell();
  };
  return {
    isLost: () => checking !== null,
    reportLost,
    whenBack() {
      reportLost();
      return checking ?? Promise.resolve();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    watch() {
      const look = async () => {
        if (checking === null && document.visibilityState === "visible" && !(await answers())) reportLost();
      };
      const timer = setInterval(() => void look(), idleMs);
      return () => clearInterval(timer);
    },
  };
}

/** The one of this page. */
export const connection = createConnection();

async function answers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return (await fetch(serviceUrl("health"), { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}
