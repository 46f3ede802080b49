import type { ReactNode } from "react";
import { Time } from "../../../components/time.tsx";
import styles from "./answer-view.module.css";
import { durationOf, strategyWords } from "./answer-words.ts";
import type { Answer } from "./use-answer.ts";

/** How it was searched, in words, how long it took, what went wrong on the way, and what can be done with the answer. */
export function AnswerFoot({
  answer: { result, milliseconds, at },
  children,
}: {
  readonly answer: Answer;
  readonly children?: ReactNode;
}) {
  const { how, troubles } = strategyWords(result.strategy_used);
  const searches = result.steps?.length ?? 1;
  return (
    <>
      {troubles.map((trouble) => (
        <p key={trouble} className={styles.trouble}>
          {trouble}
        </p>
      ))}
      <div className={styles.foot}>
        <p>
          {how === "" ? "" : `Searched ${how}`}
          {searches > 1 ? `, in ${searches} searches` : ""}
          {how === "" ? "" : " · "}
          <span className={styles.time}>{durationOf(milliseconds)}</span> ·{" "}
          <Time at={new Date(at).toISOString()} />
        </p>
        {children !== undefined && <div className={styles.actions}>{children}</div>}
      </div>
    </>
  );
}
