import { addToAnswer, emptyAnswer, type Query, type QueryResult } from "@kcs/sdk";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { isUnreachable } from "../../../api/fault.ts";
import { service } from "../../../api/service.ts";

/** Answers are kept so long for the Back key and the list of questions; then they are asked for again. */
const keptMs = 30 * 60_000;
const maxRetries = 2;

export interface Answer {
  readonly result: QueryResult;
  /** False while more of it follows. */
  readonly isComplete: boolean;
  /** Time since the question was sent. */
  readonly milliseconds: number;
  /** When the question was sent, in milliseconds since 1970. */
  readonly at: number;
}

/** The answer arrives in parts, each of which replaces the data of the query. Its end is not repeated by itself. */
function answerQuery(projectId: string, body: Query) {
  return queryOptions({
    queryKey: ["answers", projectId, body],
    async queryFn({ client, queryKey, signal }): Promise<Answer> {
      const startedAt = performance.now();
      const at = Date.now();
      let result = emptyAnswer;
      const answer = (isComplete: boolean) => ({
        ...{ result, isComplete, at },
        milliseconds: performance.now() - startedAt,
      });
      void client.prefetchQuery(askedVersionQuery(projectId, at));
      for await (const event of service.streamQuery(projectId, body, { signal })) {
        result = addToAnswer(result, event);
        if (!signal.aborted) client.setQueryData<Answer>(queryKey, answer(false));
      }
      return answer(true);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    // A question that the service did not get is asked again once it can be reached.
    retry: (failures, error) => failures < maxRetries && isUnreachable(error),
    refetchOnMount: false,
    refetchOnReconnect: false,
  });
}

/** The version of the project's index when a question was sent. */
export function askedVersionQuery(projectId: string, at: number) {
  return queryOptions({
    queryKey: ["asked-versions", projectId, at],
    queryFn: async ({ signal }) => (await service.projects.stats(projectId, { signal })).index_version,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });
}

/** The next page with this question asks it. */
export function forgetAnswer(queryClient: QueryClient, projectId: string, body: Query): void {
  queryClient.removeQueries({ queryKey: answerQuery(projectId, body).queryKey, exact: true });
}

/** Asks when it is first rendered. A page that is left, and `stop`, end the work of the service. */
export function useAnswer(projectId: string, body: Query, isAsked: boolean) {
  const queryClient = useQueryClient();
  const options = answerQuery(projectId, body);
  const { data, error, fetchStatus } = useQuery({ ...options, enabled: isAsked });
  const target = { queryKey: options.queryKey, exact: true };
  return {
    answer: data ?? null,
    error,
    isPending: fetchStatus !== "idle",
    /** As the documents are now. */
    askAgain: () => void queryClient.resetQueries(target),
    stop: () => void queryClient.cancelQueries(target),
  };
}

/** How an answer was found. Only asked for when it is shown. */
export function explanationQuery(projectId: string, body: Query) {
  return queryOptions({
    queryKey: ["explanations", projectId, body],
    queryFn: async ({ signal }) => {
      const include = [...new Set([...(body.include ?? []), "explain" as const])];
      return (await service.query(projectId, { ...body, include }, { signal })).explain ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });
}
