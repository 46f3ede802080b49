import { useQuery } from "@tanstack/react-query";
import { projectStatsQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Time } from "../../../components/time.tsx";
import styles from "./asked-answer.module.css";
import { type Answer, askedVersionQuery } from "./use-answer.ts";

export const changedWords = "The documents or the graph have changed since.";

/** Whether the project is another one by now than the one that was asked. */
export function useHasChanged(projectId: string, { at }: Pick<Answer, "at">): boolean {
  const { data: stats } = useQuery({ ...projectStatsQuery(projectId), refetchOnMount: "always" });
  const { data: version } = useQuery(askedVersionQuery(projectId, at));
  return stats !== undefined && version !== undefined && stats.index_version > version;
}

/** Says of an answer that is kept that the project is another one by now; nothing while it is the same. */
export function AnswerAge({
  projectId,
  answer,
  onAskAgain,
}: {
  readonly projectId: string;
  readonly answer: Answer;
  readonly onAskAgain: () => void;
}) {
  if (!useHasChanged(projectId, answer)) return null;
  return (
    <Notice kind="warn">
      <div className={styles.stopped}>
        <span>
          Answered <Time at={new Date(answer.at).toISOString()} />. {changedWords}
        </span>
        <Button size="small" onPress={onAskAgain}>
          Ask again
        </Button>
      </div>
    </Notice>
  );
}
