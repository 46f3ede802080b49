import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { projectQuery } from "../../../api/projects.ts";
import { Notice } from "../../../components/notice.tsx";
import { correctionWords } from "../entity/correction-words.ts";
import { rejectedIn } from "./rejected-facts.ts";

/** The answer quotes texts, which go on saying what a person has rejected. */
export function RejectedNotice({
  projectId,
  sentences,
}: {
  readonly projectId: string;
  readonly sentences: readonly string[];
}) {
  const { data: project } = useQuery(projectQuery(projectId));
  const hasGraph = project?.mode === "kg_vector";
  const { data } = useQuery({ ...allCorrectionsQuery(projectId), enabled: hasGraph });
  const rejected = rejectedIn(sentences, data ?? []);
  if (rejected.length === 0) return null;
  return (
    <Notice kind="warn">
      {rejected.slice(0, 3).map((each) => (
        <p key={each.correction_id}>
          <bdi>{correctionWords(each)}</bdi>
        </p>
      ))}
      The documents still say it.{" "}
      <Link to="/projects/$projectId/corrections" params={{ projectId }}>
        Corrections
      </Link>
    </Notice>
  );
}
