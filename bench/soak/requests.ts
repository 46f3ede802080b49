/** Shared by all actions of a writer: its projects, and requests that are repeated across a restart. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExpectedProject } from "./expected.ts";
import type { Random } from "./random.ts";
import type { Outcome, Subject } from "./subject.ts";
import type { Tally } from "./tally.ts";

export interface Stage {
  /** The writer's name and the prefix of its projects' names. */
  readonly name: string;
  readonly subject: Subject;
  readonly random: Random;
  readonly tally: Tally;
  /** The existing projects of this writer; no other writer uses them. */
  readonly projects: ExpectedProject[];
}

/** More refused or lost requests than this are a violation. */
export const MAX_TRIES = 100;
const PAUSE_MS = 300;

/** A service that is shutting down responds with 503 and has done nothing. */
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

/** Repeats a GET request until it succeeds. Records an unexpected response and returns null. */
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
