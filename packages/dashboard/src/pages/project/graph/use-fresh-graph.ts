import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { queueQuery } from "../../../api/jobs.ts";
import { projectQuery } from "../../../api/projects.ts";
import { hasEnded } from "../../../api/queue-state.ts";

/**
 * Reads the graph again when the project's work ends. `isHeld`: the user has chosen or moved something, so it stays as it is
 * until it is let go, or the returned function is called; null: nothing waits.
 */
export function useFreshGraph(projectId: string, isHeld: boolean): (() => void) | null {
  const client = useQueryClient();
  const { data: queue } = useQuery(queueQuery(projectId));
  const before = useRef(queue);
  const [hasChanged, setChanged] = useState(false);
  const refresh = useCallback(() => {
    setChanged(false);
    void client.invalidateQueries(projectQuery(projectId));
  }, [client, projectId]);
  useEffect(() => {
    if (queue !== undefined && before.current !== undefined && hasEnded(before.current, queue))
      setChanged(true);
    before.current = queue;
  }, [queue]);
  useEffect(() => {
    if (hasChanged && !isHeld) refresh();
  }, [hasChanged, isHeld, refresh]);
  return hasChanged && isHeld ? refresh : null;
}
