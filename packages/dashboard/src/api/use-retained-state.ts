import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { retainedKey } from "./retained-key.ts";

/** A state that survives leaving its page and signing in again. It is kept in memory only. */
export function useRetainedState<Value>(key: readonly string[], initial: Value) {
  const queryClient = useQueryClient();
  const queryKey = [retainedKey, ...key];
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
