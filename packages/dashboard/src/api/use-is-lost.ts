import { useSyncExternalStore } from "react";
import { connection } from "./connection.ts";

/** Whether the service cannot be reached at present. What was read before stands still then. */
export function useIsLost(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.isLost);
}
