/** Something that happened, or a state that held, by which a question names its time: "before the merger". */
import type { ChunkKey } from "./document.ts";
import type { Span } from "./graph.ts";

export interface NamedEvent {
  /** In the question, with its connective. */
  readonly text: string;
  /** Where what is asked lies. */
  readonly relation: "before" | "after" | "during";
  /** Asks when it was. */
  readonly query: string;
  /** What a sentence has to say that tells of it: the terms of names, and of other words. */
  readonly names: readonly string[];
  readonly terms: readonly string[];
  /** "the merger": what is said of it decides whether it happened. */
  readonly isNoun: boolean;
  /** "when she was minister": it holds for a time, of which a sentence may name any day. */
  readonly isState: boolean;
  /** The year, month or day that the question gives for it. */
  readonly given: string | null;
}

/** Years, months or days; for what happens on one the same twice. */
export interface EventTime {
  /** null: not known. */
  readonly from: string | null;
  readonly to: string | null;
  /** The sentence that tells it; null: the question does. */
  readonly place: (ChunkKey & Span & { readonly sourceDocId: string; readonly sentence: string }) | null;
}

/** An event with the time that was found for it; null: none, so the question is of no time. */
export interface DatedEvent {
  readonly event: NamedEvent;
  readonly time: EventTime | null;
}
