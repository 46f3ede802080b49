import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { kept } from "./kept.ts";

/** A state that is still there when its page is come back to, also after signing in again; in memory alone. */
export function useKept<Value>(key: readonly string[], initial: Value) {
  const queryClient = useQueryClient();
  const queryKey = [kept, ...key];
  const [value, setValue] = useState(() => queryClient.getQueryData<Value>(queryKey) ?? initial);
  return {
    value,
    change(next: Value) {
      setValue(next);
      queryClient.setQueryData(queryKey, next);
    },
    forget: () => queryClient.removeQueries({ queryKey }),
  };
}
