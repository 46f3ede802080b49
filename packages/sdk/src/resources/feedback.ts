import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type { Feedback, FeedbackList, RecordFeedback } from "../wire.ts";

const PAGE = 100;

export interface FeedbackPage {
  readonly limit?: number;
  readonly offset?: number;
  readonly rating?: Feedback["rating"];
}

export function feedbackResource(transport: Transport) {
  /** Newest first. */
  const list = (projectId: string, page: FeedbackPage = {}, options?: CallOptions) =>
    transport.json<FeedbackList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/feedback`,
      query: { ...page },
      options,
    });
  return {
    list,

    /** Keeps a rating of an answer. A further one of the same answer to the same question replaces it. */
    record: (projectId: string, body: RecordFeedback, options?: CallOptions) =>
      transport.json<Feedback>({
        method: "POST",
        path: pathOf`/projects/${projectId}/feedback`,
        body,
        options,
      }),

    /** Yields all feedback, newest first. */
    each: (projectId: string, options?: CallOptions) =>
      eachItem<Feedback, FeedbackList>({
        pageSize: PAGE,
        page: (limit, offset) => list(projectId, { limit, offset }, options),
        itemsOf: ({ feedback }) => feedback,
      }),
  };
}
