/** Opens the reader of questions at its first use. */
import type { QuestionReader } from "../ports/question-reader.ts";

/** Building the model's file takes seconds: while it fails, questions must not wait for it again and again. */
const RETRY_MS = 30_000;

/** null where it cannot be opened: then it is tried again after half a minute, at the next question. */
export function createReaderOpener(
  open: () => Promise<QuestionReader>,
  now: () => number = () => performance.now(),
): () => Promise<QuestionReader | null> {
  let opened: Promise<QuestionReader | null> | null = null;
  let retryAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (opened === null && now() < retryAt) return Promise.resolve(null);
    opened ??= open().catch(() => {
      opened = null;
      retryAt = now() + RETRY_MS;
      return null;
    });
    return opened;
  };
}
