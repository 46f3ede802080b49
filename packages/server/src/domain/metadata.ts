/** Labels of documents, and the filter that restricts a question to some documents. */

export type MetadataValue = string | number;

/** By key; numbers are finite. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Of the documents of a request together: one transaction writes it. */
export const MAX_METADATA_BYTES = 8 * 1024 * 1024;

/** Whether these documents may be accepted together. Metadata that several of them share in a row is measured once. */
export function fitTogether(all: readonly Metadata[]): boolean {
  let [bytes, last, lastBytes]: [number, Metadata | undefined, number] = [0, undefined, 0];
  return all.every((metadata) => {
    if (metadata !== last) lastBytes = Buffer.byteLength(JSON.stringify(metadata));
    last = metadata;
    bytes += lastBytes;
    return bytes <= MAX_METADATA_BYTES;
  });
}

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
