import type { Suggestion } from "../domain/ontology.ts";

export type SuggesterOutcome =
  | { readonly kind: "suggestion"; readonly suggestion: Suggestion }
  /** No suggestion is possible; the reason says what the user can do. */
  | { readonly kind: "nothing"; readonly reason: string };

/** Suggests an ontology without a language model, off the event loop. */
export interface Suggester {
  /** Where use cases wait, accounts take turns, until the signal is aborted. */
  suggest(
    useCase: string,
    place: { readonly account: string; readonly signal: AbortSignal | null },
  ): Promise<SuggesterOutcome>;
}
