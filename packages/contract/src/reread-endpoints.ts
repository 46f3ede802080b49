import type { Endpoint } from "./endpoint.ts";
import { acceptedBatch } from "./job-responses.ts";
import { reread } from "./reread-responses.ts";

export const rereadEndpoints = {
  rereadProject: {
    method: "POST",
    path: "/projects/{project_id}/reread",
    summary: "Read all documents of a project again for its graph, in the background",
    success: 202,
    response: reread,
    documented: false,
  },
  getReread: {
    method: "GET",
    path: "/projects/{project_id}/reread",
    summary: "Get the progress of a project's reread",
    success: 200,
    response: reread,
    documented: false,
  },
  cancelReread: {
    method: "POST",
    path: "/projects/{project_id}/reread/cancel",
    summary: "Cancel a project's reread",
    success: 200,
    response: reread,
    documented: false,
  },
  rereadDocuments: {
    method: "POST",
    path: "/projects/{project_id}/reread/documents",
    summary: "Read up to 128 documents again for the graph, in the background",
    success: 202,
    response: acceptedBatch,
    documented: false,
  },
} as const satisfies Record<string, Endpoint>;
