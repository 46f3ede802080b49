import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Answer, Question } from "../domain/query.ts";
import type { Answerer } from "../ports/answerer.ts";
import type { Store } from "../ports/store.ts";
import { requireProject, requireProjectId } from "./access.ts";
import type { DynamicAnswerer } from "./dynamic-queries.ts";

export interface AskedQuestion extends Omit<Question, "projectId" | "accountId"> {
  /** Whether a summary that a language model writes names the chunks that it rests on. */
  readonly cites: boolean;
  /** Aborted when nobody waits for the answer any more: a dynamic question takes no further step then. */
  readonly signal?: AbortSignal;
}

export interface QueryService {
  /** What is wrong with the `question`, or with asking at all, is told to those only who may see the project. */
  ask(caller: Caller, projectId: string, question: () => AskedQuestion): Promise<Answer>;
}

export function createQueryService(deps: {
  readonly store: Store;
  readonly answerer: Answerer;
  readonly dynamicAnswerer: DynamicAnswerer;
  /** Per account; null = no limit. */
  readonly maxConcurrent: number | null;
}): QueryService {
  const running = new Map<string, number>();

  async function counted<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const before = running.get(accountId) ?? 0;
    if (deps.maxConcurrent !== null && before >= deps.maxConcurrent) {
      throw errors.busy(
        `At most ${deps.maxConcurrent} queries of an account run at once. Try again shortly.`,
        1,
      );
    }
    running.set(accountId, before + 1);
    try {
      return await work();
    } finally {
      const after = (running.get(accountId) ?? 1) - 1;
      if (after === 0) running.delete(accountId);
      else running.set(accountId, after);
    }
  }

  return {
    async ask(caller, projectId, question) {
      requireProjectId(projectId);
      const { accountId } = caller;
      try {
        const { cites, signal = null, ...asked } = question();
        return await counted(accountId, async () => {
          const whole: Question = { projectId, accountId, ...asked };
          const answer =
            whole.mode === "dynamic"
              ? await deps.dynamicAnswerer.answer(whole, { cites, signal })
              : await deps.answerer.answer(whole);
          if (answer === null) throw errors.projectNotFound(projectId);
          return answer;
        });
      } catch (error) {
        // Not looked up before: the answerer finds only the caller's projects, in a statement that it needs anyway.
        await requireProject(deps.store, { projectId, caller });
        throw error;
      }
    },
  };
}
