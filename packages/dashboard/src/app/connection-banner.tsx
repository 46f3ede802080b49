import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { CloudOff } from "lucide-react";
import { useEffect } from "react";
import { connection } from "../api/connection.ts";
import { useIsLost } from "../api/use-is-lost.ts";
import styles from "./connection-banner.module.css";
import { missingStyles } from "./missing-styles.ts";

/** On every page while the service is gone. When it is back, what failed meanwhile is loaded again. */
export function ConnectionBanner() {
  const isLost = useIsLost();
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(
    () =>
      connection.subscribe(() => {
        if (connection.isLost()) return;
        void missingStyles.load();
        void queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
        void queryClient.invalidateQueries({ queryKey: ["projects"] });
        void router.invalidate();
      }),
    [queryClient, router],
  );
  useEffect(() => connection.watch(), []);
  return (
    <div role="status" data-banner={isLost} className={isLost ? styles.banner : "visually-hidden"}>
      {isLost && (
        <>
          <CloudOff aria-hidden size={16} /> The service cannot be reached. This page connects again by
          itself.
        </>
      )}
    </div>
  );
}
