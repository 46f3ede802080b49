import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { cancellingQuery, queueQuery } from "../api/jobs.ts";
import { progressOf, unfinishedIn } from "../api/queue-state.ts";
import { useIsLost } from "../api/use-is-lost.ts";
import { counted } from "../components/counted.ts";
import styles from "./busy-bar.module.css";
import { QueueBar } from "./queue-bar.tsx";
import { queuePace, stillWords } from "./queue-words.ts";

/** On every page of a project while anything runs or waits: how much, and for how long. Leads to the jobs. */
export function BusyBar({ projectId }: { readonly projectId: string }) {
  const { data: queue } = useQuery(queueQuery(projectId));
  const { data: cancelling = null } = useQuery(cancellingQuery(projectId));
  const isLost = useIsLost();
  if (queue === undefined || unfinishedIn(queue) === 0) return null;
  const { left } = progressOf(queue);
  const pace = isLost ? stillWords : cancelling === null ? queuePace(queue) : "cancelling";
  return (
    <Link to="/projects/$projectId/jobs" params={{ projectId }} className={styles.bar ?? ""}>
      <span className={styles.words}>
        <strong>{counted(left, "document")}</strong> to go{pace === "" ? "" : ` · ${pace}`}
      </span>
      <span className={styles.track}>
        <QueueBar queue={queue} />
      </span>
    </Link>
  );
}
