import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancellingQuery, untilNoneLeft } from "../../../api/jobs.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";

/** A change of one job, or of all that it fits. */
export type JobChange =
  | { readonly action: "cancel" | "retry"; readonly jobId: string }
  /** `jobs`: how many have not ended, with those that a reread is still to begin. */
  | { readonly action: "cancelAll"; readonly jobs: number }
  /** All that failed for these reasons. */
  | { readonly action: "retryAll"; readonly reasons: readonly string[] };

export function useJobChange(projectId: string) {
  const queryClient = useQueryClient();
  const { queryKey: cancellingKey } = cancellingQuery(projectId);
  const changing = useMutation({
    mutationFn: (change: JobChange) => perform(projectId, change),
    onMutate: (change) => {
      if (change.action === "cancelAll") queryClient.setQueryData(cancellingKey, change.jobs);
    },
    // Also after a refusal, because the state of the jobs has changed meanwhile.
    onSettled: async (_result, _error, change) => {
      await queryClient.invalidateQueries(projectQuery(projectId));
      if (change.action === "cancelAll") queryClient.setQueryData(cancellingKey, null);
    },
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
