import type { IngestDocument } from "@kcs/sdk";

type Metadata = NonNullable<IngestDocument["metadata"]>;

/** What the service reads from a file itself: of another file it reads it anew. */
const readFromFile: ReadonlySet<string> = new Set(["date", "ocr_pages", "unread_pages"]);

/** The metadata of a document that another file of it is sent with. */
export function ownMetadata(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !readFromFile.has(key)));
}
