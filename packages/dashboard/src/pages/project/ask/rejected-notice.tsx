import { Link } from "@tanstack/react-router";
import { Notice } from "../../../components/notice.tsx";
import { rejectedWords } from "./answer-head.ts";
import styles from "./answer-view.module.css";

/** The answer quotes texts, which go on saying what a person has rejected. */
export function RejectedNotice({
  projectId,
  rejected,
}: {
  readonly projectId: string;
  /** Each in words. */
  readonly rejected: readonly string[];
}) {
  if (rejected.length === 0) return null;
  return (
    <div className={styles.rejected}>
      <Notice kind="warn">
        <strong>{rejectedWords}</strong>
        {rejected.slice(0, 3).map((each) => (
          <p key={each}>
            <bdi>{each}</bdi>
          </p>
        ))}
        <Link to="/projects/$projectId/corrections" params={{ projectId }}>
          Corrections
        </Link>
      </Notice>
    </div>
  );
}
