/** A sample of what the service has read, as `sample.ts` writes it. */
export interface Item {
  /** `<kind>-e<number>` for an entity, `<kind>-f<number>` for a fact. */
  readonly id: string;
  /** Kind of text. */
  readonly kind: string;
  readonly claim: string;
  /** The text around what the service gives as evidence. */
  readonly quote: string;
}

/** Of one kind of text, all of it. */
export interface Counts {
  readonly documents: number;
  readonly words: number;
  readonly entities: number;
  readonly byType: Readonly<Record<string, number>>;
  /** Entities that have a relationship. */
  readonly connected: number;
  readonly relationships: number;
}

export interface Sample {
  readonly command: string;
  readonly commit: string;
  readonly counts: Readonly<Record<string, Counts>>;
  readonly items: readonly Item[];
}
