/** What every action of a writer shares: its projects, and requests that outlive a restart. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExpectedProject } from "./expected.ts";
import type { Random } from "./random.ts";
import type { Outcome, Subject } from "./subject.ts";
import type { Tally } from "./tally.ts";

export interface Stage {
  /** Of the writer; its projects' names begin with it. */
  readonly name: string;
  readonly subject: Subject;
  readonly random: Random;
  readonly tally: Tally;
  /** Those that are there now; nobody else touches them. */
  readonly projects: ExpectedProject[];
}

/** A service that refuses or breaks off so often is a violation, not a reason to wait. */
export const MAX_TRIES = 100;
const PAUSE_MS = 300;

/** What a service answers that is about to stop: nothing was done. */
export function isRefused(outcome: Outcome<unknown>): boolean {
  return outcome.kind === "answered" && outcome.status === 503;
}

export async function pause(tally: Tally, why: string): Promise<void> {
  tally.count(why);
  await sleep(PAUSE_MS);
}

export function noteUnexpected(
  tally: Tally,
  what: string,
  outcome: { readonly status: number; readonly body: unknown },
): void {
  tally.violate("status", `${what}: ${outcome.status} ${JSON.stringify(outcome.body)}`);
}

/** Asks for something that changes nothing until it is answered; null when it is not as it should, which is noted. */
export async function getPersistently<T>({ subject, tally }: Stage, path: string): Promise<T | null> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await subject.request<T>("GET", path);
    if (outcome.kind === "answered" && outcome.status === 200) return outcome.body;
    if (outcome.kind === "answered" && !isRefused(outcome)) {
      noteUnexpected(tally, `GET ${path}`, outcome);
      return null;
    }
    await pause(tally, "repeated");
  }
  tally.violate("no answer", `GET ${path}`);
  return null;
}
