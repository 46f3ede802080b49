import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

/** Days have the form "2031-04-09"; both are included. */
export function usageQuery(range: { readonly from: string; readonly to: string }) {
  return queryOptions({
    queryKey: ["usage", range],
    queryFn: ({ signal }) => service.usage(range, { signal }),
    placeholderData: keepPreviousData,
  });
}
