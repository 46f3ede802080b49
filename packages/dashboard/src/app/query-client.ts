import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/request.ts";

const maxRetries = 2;

/** Tries again only what may succeed the next time. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isPassing(error),
      },
      mutations: { retry: false },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503);
}
