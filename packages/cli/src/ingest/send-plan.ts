/** Sends what a plan names, and shows the progress. */
import type { Io } from "../io.ts";
import { counted, grouped, type Progress } from "../terminal/progress.ts";
import { oneLine } from "../terminal/style.ts";
import type { Plan } from "./plan.ts";
import { type Outcome, type SendOptions, type SendProgress, sendDocuments } from "./send.ts";

/** By default the service accepts ten ingest requests a minute, so that a long run is refused often and must wait. */
export const MAX_RETRIES = 30;
export const INTERRUPTED =
  "Interrupted. The service continues to process what it has accepted. Run the same command again to resume.";

/** @throws as `sendDocuments` does */
export async function sendPlan(
  plan: Plan,
  target: Omit<SendOptions, "signal" | "onProgress">,
  { io, progress }: { readonly io: Io; readonly progress: Progress },
): Promise<Outcome> {
  try {
    return await sendDocuments(plan.send, plan.open, {
      ...target,
      signal: io.signal,
      onProgress(now) {
        if (plan.send.length + plan.open.length === 0) return;
        for (const { id, reason } of now.newlyFailed)
          progress.say(`failed: ${oneLine(id)}: ${oneLine(reason)}`);
        showProgress(progress, plan, { ...now, isWaiting: target.wait });
      },
    });
  } finally {
    progress.end();
  }
}

function showProgress(
  progress: Progress,
  { send, open, unchanged }: Plan,
  now: SendProgress & { readonly isWaiting: boolean },
): void {
  const ended = now.completed + now.failed;
  const notes = [
    now.isWaiting && now.accepted > ended ? `${grouped(now.accepted)} accepted` : "",
    now.chunks > 0 ? counted(now.chunks, "chunk") : "",
    unchanged > 0 ? `${grouped(unchanged)} unchanged` : "",
    now.failed > 0 ? `${grouped(now.failed)} failed` : "",
  ];
  progress.update({
    done: now.isWaiting ? ended : now.accepted + now.failed,
    total: send.length + open.length,
    note: notes.filter((note) => note !== "").join(", "),
  });
}
