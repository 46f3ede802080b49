import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isPassing, statusOf } from "../api/fault.ts";
import { kept } from "../api/kept.ts";

const maxRetries = 2;

/** Tries again only what may succeed the next time; `onUnauthenticated` is called when a session is found to be over. */
export function createQueryClient(onUnauthenticated: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (statusOf(error) === 401) onUnauthenticated();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
      },
      mutations: { retry: false },
    },
  });
  queryClient.setQueryDefaults([kept], { gcTime: Number.POSITIVE_INFINITY });
  return queryClient;
}
