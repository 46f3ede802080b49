/** What a document is labelled with, and what a question may be restricted to. */

export type MetadataValue = string | number;

/** By key; numbers are finite. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Bounds that all hold; at least one is there. */
export interface NumberRange {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/** `anyOf`: the value is one of these, a string never equal to a number. `range`: it is a number within. */
export type MetadataCondition =
  | { readonly key: string; readonly anyOf: readonly MetadataValue[] }
  | { readonly key: string; readonly range: NumberRange };

/** Which documents may be found: all that is said must hold. */
export interface SearchFilter {
  /** Any of these; null = all documents. */
  readonly sourceDocIds: readonly string[] | null;
  readonly metadata: readonly MetadataCondition[];
}
