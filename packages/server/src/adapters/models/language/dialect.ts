/** Remembers which request features a provider does not support, as learned from its refusals. */
import type { ModelTask } from "../../../ports/language-model.ts";
import type { ProviderFault } from "./provider-fault.ts";

export interface RequestFormat {
  /** The provider is asked to enforce the schema (structured output). */
  readonly enforcesSchema: boolean;
  /** The prompt contains the schema. */
  readonly hasSchemaInPrompt: boolean;
  readonly sendsTemperature: boolean;
  /** A text that is wanted in parts is requested as a stream. */
  readonly streams: boolean;
}

export interface Dialect {
  formatFor(model: string, task: ModelTask): RequestFormat;
  /** The format to try next; null when the refusal has another cause. Does not remember it yet. */
  alternative(
    format: RequestFormat,
    refusal: { fault: ProviderFault; hasSchema: boolean; isStreamed: boolean },
  ): RequestFormat | null;
  /** Remembers a format that the provider has accepted. */
  remember(model: string, task: ModelTask, format: RequestFormat): void;
  /**
   * To be called when a structured reply contained no JSON: the provider accepts the schema but ignores it.
   */
  distrustSchema(model: string, task: ModelTask): void;
}

const INITIAL: RequestFormat = {
  enforcesSchema: true,
  hasSchemaInPrompt: false,
  sendsTemperature: true,
  streams: true,
};

/** Formats are kept per model and task, since a provider may support the schema of another task. */
export function createDialect(): Dialect {
  const formats = new Map<string, RequestFormat>();
  const keyOf = (model: string, task: ModelTask) => `${task} ${model}`;
  const formatFor = (model: string, task: ModelTask) => formats.get(keyOf(model, task)) ?? INITIAL;
  return {
    formatFor,
    alternative(format, { fault, hasSchema, isStreamed }) {
      if (!fault.isBadRequest) return null;
      if (isStreamed && format.streams && /stream/i.test(fault.detail)) return { ...format, streams: false };
      if (format.sendsTemperature && /temperature/i.test(fault.detail)) {
        return { ...format, sendsTemperature: false };
      }
      // Regardless of the refusal's text: providers differ mostly in schema support, and a refusal costs
      // nothing.
      return hasSchema && format.enforcesSchema
        ? { ...format, enforcesSchema: false, hasSchemaInPrompt: true }
        : null;
    },
    remember: (model, task, format) => void formats.set(keyOf(model, task), format),
    distrustSchema(model, task) {
      formats.set(keyOf(model, task), { ...formatFor(model, task), hasSchemaInPrompt: true });
    },
  };
}
