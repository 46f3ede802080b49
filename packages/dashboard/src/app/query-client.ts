import { MutationCache, onlineManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { connection } from "../api/connection.ts";
import { isTemporary, statusOf } from "../api/fault.ts";
import { retainedKey, survivors, usedTypes } from "../api/retained-key.ts";

const maxRetries = 2;

/**
 * Retries temporary errors only. While the service cannot be reached what is asked for waits, and pages keep what they have; changes fail
 * at once, because nobody expects them to be made later. Calls `onUnauthenticated` when a response shows that the session has ended. */
export function createQueryClient(onUnauthenticated: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (statusOf(error) === 401) onUnauthenticated();
  };
  // Whether the machine is online says nothing of it: the service can be on this machine.
  onlineManager.setEventListener((setOnline) => connection.subscribe(() => setOnline(!connection.isLost())));
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isTemporary(error),
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  for (const key of [retainedKey, survivors, usedTypes])
    queryClient.setQueryDefaults([key], { gcTime: Number.POSITIVE_INFINITY });
  return queryClient;
}
