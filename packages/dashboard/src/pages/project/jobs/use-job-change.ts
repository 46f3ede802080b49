import { useMutation, useQueryClient } from "@tanstack/react-query";
import { untilNoneLeft } from "../../../api/jobs.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";

/** A change of one job, or of all that it fits. */
export type JobChange =
  | { readonly action: "cancel" | "retry"; readonly jobId: string }
  | { readonly action: "cancelAll" }
  /** All that failed for these reasons. */
  | { readonly action: "retryAll"; readonly reasons: readonly string[] };

export function useJobChange(projectId: string) {
  const queryClient = useQueryClient();
  const changing = useMutation({
    mutationFn: (change: JobChange) => perform(projectId, change),
    // Also after a refusal, because the state of the jobs has changed meanwhile.
    onSettled: () => queryClient.invalidateQueries(projectQuery(projectId)),
  });
  return { changing, change: (change: JobChange) => changing.mutate(change) };
}

async function perform(projectId: string, change: JobChange): Promise<unknown> {
  switch (change.action) {
    case "cancelAll":
      return untilNoneLeft(async () => {
        const { cancelled, left } = await service.jobs.cancelAll(projectId);
        return { done: cancelled, left };
      });
    case "retryAll": {
      for (const reason of change.reasons) {
        await untilNoneLeft(async () => {
          const { jobs, left } = await service.jobs.retryAll(projectId, { error_message: reason });
          return { done: jobs.length, left };
        });
      }
      return;
    }
    default:
      return service.jobs[change.action](projectId, change.jobId);
  }
}
