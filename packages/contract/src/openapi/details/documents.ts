import * as bodies from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";
import { EXAMPLE_JOB_ID } from "./ingestion.ts";

export const EXAMPLE_CHUNK_ID = "ver_5d41402abc4b2a76b9719d911017c592.0";

const text = "The dredger Wanda works the east basin every second spring.";

const document = {
  source_doc_id: "harbour-log",
  status: "indexed",
  chunks: 1,
  bytes: 87,
  metadata: { lang: "en", year: 1994 },
  created_at: "2031-05-03T09:15:00.120Z",
  updated_at: "2031-05-03T09:15:00.120Z",
  job_id: EXAMPLE_JOB_ID,
  error_message: null,
};

export const documentDetails = {
  listDocuments: {
    tag: "Documents",
    description:
      "Ordered by id, or with `sort=updated_at` by their last update; `order=desc` turns it round. `search` matches a part of the id, `status` the state. `total` counts all matching documents.",
    query: bodies.documentListParameters,
    errors: [
      {
        status: 429,
        detail: "At most 256 lists of documents of an account wait. Try again shortly.",
        when: "Too many lists of the account wait. One is read at a time.",
      },
    ],
    example: { documents: [document], total: 1, limit: 100, offset: 0 },
  },
  getDocument: {
    tag: "Documents",
    description:
      "The version that queries see, with the offsets of its chunks in its text, in UTF-16 code units.",
    example: { ...document, text, chunks: [{ chunk_id: EXAMPLE_CHUNK_ID, start: 0, end: text.length }] },
    errors: [
      {
        status: 429,
        detail: "At most 4 reads of long documents of an account run at once. Try again shortly.",
        when: "The account already reads as many documents of more than 524,288 characters as it may, or too many of its reads wait. A read runs until the client has received the response.",
      },
    ],
  },
  getDocumentFile: {
    tag: "Documents",
    description:
      "The file as it was sent, with the media type that its content was recognised as. It is always an attachment.",
    answerHeaders: ["Content-Disposition"],
    errors: [
      {
        status: 404,
        detail: "The document has no file: it was ingested as a text",
        when: "The document was not made from a file.",
      },
      {
        status: 429,
        detail: "At most 8 downloads of an account run at once. Try again shortly.",
        when: "The account downloads as many files at once as it may.",
      },
    ],
  },
  deleteDocument: {
    tag: "Documents",
    description:
      "Removes the document, its chunks, and the entities and relationships that no other document supports. The response comes when nothing of it is left in lists and answers. Jobs of the document that have not ended end as `failed` with the message `The document was deleted`.",
  },
  getChunk: {
    tag: "Documents",
    description: "A chunk with its offsets in the document and the text of the chunks before and after it.",
    example: {
      chunk_id: EXAMPLE_CHUNK_ID,
      source_doc_id: "harbour-log",
      start: 0,
      end: text.length,
      text,
      before: null,
      after: null,
    },
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
