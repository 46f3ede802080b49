import type { ListedCorrection } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { projectQuery } from "../../../api/projects.ts";
import { Notice } from "../../../components/notice.tsx";
import { correctionWords } from "../entity/correction-words.ts";
import styles from "./answer-view.module.css";
import { rejectedIn } from "./rejected-facts.ts";

/** What a person has rejected of what the sentences of an answer state. */
export function useRejected(projectId: string, sentences: readonly string[]): ReturnType<typeof rejectedIn> {
  const { data: project } = useQuery(projectQuery(projectId));
  const hasGraph = project?.mode === "kg_vector";
  const { data } = useQuery({ ...allCorrectionsQuery(projectId), enabled: hasGraph });
  return rejectedIn(sentences, data ?? []);
}

/** The answer quotes texts, which go on saying what a person has rejected. */
export function RejectedNotice({
  projectId,
  rejected,
}: {
  readonly projectId: string;
  readonly rejected: readonly ListedCorrection[];
}) {
  if (rejected.length === 0) return null;
  return (
    <div className={styles.rejected}>
      <Notice kind="warn">
        <strong>You rejected this. The documents still say it.</strong>
        {rejected.slice(0, 3).map((each) => (
          <p key={each.correction_id}>
            <bdi>{correctionWords(each)}</bdi>
          </p>
        ))}
        <Link to="/projects/$projectId/corrections" params={{ projectId }}>
          Corrections
        </Link>
      </Notice>
    </div>
  );
}
