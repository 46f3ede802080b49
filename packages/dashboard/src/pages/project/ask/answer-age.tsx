import { useQuery } from "@tanstack/react-query";
import { projectStatsQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Time } from "../../../components/time.tsx";
import styles from "./asked-answer.module.css";
import { type Answer, askedVersionQuery } from "./use-answer.ts";

/** Says of an answer that is kept that the project is another one by now; nothing while it is the same. */
export function AnswerAge({
  projectId,
  answer: { at },
  onAskAgain,
}: {
  readonly projectId: string;
  readonly answer: Answer;
  readonly onAskAgain: () => void;
}) {
  const { data: stats } = useQuery({ ...projectStatsQuery(projectId), refetchOnMount: "always" });
  const { data: version } = useQuery(askedVersionQuery(projectId, at));
  if (stats === undefined || version === undefined || stats.index_version <= version) return null;
  return (
    <Notice kind="warn">
      <div className={styles.stopped}>
        <span>
          Answered <Time at={new Date(at).toISOString()} />. The documents or the graph have changed since.
        </span>
        <Button size="small" onPress={onAskAgain}>
          Ask again
        </Button>
      </div>
    </Notice>
  );
}
