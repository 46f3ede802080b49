/** Asks a language model for an ontology, checks it, and has it repaired once. */
import type { LanguageModel, ModelMeter, ModelReply } from "../../../../ports/language-model.ts";
import {
  repairPrompt,
  SUGGESTION_PROMPT_VERSION,
  SUGGESTION_SCHEMA,
  type SuggestionPrompt,
  suggestionPrompt,
} from "./prompt.ts";
import { type ReadSuggestion, readSuggestion } from "./read-suggestion.ts";

const MAX_OUTPUT_TOKENS = 8_000;
/** Of the use case; what follows is a pasted text. */
const MAX_UNITS = 64 * 1024;
/** Of a reply that is shown again. */
const MAX_REPLY_UNITS = 32 * 1024;
const LEAST_MS = 1_000;

/**
 * At most two calls, within `deadlineMs` together. "faults": both replies were of no use.
 * @throws what the model throws; the signal's reason when it is aborted
 */
export async function suggestWithModel(
  useCase: string,
  ask: {
    readonly model: LanguageModel;
    readonly meter: ModelMeter;
    readonly deadlineMs: number;
    readonly now: () => number;
    /** Aborted when nobody waits for the suggestion. */
    readonly signal: AbortSignal | null;
  },
): Promise<ReadSuggestion> {
  const text = useCase.slice(0, MAX_UNITS).toWellFormed();
  const endsAt = ask.now() + ask.deadlineMs;
  const read = readOnce();
  const call = (prompt: SuggestionPrompt): Promise<ModelReply> =>
    ask.model.generate({
      task: "suggestion",
      promptVersion: SUGGESTION_PROMPT_VERSION,
      ...prompt,
      schema: SUGGESTION_SCHEMA,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      deadlineMs: Math.max(LEAST_MS, endsAt - ask.now()),
      meter: ask.meter,
      ...(ask.signal === null ? {} : { signal: ask.signal }),
      // One that is kept would be of no use again.
      isUsable: (value) => read(value).kind === "suggestion",
    });
  const reply = await call(suggestionPrompt(text));
  const first = read(reply.value);
  if (first.kind === "suggestion") return first;
  const repaired = await call(repairPrompt(text, reply.text.slice(0, MAX_REPLY_UNITS), first.faults));
  return read(repaired.value);
}

/** The client of the model asks whether a reply is usable, and gives the same value back. */
function readOnce(): (value: unknown) => ReadSuggestion {
  let last: { readonly value: unknown; readonly read: ReadSuggestion } | null = null;
  return (value) => {
    if (last?.value !== value || last === null) last = { value, read: readSuggestion(value) };
    return last.read;
  };
}
