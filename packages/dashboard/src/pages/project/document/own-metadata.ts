import type { IngestDocument } from "@kcs/sdk";

type Metadata = NonNullable<IngestDocument["metadata"]>;

/** What the service reads from a file itself, with its labels: of another file it reads it anew. */
const readFromFile: ReadonlyMap<string, string> = new Map([
  ["date", "Date"],
  ["ocr_pages", "Pages with recognised text"],
  ["unread_pages", "Pages that were not read"],
]);

/** The metadata of a document that another file of it is sent with. */
export function ownMetadata(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !readFromFile.has(key)));
}

/** As the labels beside it, where the key is the service's own; the keys of users as they wrote them. `shown`: all keys, which have a label each. */
export function metadataLabel(key: string, shown: readonly string[]): string {
  const label = readFromFile.get(key) ?? key;
  return shown.includes(label) ? key : label;
}
