import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { isUnreachable, messageOf, retryAfterOf, statusOf } from "../../../api/fault.ts";
import { projectQuery } from "../../../api/projects.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { actOnEach, type Task, type Verdict } from "./act-on-each.ts";
import type { SelectedDocument } from "./document-table.tsx";

export interface BulkTask extends Omit<Task<SelectedDocument>, "lanes"> {
  /** "Deleting" */
  readonly doing: string;
  /** "12 documents were deleted": of how many. */
  readonly doneWords: (done: number, all: number) => string;
  readonly lanes?: number;
}

export interface BulkWork {
  /** null: nothing is done at the moment. */
  readonly progress: { readonly doing: string; readonly done: number; readonly all: number } | null;
  readonly run: (task: BulkTask) => void;
  readonly stop: () => void;
}

/** More often nobody could read it. */
const tellMs = 200;
/** After which the others would fail, too: the session or a limit has ended, or the service is gone. */
const ofAll: ReadonlySet<number> = new Set([401, 403, 429, 503]);

/** Work on many selected documents, one at a time. `onEnd` gets those that it did not succeed with. */
export function useBulkWork(
  projectId: string,
  onEnd: (task: BulkTask, left: readonly SelectedDocument[]) => void,
): BulkWork {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<BulkWork["progress"]>(null);
  const running = useRef<AbortController | null>(null);
  const run = async (task: BulkTask) => {
    if (running.current !== null) return;
    const stopping = new AbortController();
    running.current = stopping;
    const { doing, doneWords, lanes = 1, items } = task;
    const tell = (done: number) => setProgress({ doing, done, all: items.length });
    tell(0);
    let told = performance.now();
    const { done, left, error } = await actOnEach(
      { ...task, lanes },
      {
        judge,
        signal: stopping.signal,
        pause: (seconds) => waitFor(seconds, stopping.signal),
        onProgress(count) {
          if (performance.now() - told < tellMs) return;
          told = performance.now();
          tell(count);
        },
      },
    );
    running.current = null;
    setProgress(null);
    const text = `${doneWords(done, items.length)}.`;
    if (error === null) toasts.show({ text });
    else
      toasts.show({
        kind: "bad",
        text: [done === 0 ? [] : text, messageOf(error), leftWords(left.length)].flat().join(" "),
      });
    onEnd(task, left);
    await queryClient.invalidateQueries({ ...projectQuery(projectId), refetchType: "all" });
  };
  return {
    progress,
    run: (task) => void run(task),
    stop: useCallback(() => running.current?.abort(), []),
  };
}

function leftWords(left: number): string {
  return `${left.toLocaleString("en")} ${left === 1 ? "stays" : "stay"} selected.`;
}

function judge(error: unknown): Verdict {
  const [status, seconds] = [statusOf(error), retryAfterOf(error)];
  if (status === 429 && seconds !== null) return seconds;
  return status === null || isUnreachable(error) || ofAll.has(status) ? "all" : "one";
}

function waitFor(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
