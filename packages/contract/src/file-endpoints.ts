import type { Endpoint } from "./endpoint.ts";
import * as responses from "./responses.ts";

/** Files that documents are made from. */
export const fileEndpoints = {
  uploadFiles: {
    method: "POST",
    path: "/projects/{project_id}/files",
    summary: "Ingest up to 100 files, all or none",
    success: 200,
    response: responses.acceptedBatch,
    documented: false,
  },
  ingestUrl: {
    method: "POST",
    path: "/projects/{project_id}/urls",
    summary: "Fetch a page and ingest it",
    success: 200,
    response: responses.acceptedBatch,
    documented: false,
  },
  getDocumentFile: {
    method: "GET",
    path: "/projects/{project_id}/documents/{source_doc_id}/file",
    summary: "Download the file that a document was made from",
    success: 200,
    response: null,
    mediaTypes: ["application/octet-stream"],
    documented: false,
  },
} as const satisfies Record<string, Endpoint>;
