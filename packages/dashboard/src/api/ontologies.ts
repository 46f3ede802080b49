import { queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export const ontologiesQuery = queryOptions({
  queryKey: ["ontologies"],
  queryFn: ({ signal }) => service.ontologies.list({}, { signal }),
});
