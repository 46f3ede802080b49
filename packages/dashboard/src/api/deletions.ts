/** Deletions of documents that are sent a while after somebody asked for them, so that they can be undone until then. */
import { useSyncExternalStore } from "react";
import { messageOf, statusOf } from "./fault.ts";
import { request } from "./request.ts";

export interface Deletion {
  readonly projectId: string;
  readonly sourceDocIds: readonly string[];
}

export const undoMs = 30_000;
export const undoWords = `You can undo it for ${undoMs / 1000} seconds.`;
const sentAtOnce = 4;
const none: ReadonlySet<string> = new Set();

/** `onSent` is called when all are sent, with the reason of the first that failed, or null. */
export type OnSent = (outcome: {
  readonly failed: number;
  readonly reason: string | null;
}) => Promise<unknown>;

interface Waiting extends Deletion {
  /** Those that are not sent yet. */
  readonly left: string[];
  readonly onSent: OnSent;
  /** null once it is being sent. */
  timer: ReturnType<typeof setTimeout> | null;
  sending: Promise<void> | null;
}

export function createDeletions(send: (projectId: string, sourceDocId: string) => Promise<unknown>) {
  const waiting = new Set<Waiting>();
  const listeners = new Set<() => void>();
  let hidden: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  function update(): void {
    const ids = Map.groupBy(waiting, ({ projectId }) => projectId);
    hidden = new Map(
      [...ids].map(([id, list]) => [id, new Set(list.flatMap(({ sourceDocIds }) => sourceDocIds))]),
    );
    for (const listener of listeners) listener();
  }

  function drop(one: Waiting): void {
    if (one.timer !== null) clearTimeout(one.timer);
    waiting.delete(one);
    update();
  }

  function sendAll(one: Waiting): Promise<void> {
    one.sending ??= sendEach(one);
    return one.sending;
  }

  async function sendEach(one: Waiting): Promise<void> {
    if (one.timer !== null) clearTimeout(one.timer);
    one.timer = null;
    const reasons: string[] = [];
    const sendNext = async () => {
      for (let id = one.left.shift(); id !== undefined; id = one.left.shift()) {
        await send(one.projectId, id).catch((error: unknown) => {
          // It was deleted meanwhile.
          if (statusOf(error) !== 404) reasons.push(messageOf(error));
        });
      }
    };
    await Promise.all(Array.from({ length: sentAtOnce }, sendNext));
    await one.onSent({ failed: reasons.length, reason: reasons[0] ?? null }).finally(() => drop(one));
  }

  /** Requests with `keepalive` outlive the page. */
  const sendWhenLeft = () => {
    for (const one of waiting)
      for (const id of one.left.splice(0)) void send(one.projectId, id).catch(() => undefined);
  };

  return {
    /** Hides the documents now and sends their deletion later. Returns what undoes it, which is false when it is too late. */
    schedule(deletion: Deletion, onSent: OnSent): () => boolean {
      addEventListener("pagehide", sendWhenLeft); // The same listener is added once.
      const one: Waiting = {
        ...deletion,
        left: [...deletion.sourceDocIds],
        onSent,
        timer: null,
        sending: null,
      };
      one.timer = setTimeout(() => void sendAll(one), undoMs);
      waiting.add(one);
      update();
      return () => {
        const isInTime = one.timer !== null;
        if (isInTime) drop(one);
        return isInTime;
      };
    },

    /** Sends at once what still waits, and waits for what is being sent; before a sign-out. */
    flush: async (): Promise<void> => {
      await Promise.all([...waiting].map(sendAll));
    },

    hiddenIn: (projectId: string): ReadonlySet<string> => hidden.get(projectId) ?? none,

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const deletions = createDeletions((projectId, sourceDocId) =>
  request(documentPath(projectId, sourceDocId), { method: "DELETE", keepalive: true }),
);

/** Without an undo. One that is gone already is none to tell of. */
export async function deleteNow(projectId: string, sourceDocId: string): Promise<void> {
  try {
    await request(documentPath(projectId, sourceDocId), { method: "DELETE" });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
}

/** The documents of a project that are about to be deleted. */
export function useHiddenDocuments(projectId: string): ReadonlySet<string> {
  return useSyncExternalStore(deletions.subscribe, () => deletions.hiddenIn(projectId));
}

export function documentPath(projectId: string, sourceDocId: string): string {
  return `api/v1/projects/${encodeURIComponent(projectId)}/documents/${encodeURIComponent(sourceDocId)}`;
}
