import type { Endpoint } from "./endpoint.ts";
import { feedback, feedbackList } from "./feedback-responses.ts";

export const feedbackEndpoints = {
  recordFeedback: {
    method: "POST",
    path: "/projects/{project_id}/feedback",
    summary: "Keep what somebody thinks of an answer",
    success: 200,
    response: feedback,
    documented: false,
  },
  listFeedback: {
    method: "GET",
    path: "/projects/{project_id}/feedback",
    summary: "List the feedback on answers of a project, newest first",
    success: 200,
    response: feedbackList,
    otherTypes: ["application/x-ndjson"],
    documented: false,
  },
} as const satisfies Record<string, Endpoint>;
