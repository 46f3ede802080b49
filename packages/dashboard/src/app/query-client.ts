import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { connection } from "../api/connection.ts";
import { isTemporary, isUnreachable, statusOf } from "../api/fault.ts";
import { retainedKey, survivors, usedTypes } from "../api/retained-key.ts";

const maxRetries = 2;

/** Retries temporary errors only. Calls `onUnauthenticated` when a response shows that the session has ended. */
export function createQueryClient(onUnauthenticated: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (statusOf(error) === 401) onUnauthenticated();
    if (isUnreachable(error)) connection.reportLost();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isTemporary(error),
      },
      mutations: { retry: false },
    },
  });
  for (const key of [retainedKey, survivors, usedTypes])
    queryClient.setQueryDefaults([key], { gcTime: Number.POSITIVE_INFINITY });
  return queryClient;
}
