import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { kept } from "./kept.ts";

/** A state that survives leaving its page and signing in again. It is kept in memory only. */
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
