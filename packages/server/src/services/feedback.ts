/** Keeps what people think of answers, for evaluations. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { type Feedback, type FeedbackRating, MAX_FEEDBACK, type NewFeedback } from "../domain/feedback.ts";
import { newId } from "../domain/ids.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Page, Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { createAccountQueue } from "./account-queue.ts";
import { storageFull } from "./caps.ts";
import { readInSteps } from "./read-in-steps.ts";

/** A page of 100 of the greatest size has 29 MB. A step of them takes some milliseconds of SQLite's reader. */
const ITEMS_PER_STEP = 4;
/** They are kept until the page is whole. */
const LISTS = { what: "lists of feedback", atOnce: 1, maxWaiting: 256 } as const;

export interface FeedbackService {
  /**
   * Replaces earlier feedback on the same answer to the same question. `given` is called only after access is granted, so that other
   * callers learn nothing from errors in the body.
   */
  record(
    caller: Caller,
    projectId: string,
    given: () => NewFeedback & Pick<Feedback, "serviceVersion">,
  ): Promise<Feedback>;
  /** Newest first. Not a snapshot: what is removed meanwhile may be missing. */
  list(
    caller: Caller,
    projectId: string,
    which: () => { readonly rating: FeedbackRating | null; readonly page: Page },
  ): Promise<{ readonly feedback: readonly Feedback[]; readonly total: number }>;
}

export function createFeedbackService(deps: {
  readonly store: Pick<Store, "findProject" | "recordFeedback" | "listFeedback" | "readFeedback">;
  readonly limits: AccountLimits;
  readonly now: () => number;
}): FeedbackService {
  const { store, limits } = deps;
  const lists = createAccountQueue(LISTS);
  return {
    async record(caller, projectId, given) {
      await requireProject(store, { projectId, caller });
      const { serviceVersion, ...feedback } = given();
      const outcome = await store.recordFeedback({
        projectId,
        accountId: caller.accountId,
        feedbackId: newId("fbk"),
        given: feedback,
        serviceVersion,
        now: deps.now(),
        maxPerProject: MAX_FEEDBACK,
        maxStoredBytes: limits.storedBytes,
      });
      if (outcome.kind === "project_gone") throw errors.projectNotFound(projectId);
      if (outcome.kind === "too_many_bytes") throw storageFull();
      return outcome.feedback;
    },

    async list(caller, projectId, which) {
      await requireProject(store, { projectId, caller });
      const input = { projectId, ...which() };
      return lists.run(caller.accountId, async () => {
        const { keys, total } = await store.listFeedback(input);
        const feedback = await readInSteps(keys, { itemsPerStep: ITEMS_PER_STEP }, (some) =>
          store.readFeedback({ projectId, keys: some }),
        );
        return { feedback, total };
      });
    },
  };
}
