/** Labels of documents, and the filter that restricts a question to some documents. */

export type MetadataValue = string | number;

/** By key; numbers are finite. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** At least one bound is set; all that are set must hold. */
export interface NumberRange {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/**
 * `anyOf`: the value equals one of these; a string never equals a number.
 * `range`: the value is a number within it.
 */
export type MetadataCondition =
  | { readonly key: string; readonly anyOf: readonly MetadataValue[] }
  | { readonly key: string; readonly range: NumberRange };

/** Restricts a search to the documents for which every condition holds. */
export interface SearchFilter {
  /** The document has one of these ids; null = all documents. */
  readonly sourceDocIds: readonly string[] | null;
  readonly metadata: readonly MetadataCondition[];
}
