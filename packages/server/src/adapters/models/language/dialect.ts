/** What a provider has turned out not to understand: learned from its refusals, once. */
import type { ModelTask } from "../../../ports/language-model.ts";
import type { ProviderFault } from "./provider-fault.ts";

/** How a request is put. */
export interface Wording {
  /** The reply is locked to the schema by the provider. */
  readonly locksSchema: boolean;
  /** The schema stands in the prompt. */
  readonly tellsSchema: boolean;
  readonly sendsTemperature: boolean;
}

export interface Dialect {
  wordingFor(model: string, task: ModelTask): Wording;
  /** The wording to try instead, null when the refusal is none of the wording. Nothing is kept yet. */
  reworded(wording: Wording, refusal: { fault: ProviderFault; hasSchema: boolean }): Wording | null;
  /** This wording was understood. */
  keep(model: string, task: ModelTask, wording: Wording): void;
  /** A locked reply held no JSON: the provider takes the schema and does nothing with it. */
  distrust(model: string, task: ModelTask): void;
}

const STARTING: Wording = { locksSchema: true, tellsSchema: false, sendsTemperature: true };

/** By model and task, since another task's schema may be understood. */
export function createDialect(): Dialect {
  const wordings = new Map<string, Wording>();
  const keyOf = (model: string, task: ModelTask) => `${task} ${model}`;
  const wordingFor = (model: string, task: ModelTask) => wordings.get(keyOf(model, task)) ?? STARTING;
  return {
    wordingFor,
    reworded(wording, { fault, hasSchema }) {
      if (!fault.isBadRequest) return null;
      if (wording.sendsTemperature && /temperature/i.test(fault.detail)) {
        return { ...wording, sendsTemperature: false };
      }
      // Whatever the refusal says: the lock is what providers differ in, and a refusal costs nothing.
      return hasSchema && wording.locksSchema ? { ...wording, locksSchema: false, tellsSchema: true } : null;
    },
    keep: (model, task, wording) => void wordings.set(keyOf(model, task), wording),
    distrust(model, task) {
      wordings.set(keyOf(model, task), { ...wordingFor(model, task), tellsSchema: true });
    },
  };
}
