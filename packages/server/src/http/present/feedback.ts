import type { Feedback } from "../../domain/feedback.ts";

export function presentFeedback(feedback: Feedback) {
  return {
    feedback_id: feedback.feedbackId,
    project_id: feedback.projectId,
    rating: feedback.rating,
    query: feedback.query,
    mode: feedback.mode,
    answer: feedback.answer,
    strategy_used: feedback.strategyUsed,
    source_doc_ids: feedback.sourceDocIds,
    comment: feedback.comment,
    index_version: feedback.indexVersion,
    service_version: feedback.serviceVersion,
    created_at: new Date(feedback.createdAt).toISOString(),
  };
}
