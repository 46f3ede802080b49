import type { Suggestion } from "../domain/ontology.ts";

export type SuggesterOutcome =
  | { readonly kind: "suggestion"; readonly suggestion: Suggestion }
  /** Nothing could be suggested; the reason says what to do about it. */
  | { readonly kind: "nothing"; readonly reason: string };

/** Suggests an ontology without a language model, off the event loop. */
export interface Suggester {
  suggest(useCase: string): Promise<SuggesterOutcome>;
}
